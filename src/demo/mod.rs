//! A made-up producer to explore Taquilla with, and the people who buy from it and come to its door.

mod buying;
mod data;
mod entering;
mod gates;
mod nights;
mod outside;
mod pace;
mod people;
mod scenes;
mod world;

pub use self::{
    data::{CURRENCY, PRODUCER_ID, PRODUCER_NAME, TIME_ZONE, TONIGHT_ID, data},
    gates::Gate,
    nights::{Night, is_over, next, now_on},
    pace::live,
    scenes::play,
    world::{Deed, Place, World},
};
