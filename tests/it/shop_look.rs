//! How a shop looks, in browsers, in messengers and on the organiser's own website: its colour, its picture, and the script.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};
use taquilla_domain::{
    config::{SHOP_DRAWN, SHOP_PICTURE_BYTES},
    role::BuiltInRole,
};

use crate::harness::{Page, Staff, World, event, http_client, ticket_type, with};

both_engines![
    the_colour_of_a_shop_is_in_its_pages_and_can_be_read,
    a_picture_is_checked_and_written_anew,
    a_shop_without_a_picture_has_one_that_is_drawn,
    what_is_not_published_has_no_picture,
    a_snippet_sells_on_another_website,
];

const LOOK: &str = "/dashboard/p/pr_a/settings/shop";
const PICTURE: &str = "/dashboard/p/pr_a/settings/shop/picture";

/// A PNG of this size.
pub fn a_picture(width: u32, height: u32) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    RgbImage::from_pixel(width, height, Rgb([200, 0, 40])).write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

async fn a_shop(world: &World) -> Staff {
    let producer = world.producer("pr_a").await;
    let lines = [
        with(
            event("ev"),
            json!({"name": "Aurora & Nights", "status": "published", "starts_at": "2026-11-20T20:00:00Z"}),
        ),
        with(ticket_type("tt", "ev"), json!({"name": "General"})),
        with(event("ev_draft"), json!({"status": "draft"})),
    ];
    world.import(producer.tenant, &lines).await;
    world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await
}

/// The picture that is shown with a link to a page, and the address that the page names.
async fn shared(world: &World, path: &str) -> (String, String, DynamicImage) {
    let buyer = Staff::new(&world.client.base);
    let page = buyer.get(path).await;
    let address = page.between("<meta property=\"og:image\" content=\"", "\"").replace("&#38;", "&");
    let answer = got(&address).await;
    let kind = answer.headers["content-type"].to_str().unwrap().to_owned();
    assert_eq!(answer.headers["cache-control"], "public, max-age=86400");
    (address, kind, image::load_from_memory(&answer.body).unwrap())
}

struct Got {
    headers: reqwest::header::HeaderMap,
    body: Vec<u8>,
}

async fn got(address: &str) -> Got {
    let answer = http_client().get(address).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{address}");
    Got { headers: answer.headers().clone(), body: answer.bytes().await.unwrap().to_vec() }
}

async fn the_colour_of_a_shop_is_in_its_pages_and_can_be_read(world: World) {
    let ana = a_shop(&world).await;
    let buyer = Staff::new(&world.client.base);
    assert!(!buyer.get("/shop/pr_a/ev").await.text.contains("style.css"));
    for wrong in ["red", "#12345", "#fff;}body{display:none", "url(x)"] {
        let page = ana.post(LOOK, &[("colour", wrong)]).await;
        assert_eq!(page.status, 422, "{wrong}");
        assert!(page.text.contains("colour-error"), "{}", page.text);
    }
    for (colour, ink) in [("#FFC24B", "#000000"), ("#0a5c36", "#ffffff")] {
        ana.post(LOOK, &[("colour", colour)]).await.leads_to();
        let page = buyer.get("/shop/pr_a/ev").await;
        let address = page.between("<link rel=\"stylesheet\" href=\"/shop/", "\"").to_owned();
        let style = buyer.get(&format!("/shop/{address}")).await;
        assert_eq!((style.status.as_u16(), style.header("content-type")), (200, "text/css; charset=utf-8"));
        let lower = colour.to_lowercase();
        for part in [format!("--bar: {lower};"), format!("--bar-text: {ink};"), format!("--accent-ink: {ink};")] {
            assert!(style.text.contains(&part), "{part}: {}", style.text);
        }
        // Caches keep it, so another colour has another address.
        assert!(address.ends_with(&format!("?v={}", lower.trim_start_matches('#'))), "{address}");
    }
    assert!(ana.get("/dashboard/p/pr_a/history").await.text.contains("#0a5c36"));
    ana.post(LOOK, &[("colour", "")]).await.leads_to();
    assert!(!buyer.get("/shop/pr_a").await.text.contains("style.css"));
    assert_eq!(buyer.get("/shop/v1/pr_a/style.css").await.status, 404);
}

async fn a_picture_is_checked_and_written_anew(world: World) {
    let ana = a_shop(&world).await;
    let small = a_picture(599, 400);
    let page = "<html><script>alert(1)</script></html>".as_bytes();
    let wrong: [(&[u8], &str); 4] = [
        (&small, "too small"),
        (page, "no JPEG or PNG"),
        (b"", "no JPEG or PNG"),
        (&vec![0; SHOP_PICTURE_BYTES + 1], "larger than 10"),
    ];
    for (file, said) in wrong {
        let page = ana.upload_as("picture", PICTURE, "a.png", file).await;
        assert_eq!(page.status, 422, "{said}");
        assert!(page.between("id=\"picture-error\">", "<").contains(said), "{}", page.text);
    }
    assert_eq!(ana.upload_as("other", PICTURE, "a.png", &a_picture(700, 400)).await.status, 422);
    assert_eq!(world.raw().await.rows("SELECT shop_picture FROM producers").await, [[""]]);

    // What else is in the file goes nowhere.
    let sent = [a_picture(700, 400), page.to_vec()].concat();
    ana.upload_as("picture", PICTURE, "photo.jpg", &sent).await.leads_to();
    for path in ["/shop/pr_a", "/shop/pr_a/ev"] {
        let (address, kind, picture) = shared(&world, path).await;
        assert_eq!((kind.as_str(), picture.width(), picture.height()), ("image/jpeg", 700, 400));
        assert!(!got(&address).await.body.windows(8).any(|part| part == b"<script>"));
    }
    let (before, ..) = shared(&world, "/shop/pr_a").await;
    ana.upload_as("picture", PICTURE, "b.png", &a_picture(800, 420)).await.leads_to();
    let (after, _, picture) = shared(&world, "/shop/pr_a").await;
    assert_eq!((before == after, picture.width()), (false, 800), "another picture has another address");
    assert!(ana.get(LOOK).await.text.contains("<img class=\"look-picture\""));
    ana.post(&format!("{PICTURE}/remove"), &[]).await.leads_to();
    assert_eq!(shared(&world, "/shop/pr_a").await.1, "image/png");
    assert!(!ana.get(LOOK).await.text.contains("<img class=\"look-picture\""));
    let page: Page = ana.get("/dashboard/p/pr_a/history").await;
    assert!(page.text.contains("The look of the shop changed"), "{}", page.text);
}

async fn a_shop_without_a_picture_has_one_that_is_drawn(world: World) {
    let ana = a_shop(&world).await;
    let (address, kind, plain) = shared(&world, "/shop/pr_a/ev").await;
    assert_eq!((kind.as_str(), (plain.width(), plain.height())), ("image/png", SHOP_DRAWN));
    let (_, _, of_shop) = shared(&world, "/shop/pr_a").await;
    assert_ne!(plain.as_bytes(), of_shop.as_bytes());
    ana.post(LOOK, &[("colour", "#0a5c36")]).await.leads_to();
    let (coloured, _, picture) = shared(&world, "/shop/pr_a/ev").await;
    assert_ne!(coloured, address);
    assert_eq!(picture.into_rgb8().get_pixel(40, 300), &Rgb([0x0a, 0x5c, 0x36]));
}

async fn what_is_not_published_has_no_picture(world: World) {
    a_shop(&world).await;
    let buyer = Staff::new(&world.client.base);
    for path in [
        "/shop/v1/pr_a/events/ev_draft/picture",
        "/shop/v1/pr_a/events/none/picture",
        "/shop/v1/pr_none/events/ev/picture",
        "/shop/v1/pr_none/picture",
        "/shop/v1/pr_none/style.css",
        "/shop/v1/%00/picture",
    ] {
        assert_eq!(buyer.get(path).await.status, 404, "{path}");
    }
}

async fn a_snippet_sells_on_another_website(world: World) {
    let ana = a_shop(&world).await;
    let page = ana.get("/dashboard/p/pr_a/events/ev").await;
    let snippet = page.between("<code id=\"snippet\">", "</code>");
    let snippet = snippet.replace("&#60;", "<").replace("&#62;", ">").replace("&#34;", "\"").replace("&#38;", "&");
    let base = &world.client.base;
    let expected = format!(
        "<a class=\"taquilla\" href=\"{base}/shop/pr_a/ev\">Aurora &amp; Nights</a>\n\
         <script type=\"module\" src=\"{base}/shop/v1/embed.js\"></script>"
    );
    assert_eq!(snippet, expected);
    assert!(!ana.get("/dashboard/p/pr_a/events/ev_draft").await.text.contains("embed.js"));
    let script = got(&format!("{base}/shop/v1/embed.js")).await;
    assert_eq!(script.headers["access-control-allow-origin"], "*", "a module of another website is loaded so");
    assert_eq!(script.headers["content-type"], "text/javascript; charset=utf-8");
    // What it reads is there under the address that it makes of the link.
    let sale: Value = world.client.get("/shop/v1/pr_a/events/ev", "").await.json();
    for field in ["name", "status", "currency", "unit_price", "held_until", "on_sale_from"] {
        assert!(sale["items"][0].get(field).is_some(), "{field}: {sale}");
        assert!(String::from_utf8_lossy(&script.body).contains(field), "{field}");
    }
}
