//! Live pages of the door: their stream, and what they say.

use tokio::time::timeout;

use super::{PATIENCE, staff::Staff};

/// The text of a page without its tags, each run of spaces as one.
pub fn words(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for letter in html.chars() {
        match letter {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            letter if !inside => text.push(letter),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a figure with this id says.
pub fn figure(html: &str, id: &str) -> String {
    let page = html.split_once(&format!("id=\"{id}\">")).unwrap_or_else(|| panic!("no {id} in {html}")).1;
    words(page.split_once("</dd>").unwrap().0)
}

/// A stream of a live page, as a browser reads it.
pub struct Stream {
    response: reqwest::Response,
    buffer: String,
}

/// A message of a stream.
#[derive(Debug)]
pub struct Message {
    pub id: String,
    pub html: String,
}

impl Stream {
    pub async fn ask(base: &str, staff: &Staff, path: &str, last: Option<&str>) -> reqwest::Response {
        let cookies: Vec<String> = staff.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut request = staff.http.get(format!("{base}{path}")).header("cookie", cookies.join("; "));
        request = request.header("accept", "text/event-stream").header("accept-encoding", "gzip, zstd");
        if let Some(id) = last {
            request = request.header("last-event-id", id);
        }
        request.send().await.unwrap()
    }

    pub async fn open(base: &str, staff: &Staff, path: &str, last: Option<&str>) -> Self {
        let response = Self::ask(base, staff, path, last).await;
        assert_eq!(response.status(), 200);
        let header = |name: &str| response.headers().get(name).map_or("", |value| value.to_str().unwrap());
        assert_eq!(header("content-type"), "text/event-stream");
        assert_eq!(header("cache-control"), "no-store");
        assert_eq!(header("content-encoding"), "", "nothing may gather what is sent");
        Self { response, buffer: String::new() }
    }

    /// The next message. `None` if the stream has ended. Beats alone are not enough.
    pub async fn next(&mut self) -> Option<Message> {
        timeout(PATIENCE, self.read()).await.expect("the stream says nothing")
    }

    async fn read(&mut self) -> Option<Message> {
        loop {
            while let Some((block, rest)) = self.buffer.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.buffer = rest;
                let of = |name: &str| -> Vec<String> {
                    block.lines().filter_map(|line| line.strip_prefix(name)).map(str::to_owned).collect()
                };
                if of("event: ") == ["figures"] {
                    return Some(Message { id: of("id: ").concat(), html: of("data: ").join("\n") });
                }
            }
            match self.response.chunk().await {
                Ok(Some(bytes)) => self.buffer += std::str::from_utf8(&bytes).unwrap(),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Reads on until so many have entered.
    pub async fn until_entered(&mut self, count: &str) -> Message {
        loop {
            let message = self.next().await.expect("the stream ended");
            if figure(&message.html, "entered") == count {
                return message;
            }
        }
    }

    /// Reads on until the stream ends.
    pub async fn end(mut self) {
        while self.next().await.is_some() {}
    }
}
