//! The door of an event, live: what there is to see (`figures`, `view`), its pages (`pages`), how open pages follow it
//! (`watch`, `stream`), guests without a code (`by_hand`), mistakes (`undo`), how many should be inside (`limits`), and the links that door staff scan with (`links`).

pub mod by_hand;
pub mod figures;
pub mod limits;
pub mod links;
pub mod pages;
pub mod stream;
pub mod undo;
pub mod view;
pub mod watch;
