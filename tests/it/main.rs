//! Tests through the outside: HTTP, the command line, a real PostgreSQL. One file per feature.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[macro_use]
mod harness;

mod accounting;
mod auth;
mod bad_input;
mod bodies;
mod box_office;
mod cli;
mod cli_database;
mod cli_demo;
mod cli_finding;
mod cli_mistakes;
mod cli_usage;
mod cli_user;
mod clocks;
mod conditional;
mod connections;
mod crowds;
mod dashboard_access;
mod dashboard_browser;
mod dashboard_pages;
mod dashboard_sign_in;
mod dashboard_team;
mod decided_together;
mod documents;
mod door;
mod door_contract;
mod door_counts;
mod door_page;
mod durability;
mod examples;
mod feeds;
mod guessing;
mod hold_kills;
mod holds;
mod holds_model;
mod housekeeping;
mod import;
mod log;
mod mirrors;
mod openapi;
mod operate;
mod outages;
mod oversell;
mod payments;
mod plans;
mod random_crowds;
mod reads;
mod shapes;
mod shop;
mod shop_strangers;
mod stock;
mod tenancy;
mod tidy;
mod traversal;
mod unpaid_orders;
mod upgrade;
mod webhook_client;
mod webhook_docs;
mod webhook_kills;
mod webhook_outages;
mod webhook_receivers;
mod webhooks;
