//! Addresses of the shop's pages, as they are handed out.

use super::address::in_path;

/// The page of an event in the shop, where what is bought is a promoter's.
pub fn sold_by(producer_id: &str, event_id: &str, promoter_id: &str) -> String {
    format!("/shop/{}/{}?promoter={}", in_path(producer_id), in_path(event_id), in_path(promoter_id))
}

/// A promoter's own page.
pub fn promoter(token: &str) -> String {
    format!("/promoter/{}", in_path(token))
}
