//! What every page for people needs: its words in the reader's language, its frame, its forms and files, and what is shown
//! when something goes wrong.
//!
//! | what | where |
//! |---|---|
//! | who asks | [`visitor`], [`cookies`] |
//! | what they ask for and send | [`query`], [`form`], [`guards`] |
//! | words | [`texts`], [`language`], [`refusals`], [`formats`] |
//! | the page itself | [`page`], [`page_headers`], [`badges`], [`qr`] |
//! | ways to other pages | [`address`], [`redirects`], [`to_https`] |
//! | files | [`assets`], [`files`], [`download`] |
//! | what went wrong | [`error_page`] |

pub mod address;
pub mod assets;
pub mod badges;
pub mod cookies;
pub mod download;
pub mod error_page;
pub mod files;
pub mod form;
pub mod formats;
pub mod guards;
pub mod language;
pub mod page;
pub mod page_headers;
pub mod qr;
pub mod query;
pub mod redirects;
pub mod refusals;
pub mod shop_links;
pub mod texts;
pub mod to_https;
pub mod visitor;
