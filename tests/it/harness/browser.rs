//! Scripts of `web/tests` in a real browser.

use std::process::Command;

use serde_json::{Value, json};

use super::seed::is_long;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The folder for the pictures in the documents, if they are to be taken anew.
pub fn pictures() -> Option<String> {
    std::env::var_os("TAQUILLA_WRITE_PICTURES").map(|_| format!("{ROOT}/docs/pictures"))
}

/// Runs a script with what it asks for, and gives what it printed. It must succeed.
pub async fn in_browser(script: &str, mut asked: Value) -> String {
    asked["chromium"] = json!(std::env::var("TAQUILLA_TEST_CHROMIUM").unwrap());
    asked["long"] = json!(is_long());
    asked["screens"] = json!(std::env::var("TAQUILLA_SCREENS").ok());
    let path = format!("{ROOT}/web/tests/{script}");
    let run = tokio::task::spawn_blocking(move || {
        Command::new("node").arg(path).env("DOOR_TEST", asked.to_string()).output().unwrap()
    });
    let output = run.await.unwrap();
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}");
    told
}
