//! A try in the house: https with a certificate that was made here, and the page before it.

use std::{
    fs::File,
    net::SocketAddr,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use taquilla_domain::status::Category;

use crate::harness::{
    Engine, Running, World, event, http_client, https::client_trusting, in_browser, new_address, pictures, start,
    taquilla, terminate, ticket_type, until,
};

both_engines![a_try_explains_itself_and_keeps_its_certificate, a_demo_is_tried_with_a_phone];

on_sqlite![a_phone_goes_past_the_warning_and_has_its_camera];

/// A server in its own process, in a folder of its own.
struct Tried {
    running: Running,
    said: PathBuf,
    https: SocketAddr,
    http: SocketAddr,
}

impl Tried {
    async fn start(address: &str, folder: &Path) -> Self {
        let (log, said) = (folder.join("log"), folder.join("said"));
        let mut command = taquilla(address);
        command.args(["serve", "--https-local", "--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0"]);
        command.current_dir(folder).stdin(Stdio::null());
        command.stdout(File::create(&said).unwrap()).stderr(File::create(&log).unwrap());
        let running = Running(command.spawn().unwrap());
        let read = || std::fs::read_to_string(&log).unwrap();
        assert!(until(async || read().contains("leading from plain http")).await, "{}", read());
        let addresses: Vec<SocketAddr> = read()
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).unwrap()["address"].as_str()?.parse().ok())
            .collect();
        Self { running, said, https: addresses[0], http: addresses[1] }
    }

    fn stop(mut self) {
        terminate(&self.running.0);
        assert!(self.running.0.wait().unwrap().success());
    }
}

async fn a_try_explains_itself_and_keeps_its_certificate(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let address = match world.engine {
        Engine::Sqlite => "sqlite:data/taquilla.db".to_owned(),
        Engine::Postgres => world.address.clone(),
    };
    let server = Tried::start(&address, folder.path()).await;
    let said = std::fs::read_to_string(&server.said).unwrap();
    assert!(said.contains(&format!("  http://{}\n", server.http)), "{said}");
    assert!(said.contains(&format!("https://{}/dashboard/links/", server.https)), "{said}");

    // Both languages, and the way on.
    for (language, words) in [("en", "Your phone will warn you"), ("es-MX", "Tu móvil te va a avisar")] {
        // The port of https says the same to whoever comes with plain http.
        for address in [server.http, server.https] {
            let asked = http_client().get(format!("http://{address}/door?a=b")).header("accept-language", language);
            let page = asked.send().await.unwrap();
            assert_eq!(page.status(), 200);
            assert_eq!(page.headers().get("strict-transport-security"), None);
            assert!(page.headers()["content-security-policy"].to_str().unwrap().contains("default-src 'none'"));
            let text = page.text().await.unwrap();
            assert!(
                text.contains(words) && text.contains(&format!("href=\"https://{}/door?a=b\"", server.https)),
                "{text}"
            );
            let style = text.split("href=\"").find(|part| part.starts_with("/assets/dashboard.css")).unwrap();
            let style = format!("http://{address}{}", style.split('"').next().unwrap());
            assert_eq!(http_client().get(style).send().await.unwrap().status(), 200);
        }
    }
    let refused = http_client().post(format!("http://{}/assets/dashboard.css", server.http)).send().await.unwrap();
    assert_eq!(refused.json::<Value>().await.unwrap()["code"], "https_only");

    let file = folder.path().join("data/https-local.pem");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let kept = std::fs::read_to_string(&file).unwrap();
    let certificate = &kept[kept.find("-----BEGIN CERTIFICATE").unwrap()..];
    let client = |address| client_trusting(certificate, "localhost", address, true);
    let url = |address: SocketAddr| format!("https://localhost:{}/dashboard/sign-in", address.port());
    let page = client(server.https).get(url(server.https)).send().await.unwrap();
    assert_eq!((page.status(), page.version()), (reqwest::StatusCode::OK, reqwest::Version::HTTP_2));
    // A browser that was told to be strict would offer no way past the warning.
    assert_eq!(page.headers().get("strict-transport-security"), None);
    server.stop();
    let again = Tried::start(&address, folder.path()).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), kept);
    assert_eq!(client(again.https).get(url(again.https)).send().await.unwrap().status(), 200);
    again.stop();
}

async fn a_demo_is_tried_with_a_phone(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let address = new_address(world.engine, folder.path()).await;
    let mut command = taquilla(&address);
    command.args(["demo", "--https-local", "--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0"]);
    command.current_dir(folder.path());
    let (_running, text, _all) = start(command, "Stop with Ctrl-C");
    let word =
        |part: &str| text.split_whitespace().find(|word| word.contains(part)).unwrap_or_else(|| panic!("{text}"));
    let base = word("/docs/errors").trim_end_matches("/docs/errors");
    assert!(base.starts_with("https://127.0.0.1:"), "{text}");
    // The drawing of the link for a camera.
    assert!(text.lines().filter(|line| line.contains('█')).count() > 10, "{text}");
    let key = word("tq_");
    let key = key.trim_end_matches('\'');
    let mut command = Command::new("curl");
    command.args([
        "-sk",
        "--noproxy",
        "*",
        "-H",
        &format!("Authorization: Bearer {key}"),
        &format!("{base}/api/v1/me"),
    ]);
    let output = command.output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("pr_demo"), "{output:?}");
    // Its people come over https, too.
    let token = word("/door#").split('#').nth(1).unwrap();
    let counts = async || {
        let mut command = Command::new("curl");
        let token = format!("Authorization: Bearer {token}");
        command.args(["-sk", "--noproxy", "*", "-H", &token, &format!("{base}/door/v1/counts")]);
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let before = counts().await;
    assert!(before.contains("entered"), "{before}");
    assert!(until(async || counts().await != before).await, "nobody comes");
}

async fn a_phone_goes_past_the_warning_and_has_its_camera(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    let (token, _) = world.door(producer.tenant, "ev", &[Category::Ticket]).await;
    let folder = tempfile::tempdir().unwrap();
    let server = Tried::start(&world.address, folder.path()).await;
    let base = format!("http://{}", server.http);
    let asked = json!({
        "script": "https-local", "url": base, "base": base, "codes": {}, "pictures": pictures(), "looks": true,
        "https": format!("https://{}", server.https), "door": format!("/door#{token}"),
    });
    in_browser("dashboard.mjs", asked).await;
    server.stop();
}
