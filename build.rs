//! Says what is missing before the compiler complains of something else.

fn main() {
    println!("cargo::rerun-if-changed=web/dist");
    if !std::path::Path::new("web/dist/door/index.html").exists() {
        println!("cargo::error=the scanner page is not built yet: run `make web` (it needs Node.js 20.19 or newer)");
    }
}
