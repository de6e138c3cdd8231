//! A promoter's own page, which their link opens: what they sold, the link that they spread, and what they may give away.
//!
//! It shows sums and nobody who bought. Whoever has the link may open it, so nothing of it is kept by caches, and its address is
//! told to no other site.

pub mod give;
pub mod opened;
pub mod page;
