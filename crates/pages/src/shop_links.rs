//! Addresses of the shop's pages, as they are handed out, and of what belongs to its look.

use taquilla_domain::colour::Colour;

use super::address::in_path;

/// The page of a producer's shop.
pub fn shop(producer_id: &str) -> String {
    format!("/shop/{}", in_path(producer_id))
}

/// The page of an event in the shop.
pub fn event(producer_id: &str, event_id: &str) -> String {
    format!("/shop/{}/{}", in_path(producer_id), in_path(event_id))
}

/// The page of an event in the shop, where what is bought is a promoter's.
pub fn sold_by(producer_id: &str, event_id: &str, promoter_id: &str) -> String {
    format!("{}?promoter={}", event(producer_id, event_id), in_path(promoter_id))
}

/// A promoter's own page.
pub fn promoter(token: &str) -> String {
    format!("/promoter/{}", in_path(token))
}

/// The style sheet with the colour of a shop. Another colour has another address.
pub fn colour(producer_id: &str, colour: Colour) -> String {
    format!("/shop/v1/{}/style.css?v={:06x}", in_path(producer_id), u32::from(colour))
}

/// The picture that is shown with a link to a shop. Another version has another address.
pub fn picture(producer_id: &str, version: &str) -> String {
    format!("/shop/v1/{}/picture?v={version}", in_path(producer_id))
}

/// The picture that is shown with a link to an event.
pub fn event_picture(producer_id: &str, event_id: &str, version: &str) -> String {
    format!("/shop/v1/{}/events/{}/picture?v={version}", in_path(producer_id), in_path(event_id))
}

/// The script with which an organiser's own website shows what is on sale.
pub const SCRIPT: &str = "/shop/v1/embed.js";

/// What an organiser puts into a page of their own website to sell an event there: a link, which the script turns into what is
/// on sale. Without the script it leads to the shop.
pub fn snippet(service: &str, page: &str, label: &str) -> String {
    let label = label.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<a class=\"taquilla\" href=\"{service}{page}\">{label}</a>\n<script type=\"module\" src=\"{service}{SCRIPT}\"></script>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_has_no_markup_but_its_own() {
        let snippet = snippet("https://tickets.example", &event("pr \"x\"", "ev<1>"), "Rock & <b>Roll</b>");
        assert_eq!(
            snippet,
            "<a class=\"taquilla\" href=\"https://tickets.example/shop/pr%20%22x%22/ev%3C1%3E\">Rock &amp; \
             &lt;b&gt;Roll&lt;/b&gt;</a>\n<script type=\"module\" src=\"https://tickets.example/shop/v1/embed.js\"></script>"
        );
    }
}
