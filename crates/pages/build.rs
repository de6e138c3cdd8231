//! Finds new files with words, and says that the pages are not built before the compiler complains of something else.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=texts");
    println!("cargo::rerun-if-changed=../../web/dist");
    let pages = ["../../web/dist/door/index.html", "../../web/dist/dashboard/dashboard.css"];
    if pages.iter().any(|page| !Path::new(page).exists()) {
        println!("cargo::error=the pages are not built yet: run `make web` (it needs Node.js 20.19 or newer)");
    }
}
