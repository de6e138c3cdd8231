//! CSV files, read by a parser that is not ours.

use std::{
    collections::BTreeMap,
    io::Write,
    process::{Command, Stdio},
};

/// The lines of a CSV file, each by the names of its columns. Python reads it, as a program elsewhere would.
pub fn table(text: &str) -> Vec<BTreeMap<String, String>> {
    assert!(text.starts_with('\u{feff}'), "the mark of UTF-8 is missing: {text:.80}");
    assert!(text.ends_with("\r\n"), "the last line has no end");
    let code = "import csv, io, json, sys\n\
                text = io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8-sig', newline='')\n\
                rows = list(csv.reader(text, strict=True))\n\
                assert all(len(row) == len(rows[0]) for row in rows), rows\n\
                print(json.dumps([dict(zip(rows[0], row)) for row in rows[1:]]))";
    let mut python = Command::new("python3")
        .args(["-c", code])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is there");
    let mut stdin = python.stdin.take().unwrap();
    let text = text.to_owned();
    let writing = std::thread::spawn(move || stdin.write_all(text.as_bytes()).unwrap());
    let output = python.wait_with_output().unwrap();
    writing.join().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}
