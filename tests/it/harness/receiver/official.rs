//! A receiver that uses the official Python library of the Standard Webhooks specification.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use tokio::{
    sync::{oneshot, watch},
    time::timeout,
};

use crate::harness::{PATIENCE, Running};

/// `tests/verify_webhooks.py`, which compares timestamps with the real clock. It ends with the test.
pub struct OfficialReceiver {
    running: Running,
    port: u16,
    lines: watch::Receiver<Vec<Value>>,
}

impl OfficialReceiver {
    /// Starts a receiver that accepts webhooks that at least one secret verifies, and ends after `expect` of them.
    pub async fn start(secrets: &[&str], expect: usize) -> Self {
        let python = std::env::var("TAQUILLA_TEST_PYTHON").expect("run `make test`, which installs Python packages");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/verify_webhooks.py");
        let child = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut running = Running(child);
        let mut input = running.0.stdin.take().unwrap();
        writeln!(input, "{}", json!({"secrets": secrets, "expect": expect})).unwrap();
        let mut output = BufReader::new(running.0.stdout.take().unwrap()).lines().map_while(Result::ok);
        let (tell_start, started) = oneshot::channel();
        let (tell, lines) = watch::channel(Vec::new());
        // The thread ends with the process, and closes `lines`.
        std::thread::spawn(move || {
            let _ = tell_start.send(output.next());
            for line in output {
                tell.send_modify(|lines| lines.push(serde_json::from_str(&line).unwrap_or(Value::String(line))));
            }
        });
        let first = timeout(PATIENCE, started).await.expect("it did not start").unwrap().unwrap_or_default();
        let port = first.strip_prefix("listening ").and_then(|port| port.parse().ok());
        Self { running, port: port.unwrap_or_else(|| panic!("it did not start, see stderr: {first}")), lines }
    }

    /// The URL of a path, which begins with a slash.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Its report of each request so far: `verified_by` (indexes of secrets), `id`, `type`, `sequence`, `path`.
    pub fn lines(&self) -> Vec<Value> {
        self.lines.borrow().clone()
    }

    /// Waits until it has verified as many as it expects, and returns its reports.
    pub async fn wait(&mut self) -> Vec<Value> {
        let ended = async { while self.lines.changed().await.is_ok() {} };
        if timeout(PATIENCE, ended).await.is_err() {
            panic!("it still waits for more that it can verify; so far: {:#?}", self.lines());
        }
        let status = self.running.0.wait().unwrap();
        assert!(status.success(), "{status}, see stderr: {:#?}", self.lines());
        self.lines()
    }
}

mod tests {
    use serde_json::json;

    use crate::harness::{receiver::OfficialReceiver, sign};

    const FIRST: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    const SECOND: &str = "whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";
    const STRANGER: &str = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    #[tokio::test]
    async fn the_official_library_says_whose_signature_it_is() {
        let mut receiver = OfficialReceiver::start(&[FIRST, SECOND], 3).await;
        let client = crate::harness::http_client();
        let now = jiff::Timestamp::now().as_second();
        let body = json!({"type": "order.approved", "sequence": 7}).to_string();
        let post = async |id: &str, timestamp: i64, secrets: &[&str], body: &str| {
            let signatures: Vec<String> = secrets.iter().map(|secret| sign(secret, id, timestamp, body)).collect();
            let request = client.post(receiver.url("/hook?a=b")).body(body.to_owned());
            let request = request.header("webhook-id", id).header("webhook-timestamp", timestamp);
            request.header("webhook-signature", signatures.join(" ")).send().await.unwrap().status().as_u16()
        };
        assert_eq!(post("msg_1", now, &[SECOND], &body).await, 204);
        assert_eq!(post("msg_2", now, &[STRANGER], &body).await, 401);
        assert_eq!(post("msg_3", now - 360, &[FIRST], &body).await, 401, "too old");
        assert_eq!(post("msg_4", now, &[SECOND, FIRST], &body).await, 204);
        assert_eq!(client.post(receiver.url("/")).send().await.unwrap().status(), 401, "not signed at all");
        assert_eq!(post("msg_5", now, &[STRANGER, FIRST], "{}").await, 204);
        let line = |by: &[usize], id: &str| json!({"verified_by": by, "id": id, "type": "order.approved", "sequence": 7, "path": "/hook?a=b"});
        let expected = [
            line(&[1], "msg_1"),
            line(&[], "msg_2"),
            line(&[], "msg_3"),
            line(&[0, 1], "msg_4"),
            json!({"verified_by": [], "id": null, "type": null, "sequence": null, "path": "/"}),
            json!({"verified_by": [0], "id": "msg_5", "type": null, "sequence": null, "path": "/hook?a=b"}),
        ];
        assert_eq!(receiver.wait().await, expected);
        assert_eq!(receiver.lines(), expected);
    }
}
