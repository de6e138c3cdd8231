//! The dashboard: pages for a producer's staff, written by this server.
//!
//! A handler that takes a [`Member`](access::Member) runs only for a user who has signed in, belongs to the producer in the
//! path, and has the right that the type names. Whoever lacks one of these is sent to sign in, told that there is nothing
//! here, or refused, and a refusal is written down.

pub mod access;
pub mod account;
pub mod attention;
pub mod browser_words;
pub mod chosen_event;
pub mod confirm;
pub mod cookies;
pub mod csv;
pub mod device;
pub mod door;
pub mod endpoint;
pub mod events;
pub mod exports;
pub mod first_steps;
pub mod frame;
pub mod handed_link;
pub mod history;
pub mod keys;
pub mod known_browser;
pub mod links;
pub mod list_place;
pub mod messages;
pub mod one_payment;
pub mod open_payments;
pub mod orders;
pub mod overview;
pub mod pay_backs;
pub mod payments;
pub mod people;
pub mod personal_data;
pub mod producer_form;
pub mod promoters;
pub mod recent_sales;
pub mod reports;
pub mod roles;
pub mod sales_list;
pub mod second_factor;
pub mod service;
pub mod settings;
pub mod shifts;
pub mod shop_look;
pub mod sign_in;
pub mod sold;
pub mod sorting;
pub mod team;
pub mod terms;
pub mod terms_form;
pub mod tickets;
pub mod turned;
pub mod webhooks;
pub mod websites;
pub mod work;
