//! The examples in the documents can be followed, one document after another, and print what is shown.

use std::process::Command;

/// In the order in which they build on each other.
const DOCUMENTS: [&str; 6] =
    ["README.md", "docs/tour.md", "docs/boxoffice.md", "docs/shop.md", "docs/webhooks.md", "docs/webhook-endpoints.md"];

#[test]
fn the_documents_can_be_followed() {
    let python = std::env::var("TAQUILLA_TEST_PYTHON").expect("run `make test`, which installs what this needs");
    let mut reader = Command::new(python);
    reader.arg("tests/examples.py").env("TAQUILLA_BIN", env!("CARGO_BIN_EXE_taquilla"));
    if std::env::var_os("TAQUILLA_WRITE_EXAMPLES").is_some() {
        reader.arg("--write");
    }
    let output = reader.args(DOCUMENTS).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let followed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(followed, DOCUMENTS.map(|document| format!("{document}: followed\n")).concat());
}
