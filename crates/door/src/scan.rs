//! Scanning: one code, or an upload of the scans that a phone kept while it was offline.

use std::{fmt, num::NonZeroU32};

use axum::{extract::State, http::StatusCode, response::Response};
use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};
use serde_json::Value;
use utoipa::ToSchema;

use taquilla_domain::{
    clock::Stamp,
    config::{CODE_MAX, DOOR_BODY_MAX, SCANS_MAX},
    door_link::{DoorLink, LinkOption},
    id,
    refusal::Refusal,
    text::Name,
};
use taquilla_http::{
    app::App,
    body::{JsonBody, answer_json},
    errors::Error,
    rate::{Pace, Source},
    schema::{Code, Id, Station},
};
use taquilla_rules::boxoffice::{self, Admission, Door, Request, Scan};
use taquilla_wire::door::{ScanAnswer, ScanError, UndecidedScan};

use super::access::{DoorKeeper, LinkHolder};

/// The scans that a phone kept.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Upload)]
struct UploadBody {
    /// The scans, in their order.
    #[schema(value_type = Vec<SentScan>, max_items = 100)]
    scans: Upload,
}

const _: () = assert!(SCANS_MAX == 100, "the number in the attribute above");

/// The scans of an upload. Each is parsed later by itself, so that one that cannot be parsed does not hold up the
/// others.
struct Upload(Vec<Value>);

impl<'de> Deserialize<'de> for Upload {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_seq(UploadVisitor)
    }
}

struct UploadVisitor;

impl<'de> Visitor<'de> for UploadVisitor {
    type Value = Upload;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {SCANS_MAX} scans")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut given: A) -> Result<Upload, A::Error> {
        let mut scans = Vec::new();
        while let Some(scan) = given.next_element()? {
            if scans.len() == SCANS_MAX {
                return Err(serde::de::Error::invalid_length(SCANS_MAX + 1, &self));
            }
            scans.push(scan);
        }
        Ok(Upload(scans))
    }
}

/// The answers to an upload.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the answers are JSON already when they are put together; this is its documentation")]
struct UploadAnswer {
    /// For each scan, in the order of the upload, its answer or why it was not decided.
    results: Vec<UploadResult>,
}

/// The answer to a scan of an upload.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "as the answers")]
enum UploadResult {
    Decided(ScanAnswer<'static>),
    Undecided(UndecidedScan<'static>),
}

/// A scan.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Scan)]
struct SentScan {
    /// What was scanned. Spaces around it do not count.
    #[schema(value_type = Code, example = "6XW3NVE8Z0M4QK1T9B7YH2RCDP")]
    code: String,
    /// A new random one for each scan, and the same when a scan is sent again.
    #[schema(value_type = Id, example = "0d0c6e0e-7f9c-4fef-91a0-2b1c3d4e5f60")]
    scan_id: String,
    /// Where it was scanned. Without it, it is the link's only station, or the link's label.
    #[schema(value_type = Option<Station>, example = "Gate 1")]
    station: Option<String>,
    /// When it was scanned, by the device's own clock.
    #[schema(format = DateTime)]
    scanned_at: Option<String>,
    /// Whether the phone refused the code by itself.
    #[serde(default)]
    turned_away: bool,
}

/// Scan a code
///
/// Decides whether its holder may enter here, and logs the scan. A repeated `scan_id` gets the same answer.
#[utoipa::path(post, path = "/door/v1/scan", tag = "Scans", security(("link" = [])),
    request_body(content = SentScan, description = "The scan."),
    responses((status = 200, description = "What was decided.", body = ScanAnswer<'static>)))]
pub async fn scan(
    State(app): State<App>,
    DoorKeeper(LinkHolder { tenant, link, .. }): DoorKeeper,
    body: JsonBody<DOOR_BODY_MAX>,
) -> Result<Response, Error> {
    let scan = read(body.read()?, &link, false)?;
    is_of_link(&scan.station, &link)?;
    match app.queue.ask(tenant, Request::admit(vec![scan])).await?.pop() {
        Some(Admission::Decided(_, json)) => Ok(answer_json(StatusCode::OK, json)),
        Some(Admission::Reused) => Err(Error::ScanIdReused),
        None => Err(Error::Internal("a scan was not answered".into())),
    }
}

/// Look what a scan would get
///
/// Answers as a scan would be answered now, and writes nothing: for a station that asks its staff before an entry counts. It needs
/// a link with the option `confirm`. The entry counts with the scan that follows, which may have another outcome.
#[utoipa::path(post, path = "/door/v1/look", tag = "Scans", security(("link" = [])),
    request_body(content = SentScan, description = "The scan that would follow."),
    responses((status = 200, description = "What would be decided.", body = ScanAnswer<'static>)))]
pub async fn look(
    State(app): State<App>,
    DoorKeeper(holder): DoorKeeper,
    body: JsonBody<DOOR_BODY_MAX>,
) -> Result<Response, Error> {
    holder.may(LinkOption::Confirm)?;
    let scan = read(body.read()?, &holder.link, false)?;
    is_of_link(&scan.station, &holder.link)?;
    let mut conn = app.store.read_of(holder.tenant).await?;
    let json = boxoffice::look(&mut conn, holder.tenant, &scan, app.time.now()).await?;
    Ok(answer_json(StatusCode::OK, json))
}

/// Upload kept scans
///
/// Decides the scans that a phone kept while it was offline, in their order. Each gets an answer: one that cannot be
/// parsed does not hold up the others. Any station is accepted, because the phone may upload scans through another link
/// than the one they were made with.
#[utoipa::path(post, path = "/door/v1/scans", tag = "Scans", security(("link" = [])),
    request_body(content = UploadBody, description = "The scans."),
    responses((status = 200, description = "The answers.", body = UploadAnswer)))]
pub async fn scan_kept(
    State(app): State<App>,
    DoorKeeper(LinkHolder { tenant, link, address, .. }): DoorKeeper,
    body: JsonBody<DOOR_BODY_MAX>,
) -> Result<Response, Error> {
    let UploadBody { scans: Upload(scans) } = body.read()?;
    if let Ok(count) = NonZeroU32::try_from(scans.len() as u32) {
        app.limits.count_many(Pace::DoorCalls, &Source::both(&link.id, address), count)?;
    }

    let mut results: Vec<Result<(), String>> = Vec::with_capacity(scans.len());
    let mut readable = Vec::with_capacity(scans.len());
    for scan in scans {
        let scan_id = scan["scan_id"].clone();
        let kept: Result<SentScan, Error> =
            serde_json::from_value(scan).map_err(|cause| Error::Refused(Refusal::invalid("scans", cause.to_string())));
        results.push(match kept.and_then(|kept| read(kept, &link, true)) {
            Ok(scan) => {
                readable.push(scan);
                Ok(())
            }
            Err(error) => Err(refused(&scan_id, &error)?),
        });
    }
    let ids: Vec<String> = readable.iter().map(|scan| scan.scan_id.clone()).collect();
    let admissions = app.queue.ask(tenant, Request::admit(readable)).await?;
    let mut admissions = admissions.into_iter().zip(ids);
    let mut json = String::from("{\"results\":[");
    for (at, result) in results.into_iter().enumerate() {
        if at > 0 {
            json.push(',');
        }
        json += &match result {
            Err(refused) => refused,
            Ok(()) => match admissions.next() {
                Some((Admission::Decided(_, answer), _)) => answer,
                Some((Admission::Reused, id)) => refused(&Value::from(id), &Error::ScanIdReused)?,
                None => return Err(Error::Internal("a scan was not answered".into())),
            },
        };
    }
    json += "]}";
    Ok(answer_json(StatusCode::OK, json))
}

/// The answer to a scan that was not decided.
fn refused(scan_id: &Value, error: &Error) -> Result<String, Error> {
    let undecided = UndecidedScan { scan_id, error: ScanError { code: error.code().name, detail: &error.detail() } };
    serde_json::to_string(&undecided)
        .map_err(|cause| Error::Internal(format!("an answer could not be written: {cause}")))
}

/// Checks a scan field by field. `kept` tells whether the device has decided it already.
fn read(sent: SentScan, link: &DoorLink, kept: bool) -> Result<Scan, Error> {
    let invalid = |field: &str, message: String| Error::Refused(Refusal::invalid(field, message));
    // Scanners and people add spaces and line breaks.
    let code = sent.code.trim();
    if code.is_empty() {
        return Err(invalid("code", "there is nothing in it".into()));
    }
    if code.len() > CODE_MAX {
        return Err(invalid("code", format!("no code has more than {CODE_MAX} bytes")));
    }
    if !id::is_plausible(&sent.scan_id) {
        return Err(invalid("scan_id", id::FORM.into()));
    }
    let scanned_at = match &sent.scanned_at {
        Some(text) => {
            let stamp = Stamp::parse(text);
            Some(stamp.ok_or_else(|| invalid("scanned_at", "a time such as 2026-09-05T22:41:07Z is expected".into()))?)
        }
        None => None,
    };
    Ok(Scan {
        scan_id: sent.scan_id,
        code: code.to_owned(),
        station: station(sent.station, link)?,
        scanned_at,
        turned_away: sent.turned_away,
        kept,
        door: door_of(link),
    })
}

/// The door that a link opens.
pub fn door_of(link: &DoorLink) -> Door {
    Door {
        link_id: Some(link.id.clone()),
        events: link.events().map(str::to_owned).collect(),
        scope: link.scope.clone(),
        way: link.options.way(),
        zone: link.zone.clone(),
        is_public: link.options.allow(LinkOption::Kiosk),
    }
}

/// The station of what somebody does with a link now, which must be one of the link's.
pub fn station_here(given: Option<String>, link: &DoorLink) -> Result<String, Error> {
    let station = station(given, link)?;
    is_of_link(&station, link)?;
    Ok(station)
}

/// Refuses a station that a link is not for.
fn is_of_link(station: &str, link: &DoorLink) -> Result<(), Error> {
    if link.stations.is_empty() || link.stations.iter().any(|own| own == station) || station == link.label {
        return Ok(());
    }
    let message = format!("this link is for {}", link.stations.join(", "));
    Err(Refusal::invalid("station", message).into())
}

/// The station of a scan: the one that the device names, else the link's only station, else the link's label.
fn station(given: Option<String>, link: &DoorLink) -> Result<String, Error> {
    let given = given.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    match (given, link.stations.as_slice()) {
        (Some(given), _) => match Name::parse(&given) {
            Ok(name) => Ok(name.into()),
            Err(invalid) => Err(invalid.in_field("station").into()),
        },
        (None, [only]) => Ok(only.clone()),
        (None, _) => Ok(link.label.clone()),
    }
}
