//! Every flag of every command with values that cannot be used: exit code 2, and words that say what is expected.

use crate::harness::{World, taquilla};

both_engines![a_value_that_cannot_be_used_is_wrong_usage_and_says_what_is_expected];

/// Words of parsers and of the system that say nothing to whoever typed the command.
const LEAKS: &[&str] = &[
    "expected ident",
    "expected value",
    "i64",
    "u64",
    "invalid digit",
    "invalid type",
    "os error",
    "ParseIntError",
    "invalid socket",
    "relative URL",
    "IPv4",
    "AddrParse",
    "missing field",
    "unknown field",
    "EOF",
    "struct ",
    "rror code",
    // A password.
    "hunter2",
];

const LONG: &str = "a text of more than 128 characters, which is the most that an id may have, and so this one goes on \
     and on until it has reached that length";

/// A flag, a value, and words that are expected.
type Case = (&'static str, &'static str, &'static str);

/// Commands with everything they need, and flags of theirs with a value that cannot be used and the words that say what
/// is expected.
const WRONG: &[(&[&str], &[Case])] = &[
    (
        &["serve"],
        &[
            ("--listen", "nowhere", "such as 127.0.0.1:8080"),
            ("--listen", "127.0.0.1:70000", "such as 127.0.0.1:8080"),
            ("--listen", "127.0.0.1:", "such as 127.0.0.1:8080"),
            ("--database", "mysql://a:hunter2@b/c", "sqlite:PATH or postgres://"),
            ("--database", "sqlite:", "names a file"),
            ("--database", "postgres://a:hunter2@b:port/c", "postgres://USER:PASSWORD@HOST"),
            ("--database", "sqlite:/dev", "/dev is a folder"),
            ("--rate-limit", "many", "a whole number from 1"),
            ("--shop-rate-limit", "0", "or off"),
            ("--door-rate-limit", "-1", "or off"),
            ("--public-url", "tickets.example.com", "such as https://tickets.example.com"),
            ("--webhook-allow", "here", "such as 10.1.0.0/16"),
            ("--webhook-allow", "127.0.0.1,10.0.0.0/99", "such as 10.1.0.0/16"),
            ("--keep-order-answers", "0", "a whole number from 1 to 36500"),
            ("--keep-order-answers", "week", "a whole number from 1 to 36500"),
            ("--keep-scans", "29", "a whole number from 30 to 36500"),
            ("--keep-scans", "1.5", "a whole number from 30 to 36500"),
            ("--log", "loud", "error, warn, info, debug"),
            ("--log-requests", "some", "all, errors, or 1/N is expected, such as 1/100"),
            ("--log-requests", "1/0", "all, errors, or 1/N"),
            ("--log-requests", "1/1000001", "with N up to 1000000"),
            ("--metrics-listen", "9464", "such as 127.0.0.1:8080"),
            ("--backup-every", "daily", "a time such as 90s, 30m, 2h or 3d is expected, up to 30d"),
            ("--backup-every", "1m", "a time of 5m or more is expected"),
            ("--drain", "soon", "a time such as 10s or 1m is expected, up to 10m, or off"),
            ("--backup-keep", "0", "a whole number from 1 to 10000"),
            ("--backup-keep", "all", "a whole number from 1 to 10000"),
            ("--acme", "localhost", "a domain such as tickets.example.com"),
            ("--acme", "*.example.com", "a domain such as tickets.example.com"),
            ("--acme", "a.example,192.168.1.5", "a domain such as tickets.example.com"),
            ("--acme-directory", "http://authority.example/directory", "an https address is expected"),
            ("--http-listen", "80", "such as 127.0.0.1:8080"),
            ("--http-listen", "127.0.0.1:0", "--https-local"),
            ("--tls-cert", "cert.pem", "--tls-key"),
            ("--tls-key", "key.pem", "--tls-cert"),
            ("--backup-dir", "/dev/null/backups", "cannot write to the folder /dev/null/backups"),
        ],
    ),
    (
        &["demo"],
        &[
            ("--listen", "8080", "such as 127.0.0.1:8080"),
            ("--http-listen", "127.0.0.1:0", "--https-local"),
            ("--public-url", "ftp://x", "such as https://tickets.example.com"),
            ("--webhook-allow", "::/200", "such as 10.1.0.0/16"),
        ],
    ),
    (&["producer", "create", "--name", "N"], &[("--id", "", "an id has"), ("--id", LONG, "an id has")]),
    (&["producer", "create"], &[("--name", "  ", "cannot be empty"), ("--name", "a\u{1b}b", "control characters")]),
    (
        &["key", "create", "--name", "k", "--permission", "TICKETS_READ", "--producer", "pr_a"],
        &[
            ("--expires-at", "soon", "a time such as 2027-01-01T21:00:00Z"),
            ("--expires-at", "2027-01-01T21:00:00", "a time such as 2027-01-01T21:00:00Z"),
            ("--permission", "ALL", "TICKETS_READ"),
        ],
    ),
    (&["key", "list"], &[("--producer", "", "an id has")]),
    (
        &["producer", "list"],
        &[("--limit", "0", "a whole number from 1 to 10000"), ("--limit", "x", "a whole number from 1 to 10000")],
    ),
    (&["producer", "show"], &[("", "", "PRODUCER_ID"), ("", "a\nb", "an id has")]),
    (&["event", "list", "--producer", "pr_a"], &[("--limit", "10001", "a whole number from 1 to 10000")]),
    (&["event", "show", "--producer", "pr_a"], &[("", LONG, "an id has")]),
    (&["ticket-type", "list", "--producer", "pr_a"], &[("--event", "", "an id has"), ("", "", "--event <ID>")]),
    (&["ticket-type", "show", "--producer", "pr_a"], &[("", LONG, "an id has")]),
    (
        &["order", "list", "--producer", "pr_a"],
        &[
            ("--limit", "-1", "a whole number from 1 to 10000"),
            ("--status", "lost", "one of pending, approved, rejected, refunded"),
            ("--event", "", "an id has"),
        ],
    ),
    (&["order", "show", "--producer", "pr_a"], &[("", LONG, "an id has")]),
    (&["order", "search", "--producer", "pr_a"], &[("", " ", "there is no word to look for")]),
    (&["order", "search", "ana", "--producer", "pr_a"], &[("--event", LONG, "an id has")]),
    (
        &["ticket", "list", "--producer", "pr_a"],
        &[
            ("--limit", "1.5", "a whole number from 1 to 10000"),
            ("--status", "VALID", "one of valid, scanned, transferred, cancelled, refunded"),
            ("--event", "", "an id has"),
            ("--order", "", "an id has"),
        ],
    ),
    (&["ticket", "search", "--producer", "pr_a"], &[("", "\u{301}", "there is no word to look for")]),
    (
        &["sync", "http://127.0.0.1:1"],
        &[("--to", "mysql://a:hunter2@b/c", "jsonl:FOLDER or csv:FOLDER"), ("--to", "sqlite:", "sqlite:PATH")],
    ),
    (
        &["sync", "http://127.0.0.1:1", "--to", "sqlite:/nowhere"],
        &[
            ("--follow", "0", "a whole number from 1"),
            ("--follow", "soon", "a whole number from 1"),
            ("--full-every", "-1", "a whole number from 0"),
            ("--listen", "8080", "such as 127.0.0.1:8080"),
            ("--personal-data", "some", "one of keep, drop, hash"),
            ("--key-file", "/nowhere/key", "/nowhere/key"),
            ("--webhook-secret-file", "x", "--listen"),
        ],
    ),
    (&["completions"], &[("", "tcsh", "bash, elvish, fish")]),
    (
        &["event", "create", "--name", "E", "--currency", "EUR", "--producer", "pr_a"],
        &[
            ("--id", "a\nb", "an id has"),
            ("--timezone", "Europe/Madird", "there is no time zone Europe/Madird"),
            ("--timezone", "+01:00", "such as Europe/Madrid"),
            ("--time-zone", "Nicosia", "Asia/Nicosia, Europe/Nicosia; name one of them"),
            ("--starts-at", "31/12/2026", "a time such as 2027-01-01T21:00:00Z"),
            ("--ends-at", "2026-02-30", "a time such as 2027-01-01T21:00:00Z"),
            ("--status", "open", "one of draft, published, finished, cancelled"),
            ("--venue", "a\u{7}b", "control characters"),
            ("--description", "a\u{9b}b", "control characters"),
        ],
    ),
    (
        &["event", "create", "--name", "E", "--producer", "pr_a"],
        &[("--currency", "eur", "three capital letters"), ("--currency", "€", "three capital letters")],
    ),
    (
        &["event", "change", "ev", "--producer", "pr_a"],
        &[
            ("--name", "", "cannot be empty"),
            ("--timezone", "Europe/Madird", "there is no time zone"),
            ("--starts-at", "never", "a time such as"),
            ("--status", "PUBLISHED", "one of draft, published"),
        ],
    ),
    (
        &["ticket-type", "create", "--event", "ev", "--name", "T", "--producer", "pr_a"],
        &[("--price", "12.50", "without decimals"), ("--price", "-1", "from 0 to"), ("--price", "free", "from 0 to")],
    ),
    (
        &["ticket-type", "create", "--event", "ev", "--name", "T", "--price", "1", "--producer", "pr_a"],
        &[
            ("--currency", "euro", "three capital letters"),
            ("--category", "food", "one of ticket, merchandise"),
            ("--category", "bundle", "one of ticket, merchandise"),
            ("--include", "tt", "TYPE=QUANTITY is expected, such as tt_beer=2"),
            ("--include", "tt=two", "TYPE=QUANTITY is expected, such as tt_beer=2"),
            ("--include", "tt=0", "TYPE=QUANTITY is expected, such as tt_beer=2"),
            ("--include", "=1", "TYPE=QUANTITY is expected, such as tt_beer=2"),
            ("--status", "on", "one of active, hidden"),
            ("--limit", "many", "a whole number from 0 to"),
            ("--max-per-order", "-1", "a whole number from 0 to"),
            ("--expires-at", "tomorrow", "a time such as"),
            ("--sort-order", "first", "a whole number from -1000000000 to"),
            ("--sort-order", "9999999999", "a whole number from -1000000000 to"),
            ("--id", LONG, "an id has"),
        ],
    ),
    (
        &["ticket-type", "change", "tt", "--producer", "pr_a"],
        &[
            ("--price", "1,5", "without decimals"),
            ("--limit", "None", "a whole number from 0 to 1000000000 is expected, or none"),
            ("--expires-at", "None", "a time such as 2027-01-01T21:00:00Z is expected, or none"),
            ("--max-per-order", "x", "a whole number from 0 to"),
            ("--sort-order", "x", "a whole number from -1000000000 to"),
            ("--description", "\u{202e}evil", "control characters"),
        ],
    ),
    (
        &["order", "create", "--event", "ev", "--name", "Ana", "--producer", "pr_a"],
        &[
            ("--item", "tt", "TYPE=QUANTITY or TYPE=QUANTITY@PRICE is expected, such as tt_general=2@20"),
            ("--item", "tt=", "TYPE=QUANTITY or"),
            ("--item", "tt=1.5", "TYPE=QUANTITY or"),
            ("--item", "tt=0", "TYPE=QUANTITY or"),
            ("--item", "tt=1@", "TYPE=QUANTITY or"),
            ("--item", "tt=1@9.50", "whole units of the currency, without decimals"),
            ("--item", "=1", "TYPE=QUANTITY or"),
        ],
    ),
    (
        &["order", "create", "--event", "ev", "--item", "tt=1", "--producer", "pr_a"],
        &[("--name", "\u{1b}[2J", "control characters")],
    ),
    (
        &["order", "create", "--event", "ev", "--item", "tt=1", "--name", "Ana", "--producer", "pr_a"],
        &[
            ("--email", "a\u{1b}@example.com", "control characters"),
            ("--phone", "1\n2", "control characters"),
            ("--identity-document", "\u{85}", "control characters"),
        ],
    ),
    (&["ticket", "scan", "T1", "--producer", "pr_a"], &[("--station", "Gate\u{1b}[31m", "control characters")]),
    (
        &["door-link", "create", "--event", "ev", "--label", "L", "--public-url", "https://x", "--producer", "pr_a"],
        &[
            ("--pin", "12", "a PIN has 4 to 12 digits"),
            ("--station", "", "cannot be empty"),
            ("--category", "bundle", "ticket, merchandise"),
            ("--expires-at", "dawn", "a time such as"),
            ("--ticket-type", "", "an id has"),
        ],
    ),
    (
        &["door-link", "create", "--event", "ev", "--producer", "pr_a"],
        &[("--label", "\u{2066}L", "control characters")],
    ),
    (
        &["door-link", "log", "dl_a"],
        &[("--limit", "0", "a whole number from 1"), ("--limit", "x", "a whole number from 1")],
    ),
    (
        &["webhook", "create", "--kind", "ticket.scanned", "--producer", "pr_a"],
        &[
            ("--url", "nonsense", "write it out from https:// on"),
            ("--url", "https://", "write it out from https:// on"),
            ("--url", "https://a b/", "write it out from https:// on"),
            ("--url", "ftp://example.com/", "has to begin with https://"),
            ("--url", "http://example.com/", "https is required"),
            ("--url", "http://10.2.3.4:9000/", "--webhook-allow 10.2.3.4"),
            ("--url", "http://localhost:9000/", "--webhook-allow 127.0.0.1"),
            ("--url", "https://192.168.7.8/", "--webhook-allow 192.168.7.8"),
            ("--url", "https://[fd00::7]/", "--webhook-allow fd00::7"),
            ("--url", "https://localhost/", "localhost is the machine that the server runs on"),
            ("--url", "https://Receiver.LOCALHOST./", "--webhook-allow 127.0.0.1"),
        ],
    ),
    (
        &["webhook", "create", "--url", "https://example.com/", "--producer", "pr_a"],
        &[("--kind", "ticket.lost", "ticket.scanned")],
    ),
    (
        &["webhook", "update", "wh_a"],
        &[
            ("--url", "example.com", "write it out from https:// on"),
            ("--kind", "all", "ticket.scanned"),
            ("--personal-data", "maybe", "yes, no"),
        ],
    ),
    (
        &["webhook", "events", "wh_a"],
        &[
            ("--after", "-1", "a whole number from 0"),
            ("--after", "x", "a whole number from 0"),
            ("--limit", "0", "from 1"),
        ],
    ),
    (&["webhook", "log", "wh_a"], &[("--limit", "x", "a whole number from 1")]),
    (&["webhook", "replay", "wh_a"], &[("--since", "monday", "a time such as"), ("--event", "", "an id has")]),
    (
        &["webhook", "replay", "wh_a", "--since", "2026-02-01"],
        &[("--until", "2026-01-01", "--until is not after --since"), ("--until", "x", "a time such as")],
    ),
    (
        &["import", "--producer", "pr_a"],
        &[("", "/no/such/file", "cannot read /no/such/file"), ("", "/dev", "/dev is a folder")],
    ),
    (&["check"], &[("--database", "mysql://a:hunter2@b/c", "sqlite:PATH or postgres://")]),
    (
        &["backup"],
        &[
            ("", "", "<FILE>"),
            ("", "/dev", "/dev is a folder; name a file in it"),
            ("", "/dev/null", "is there already"),
        ],
    ),
    (&["backup", "/tmp/never.backup"], &[("--database", "mysql://a:hunter2@b/c", "sqlite:PATH or postgres://")]),
    (
        &["restore"],
        &[("", "", "<FILE>"), ("", "/no/such/file", "cannot read /no/such/file"), ("", "/dev", "/dev is a folder")],
    ),
    (
        &["restore", "/dev/null"],
        &[("--revoked", "/no/such/list", "cannot read /no/such/list"), ("--revoked", "/dev/null", "is no output of")],
    ),
    (&["after-restore"], &[("--taken-at", "yesterday", "a time such as 2027-01-01T21:00:00Z")]),
    (&["event", "change", "ev", "--producer", "pr_a"], &[("", "", "say what to change: --name, ")]),
    (&["webhook", "update", "wh_a"], &[("", "", "say what to change: --url, ")]),
];

async fn a_value_that_cannot_be_used_is_wrong_usage_and_says_what_is_expected(world: World) {
    let before = world.contents(&[]).await;
    let mut wrong = Vec::new();
    for (command, cases) in WRONG {
        for (flag, value, expected) in *cases {
            let given = [*flag, *value];
            let arguments: Vec<&str> = match given {
                ["", ""] => command.to_vec(),
                ["", value] => command.iter().copied().chain([value]).collect(),
                // In one word, because a value may begin with a dash.
                [flag, value] => {
                    let word: &'static str = Box::leak(format!("{flag}={value}").into_boxed_str());
                    command.iter().copied().chain([word]).collect()
                }
            };
            let mut command = taquilla(&world.address);
            for variable in ["TAQUILLA_LISTEN", "TAQUILLA_PUBLIC_URL", "TAQUILLA_WEBHOOK_ALLOW"] {
                command.env_remove(variable);
            }
            let output = command.args(&arguments).output().unwrap();
            let text = String::from_utf8(output.stderr).unwrap();
            // Help is wrapped to the width of the terminal.
            let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let names_the_flag = said.contains(&flag.replace("time-zone", "timezone"));
            let leak = LEAKS.iter().find(|leak| said.contains(**leak));
            if output.status.code() != Some(2) || !said.contains(expected) || !names_the_flag || leak.is_some() {
                wrong.push(format!("{arguments:?} {leak:?} {:?}: {said}", output.status.code()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(world.contents(&[]).await, before);
}
