//! What the scanner page shares with the server is generated from the server's code, so the two cannot differ.

use std::{fmt::Write as _, fs, path::Path};

use serde_json::json;
use taquilla_domain::{
    admit::{Outcome, Way, spellings},
    clock::Stamp,
    config::{CODE_HASH_BYTES, CODE_MAX, ID_MAX, INSIDE_NEAR_PERCENT, PIN_DIGITS, SCANS_MAX},
    door_link::LinkOption,
    lost_span::LostSpan,
    refusal::Refusal,
    status::TicketStatus,
};
use taquilla_door::codes::hash;
use taquilla_http::{codes::DOOR_CODES, errors::Error};

#[test]
fn the_page_has_the_outcomes_codes_and_limits_of_the_server() {
    is_committed("web/src/generated/contract.ts", &contract());
}

#[test]
fn the_page_is_tested_with_the_spellings_of_the_server() {
    is_committed("web/tests/unit/spellings.json", &spelling_cases());
}

/// Compares a generated file with the committed one, or writes it if `make contract` asks for that.
fn is_committed(name: &str, generated: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("TAQUILLA_WRITE_CONTRACT").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, generated).unwrap();
    }
    let committed = fs::read_to_string(path).unwrap_or_default();
    assert!(committed == generated, "{name} is not what the code says: run `make contract` and look at the difference");
}

fn contract() -> String {
    let outcomes: Vec<&str> = Outcome::ALL.iter().map(|outcome| outcome.as_str()).collect();
    let mut listed: Vec<&str> = Vec::new();
    for (way, may_reenter) in [(Way::In, true), (Way::Out, true), (Way::Out, false)] {
        let new = TicketStatus::ALL.iter().map(|status| Outcome::of(*status, way, false, may_reenter).as_str());
        listed.extend(new.filter(|name| !listed.contains(name)).collect::<Vec<_>>());
    }
    let about_the_pin = [Error::PinRequired, Error::WrongPin].map(name_of);
    let about_the_link = [&[name_of(Error::InvalidDoorLink)], &about_the_pin[..]].concat();
    let about_a_scan = [
        Error::Refused(Refusal::invalid("code", "cannot be read")),
        Error::ScanIdReused,
        Error::BodyTooLarge { max_kb: 0 },
    ]
    .map(name_of);
    let about_a_guest = [
        Error::NotAllowedByLink(LinkOption::ByName),
        Error::NotFound("guest"),
        Error::Refused(Refusal::invalid("text", "too short")),
        Error::ScanIdReused,
    ]
    .map(name_of);
    let about_an_undo = [
        Error::NotAllowedByLink(LinkOption::Undo),
        Error::Refused(Refusal::NotFound("entry")),
        Error::Refused(Refusal::TicketIs(TicketStatus::Valid)),
        Error::Refused(Refusal::TicketIs(TicketStatus::Cancelled)),
        Error::Refused(Refusal::TicketIs(TicketStatus::Refunded)),
        Error::Refused(Refusal::ChangedMeanwhile),
        Error::ScanIdReused,
    ]
    .map(name_of);
    let about_a_cursor = [Error::InvalidCursor].map(name_of);
    let moment = Stamp::from_micros(0);
    let span = LostSpan { after: moment, until: moment, restored_at: moment };
    let about_a_mark = [Error::MarkLost { param: "updated_after", span }].map(name_of);
    let unknown = Error::UnknownParameter { param: "station".into(), detail: String::new() };
    let about_a_parameter = [Error::invalid("station", ""), unknown].map(name_of);
    for code in DOOR_CODES {
        let told = [&about_the_link[..], &about_a_scan, &about_an_undo];
        let is_told = told.iter().any(|codes| codes.contains(&code.name));
        assert!(is_told, "the page does not know whether {} is about the link or about a scan", code.name);
    }

    let mut file = String::from(
        "// What the page and the server must agree on.\n\
         // `make contract` writes this file from the server's code: change it there.\n",
    );
    names(&mut file, "OUTCOMES", "Outcome", "What became of an attempt to enter.", &outcomes);
    let options: Vec<&str> = LinkOption::ALL.iter().map(|option| option.as_str()).collect();
    names(
        &mut file,
        "LINK_OPTIONS",
        "LinkOption",
        "What a link may do besides scanning, if its maker allowed it.",
        &options,
    );
    names(&mut file, "LISTED_OUTCOMES", "ListedOutcome", "What a scan of a listed ticket may get.", &listed);
    codes(&mut file, "ABOUT_THE_LINK", "Error codes that turn down the link, whatever was asked.", &about_the_link);
    codes(&mut file, "ABOUT_THE_PIN", "Those of them that the PIN helps against.", &about_the_pin);
    codes(&mut file, "ABOUT_A_SCAN", "Error codes that turn down what was scanned.", &about_a_scan);
    codes(
        &mut file,
        "ABOUT_A_GUEST",
        "Error codes that turn down the finding of guests, and their entry without a code.",
        &about_a_guest,
    );
    codes(&mut file, "ABOUT_AN_UNDO", "Error codes that turn down the taking back of an entry.", &about_an_undo);
    codes(
        &mut file,
        "ABOUT_A_CURSOR",
        "Error codes that turn down where a walk through the list was to go on.",
        &about_a_cursor,
    );
    codes(
        &mut file,
        "ABOUT_A_MARK",
        "Error codes that turn down the mark of a list: what it was made from is gone.",
        &about_a_mark,
    );
    codes(&mut file, "ABOUT_A_PARAMETER", "Error codes that turn down a parameter of a call.", &about_a_parameter);
    number(&mut file, "CODE_MAX_BYTES", "The longest code that is taken.", CODE_MAX);
    number(&mut file, "CODE_HASH_BYTES", "How much of a code's hash is on the offline list.", CODE_HASH_BYTES);
    number(&mut file, "ID_MAX_CHARACTERS", "The longest id that a ticket may have.", ID_MAX);
    number(&mut file, "PIN_MAX_DIGITS", "The longest PIN.", *PIN_DIGITS.end());
    number(&mut file, "SCANS_MAX", "The most scans in one upload.", SCANS_MAX);
    let near = usize::try_from(INSIDE_NEAR_PERCENT).unwrap();
    number(&mut file, "INSIDE_NEAR_PERCENT", "From how many of a hundred that may be inside on the page warns.", near);
    file
}

fn name_of(error: Error) -> &'static str {
    error.code().name
}

/// A list of texts, and a TypeScript type of these texts.
fn names(file: &mut String, name: &str, one: &str, meaning: &str, texts: &[&str]) {
    let texts = lines(texts);
    write!(file, "\n/** {meaning} */\nexport const {name} = [\n{texts}] as const;\n").unwrap();
    writeln!(file, "export type {one} = (typeof {name})[number];").unwrap();
}

/// A list in which any text may be looked up.
fn codes(file: &mut String, name: &str, meaning: &str, texts: &[&str]) {
    let texts = lines(texts);
    write!(file, "\n/** {meaning} */\nexport const {name}: readonly string[] = [\n{texts}];\n").unwrap();
}

fn lines(texts: &[&str]) -> String {
    texts.iter().map(|text| format!("  '{text}',\n")).collect()
}

fn number(file: &mut String, name: &str, meaning: &str, value: usize) {
    write!(file, "\n/** {meaning} */\nexport const {name} = {value};\n").unwrap();
}

/// Codes as they may be shown, each with the ticket ids that it may mean and their hashes on the offline list.
fn spelling_cases() -> String {
    let longest = "x".repeat(ID_MAX);
    let too_long = "x".repeat(ID_MAX + 1);
    // Each of these is one character, and two units in JavaScript's strings.
    let longest_of_wide = "\u{1f3ab}".repeat(ID_MAX);
    let too_long_of_wide = "\u{1f3ab}".repeat(ID_MAX + 1);
    let shown = [
        "6XW3NVE8Z0M4QK1T9B7YH2RCDP",
        "6xw3nve8z0m4qk1t9b7yh2rcdp",
        "VIP/2024 nº 7",
        // Letters whose capital is several letters, belongs to another alphabet, or is outside ASCII.
        "straße-7",
        "ısık-7",
        "İSTANBUL-i",
        "señor-ñ",
        "ﬁn-7",
        "\u{10428}-a",
        "",
        " ",
        "a\u{0}b",
        "a\tb",
        "a\u{7f}b",
        "a\u{85}b",
        "a\u{ad}b",
        &longest,
        &too_long,
        &longest_of_wide,
        &too_long_of_wide,
    ];
    let salt = "salt-of-a-link";
    let stands_for = |code: String| json!({"hash": hash(salt, &code), "code": code});
    let cases: Vec<_> = shown
        .iter()
        .map(|shown| json!({"shown": shown, "stands_for": spellings(shown).map(stands_for).collect::<Vec<_>>()}))
        .collect();
    in_ascii(&serde_json::to_string_pretty(&json!({"salt": salt, "cases": cases})).unwrap()) + "\n"
}

/// JSON with escapes for all letters outside ASCII, so that similar and invisible ones can be told apart.
fn in_ascii(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            ' '..='~' | '\n' => text.push(letter),
            _ => letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| write!(text, "\\u{unit:04x}").unwrap()),
        }
    }
    text
}
