//! Says what is missing before the compiler complains of something else.

fn main() {
    println!("cargo::rerun-if-changed=web/dist");
    println!("cargo::rerun-if-changed=texts");
    let pages = ["web/dist/door/index.html", "web/dist/dashboard/dashboard.css"];
    if pages.iter().any(|page| !std::path::Path::new(page).exists()) {
        println!("cargo::error=the pages are not built yet: run `make web` (it needs Node.js 20.19 or newer)");
    }
}
