//! Staff in front of the dashboard: a browser without a screen, which keeps cookies and sends forms.

use std::{collections::BTreeMap, sync::Mutex};

use reqwest::{Method, StatusCode, header::HeaderMap};
use taquilla_domain::{email::Email, role::BuiltInRole, text::Name};
use taquilla_rules::admin::staff;
use taquilla_store::{Tenant, staff::users};

use super::{client::http_client, world::World};

/// A password that is good enough.
pub const PASSWORD: &str = "correct horse battery";

/// Its hash, made with the least work there is: whoever signs in pays what the hash says, hundreds of times in these tests. A
/// password that a test itself sets, by a link or a form, is hashed as anybody's.
const HASHED: &str = "$argon2id$v=19$m=8,t=1,p=1$c2FsdCBvZiB0aGUgdGVzdHM$wVfxG29B162pw19xc1+DA9BDQHvWRXrXEvemoqx0xrY";

/// A page as it came.
#[derive(Debug)]
pub struct Page {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Page {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Where the page leads to; it must lead somewhere.
    pub fn leads_to(&self) -> &str {
        assert_eq!(self.status, 303, "{}", self.text);
        self.header("location")
    }

    /// The text between two marks.
    pub fn between(&self, before: &str, after: &str) -> &str {
        let (_, rest) = self.text.split_once(before).unwrap_or_else(|| panic!("no {before} in {}", self.text));
        rest.split_once(after).unwrap_or_else(|| panic!("no {after} in {rest}")).0
    }

    /// What must hold for every page: nothing inline may run, nobody frames it, and no cache keeps it.
    fn check(&self) {
        assert_eq!(self.header("x-content-type-options"), "nosniff", "{self:?}");
        assert!(self.status.as_u16() < 500, "{self:?}");
        if self.header("content-type").starts_with("text/html") {
            let policy = self.header("content-security-policy");
            for part in [
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self'",
                "frame-ancestors 'none'",
                "base-uri 'none'",
                "form-action 'self'",
            ] {
                assert!(policy.contains(part) && !policy.contains("unsafe"), "{policy}");
            }
            assert_eq!(self.header("cache-control"), "no-store", "{self:?}");
            assert_eq!(self.header("referrer-policy"), "same-origin");
            let inline = ["<script>", " style=\"", " onclick", "<style", "javascript:"];
            assert!(!inline.iter().any(|part| self.text.contains(part)), "{}", self.text);
            assert!(self.text.len() < 100_000, "a page of {} bytes", self.text.len());
        }
    }
}

/// A browser of its own.
pub struct Staff {
    base: String,
    pub(super) http: reqwest::Client,
    cookies: Mutex<BTreeMap<String, String>>,
    headers: Vec<(String, String)>,
}

impl Staff {
    /// A browser that nobody has signed in with.
    pub fn new(base: &str) -> Self {
        Self::with(http_client(), base)
    }

    /// The same with a client of its own.
    pub fn with(http: reqwest::Client, base: &str) -> Self {
        Self { base: base.to_owned(), http, cookies: Mutex::default(), headers: Vec::new() }
    }

    /// The same with another client, such as one that trusts a proxy.
    pub fn with_client(mut self, http: reqwest::Client) -> Self {
        self.http = http;
        self
    }

    /// The same with a header on every request.
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The address of the server.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    pub fn cookies(&self) -> BTreeMap<String, String> {
        self.cookies.lock().unwrap().clone()
    }

    pub fn set_cookie(&self, name: &str, value: &str) {
        self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned());
    }

    /// The same person goes on at another server.
    pub fn at(&self, base: &str) -> Self {
        let cookies = Mutex::new(self.cookies());
        Self { base: base.to_owned(), http: self.http.clone(), cookies, headers: self.headers.clone() }
    }

    pub async fn get(&self, path: &str) -> Page {
        self.send(Method::GET, path, None, &[]).await
    }

    /// Sends a form as a browser does.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.send(Method::POST, path, Some(fields), &[("sec-fetch-site", "same-origin")]).await
    }

    /// Sends a form to a server that may be killed meanwhile.
    pub async fn try_post(&self, path: &str, fields: &[(&str, &str)]) -> Option<Page> {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let body = Some(("application/x-www-form-urlencoded", body.into_bytes()));
        self.try_send_body(Method::POST, path, body, &[("sec-fetch-site", "same-origin")]).await.ok()
    }

    /// Sends a form with one file, as a browser does.
    pub async fn upload(&self, path: &str, name: &str, content: &[u8]) -> Page {
        self.upload_as("file", path, name, content).await
    }

    /// The same with a field of another name.
    pub async fn upload_as(&self, field: &str, path: &str, name: &str, content: &[u8]) -> Page {
        let head = format!(
            "--seam\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
             content-type: application/octet-stream\r\n\r\n"
        );
        let body = [head.as_bytes(), content, b"\r\n--seam--\r\n"].concat();
        let kind = "multipart/form-data; boundary=seam";
        self.send_body(Method::POST, path, Some((kind, body)), &[("sec-fetch-site", "same-origin")]).await
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        fields: Option<&[(&str, &str)]>,
        headers: &[(&str, &str)],
    ) -> Page {
        let body = fields.map(|fields| {
            let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
            ("application/x-www-form-urlencoded", body.into_bytes())
        });
        self.send_body(method, path, body, headers).await
    }

    async fn send_body(
        &self,
        method: Method,
        path: &str,
        body: Option<(&str, Vec<u8>)>,
        headers: &[(&str, &str)],
    ) -> Page {
        self.try_send_body(method, path, body, headers).await.unwrap()
    }

    async fn try_send_body(
        &self,
        method: Method,
        path: &str,
        body: Option<(&str, Vec<u8>)>,
        headers: &[(&str, &str)],
    ) -> reqwest::Result<Page> {
        let mut request = self.http.request(method, format!("{}{path}", self.base)).header("accept", "text/html");
        let cookies: Vec<String> = self.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            request = request.header("cookie", cookies.join("; "));
        }
        for (name, value) in
            self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(headers.iter().copied())
        {
            request = request.header(name, value);
        }
        if let Some((kind, body)) = body {
            request = request.header("content-type", kind).body(body);
        }
        let response = request.send().await?;
        let (status, headers) = (response.status(), response.headers().clone());
        for cookie in headers.get_all("set-cookie") {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            match rest.contains("Max-Age=0") {
                true => self.cookies.lock().unwrap().remove(name),
                false => self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned()),
            };
        }
        let page = Page { status, headers, text: response.text().await? };
        page.check();
        Ok(page)
    }

    /// Signs in with the password of the tests.
    pub async fn sign_in(&self, email: &str) -> Page {
        self.post("/dashboard/sign-in", &[("email", email), ("password", PASSWORD)]).await
    }
}

impl World {
    /// A user in a producer's team, with the password of the tests. Returns the user's id.
    pub async fn user(&self, tenant: Tenant, email: &str, role: &str) -> String {
        let (address, name) = (Email::parse(email).unwrap(), Name::parse(email).unwrap());
        let made = staff::users::create(&self.store, tenant, &address, &name, role, false, &self.by()).await;
        let staff::users::Created { user, link, is_new } = made.unwrap();
        let device = staff::sessions::Device::new("127.0.0.1".into(), "harness");
        if !is_new {
            let guest = staff::team::Guest::User(&user);
            staff::team::accept(&self.store, &link, guest, &device, &self.by()).await.unwrap();
        } else {
            let token = staff::password_links::use_up(&self.store, &link, HASHED, &device, &self.by()).await.unwrap();
            assert!(token.is_some());
            let mut conn = self.store.read().await.unwrap();
            let sessions = taquilla_store::staff::sessions::of_user(&mut conn, &user.id).await.unwrap();
            drop(conn);
            for session in sessions {
                staff::sessions::end(&self.store, &user.id, &session.id, &self.by()).await.unwrap();
            }
        }
        user.id
    }

    /// A browser in which this user has signed in.
    pub async fn staff(&self, tenant: Tenant, email: &str, role: BuiltInRole) -> Staff {
        self.user(tenant, email, role.as_str()).await;
        let staff = Staff::new(&self.client.base);
        assert_eq!(staff.sign_in(email).await.status, 303);
        staff
    }

    /// Makes a user one who may do what concerns all producers.
    pub async fn make_operator(&self, email: &str) {
        let mut conn = self.store.read().await.unwrap();
        assert!(users::by_email(&mut conn, &Email::parse(email).unwrap()).await.unwrap().is_some());
        drop(conn);
        self.raw().await.batch(&format!("UPDATE users SET is_operator = 1 WHERE email = '{email}'")).await;
    }
}
