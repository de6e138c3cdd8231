//! The figures of a door as one kind of reader sees them.

use std::collections::HashMap;

use askama::Template;

use taquilla_domain::{
    admit::Outcome,
    clock::Stamp,
    config::{INSIDE_NEAR_PERCENT, LIVE_MINUTES},
    personal::{Personal, Sees},
    status::Category,
};
use taquilla_pages::{
    address::in_path,
    formats::{Dates, ShownTime},
    texts::{Language, Texts},
};
use taquilla_store::{door::inside::Zone, tickets::entered::Entry};

use super::figures::{Figures, Refusal};
use crate::list_place;

/// What figures look like depends on these alone, so they are written once for all readers who are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reader {
    /// The language.
    pub language: Language,
    /// Whether the reader sees names.
    pub sees: Sees,
    /// Whether the reader may open lists of tickets.
    pub opens_tickets: bool,
    /// Whether the reader looks after the door, and may take entries back.
    pub manages: bool,
    /// Whether they are for a big screen.
    pub on_screen: bool,
}

/// The figures for one kind of reader.
pub struct View<'a> {
    /// The words.
    pub t: Texts,
    /// The figures.
    pub figures: &'a Figures,
    /// Who reads them.
    pub reader: Reader,
    /// The address of the producer's overview, with which those of its other pages begin.
    pub producer: &'a str,
    dates: Dates,
}

/// A row of a table with those who have entered and those who have not.
pub struct StandingRow {
    /// What it is about.
    pub name: String,
    /// Have entered.
    pub entered: i64,
    /// May still come.
    pub to_come: i64,
}

/// A minute of the chart.
pub struct Minute {
    /// When it began, in seconds.
    pub seconds: i64,
    /// The time on a clock there.
    pub clock: String,
    /// People who entered.
    pub people: i64,
    /// What else was taken, such as drinks.
    pub other: i64,
}

impl<'a> View<'a> {
    /// The figures for this reader.
    pub fn new(figures: &'a Figures, reader: Reader, producer: &'a str) -> Self {
        let dates = Dates::new(reader.language, &figures.night.time_zone, figures.now);
        Self { t: Texts(reader.language), figures, reader, producer, dates }
    }

    /// A text.
    pub fn text(&self, key: &str) -> String {
        self.t.text(key)
    }

    fn sum(&self, name: String, of: impl Fn(Category) -> bool) -> StandingRow {
        let counted = self.figures.types.iter().filter(|counted| of(counted.category));
        counted.fold(StandingRow { name, entered: 0, to_come: 0 }, |row, counted| StandingRow {
            entered: row.entered + counted.entered,
            to_come: row.to_come + counted.to_come,
            ..row
        })
    }

    /// People: what has the category of tickets. At an event that sells nothing else it is everything.
    pub fn people(&self) -> StandingRow {
        self.sum(String::new(), |category| category == Category::Ticket)
    }

    /// Each category, and all together where there are several.
    pub fn categories(&self) -> Vec<StandingRow> {
        let there: Vec<&Category> =
            Category::ALL.iter().filter(|kind| self.figures.types.iter().any(|of| of.category == **kind)).collect();
        let mut rows: Vec<StandingRow> =
            there.iter().map(|kind| self.sum(self.text(category_key(**kind)), |category| category == **kind)).collect();
        if rows.len() > 1 {
            rows.push(self.sum(self.text("door-all"), |_| true));
        }
        rows
    }

    /// How much of a hundred has entered.
    pub fn percent(&self, row: &StandingRow) -> i64 {
        match row.entered + row.to_come {
            0 => 0,
            all => row.entered * 100 / all,
        }
    }

    /// Whether anything but people is counted.
    pub fn has_other(&self) -> bool {
        self.figures.types.iter().any(|of| of.category != Category::Ticket)
    }

    /// Every minute of the chart, also those in which nobody entered.
    pub fn minutes(&self) -> Vec<Minute> {
        let Some((first, last)) = self.figures.span else { return Vec::new() };
        let mut counts: HashMap<Stamp, (i64, i64)> = HashMap::new();
        for (minute, category, entered) in &self.figures.minutes {
            let (people, other) = counts.entry(*minute).or_default();
            *if *category == Category::Ticket { people } else { other } += entered;
        }
        const MINUTE: i64 = 60_000_000;
        let count = ((last.micros() - first.micros()) / MINUTE + 1).min(LIVE_MINUTES);
        let minute = |at: i64| {
            let stamp = Stamp::from_micros(first.micros() + at * MINUTE);
            let (people, other) = counts.get(&stamp).copied().unwrap_or_default();
            Minute { seconds: stamp.micros() / 1_000_000, clock: self.dates.clock(&stamp), people, other }
        };
        (0..count).map(minute).collect()
    }

    /// People who entered in the last five minutes, with the one that has begun.
    pub fn lately(&self) -> i64 {
        let since = self.figures.now.minute().minus(std::time::Duration::from_secs(4 * 60));
        let lately = self.figures.minutes.iter().filter(|(at, kind, _)| *at >= since && *kind == Category::Ticket);
        lately.map(|(.., entered)| entered).sum()
    }

    /// Scans that admitted nobody, and conflicts, through all links on the page.
    pub fn refused(&self) -> (i64, i64) {
        let links = &self.figures.links;
        (links.iter().map(|link| link.refused).sum(), links.iter().map(|link| link.conflicts).sum())
    }

    /// People who entered at no station that is known.
    pub fn at_no_station(&self) -> i64 {
        let all = self.sum(String::new(), |_| true).entered;
        all - self.figures.stations.iter().map(|(_, entered)| entered).sum::<i64>()
    }

    /// A name, for those who may see it.
    pub fn name(&self, name: &Personal<String>) -> String {
        let seen = name.clone().seen_by(self.reader.sees);
        if seen.is_empty() { "–".to_owned() } else { seen }
    }

    /// Why somebody was refused.
    pub fn why(&self, refusal: &Refusal) -> String {
        self.text(&outcome_key(refusal.outcome))
    }

    /// The time on a clock there, with the date where it is not today's.
    pub fn time(&self, at: &Stamp) -> ShownTime {
        self.dates.to_the_second(at)
    }

    /// The address of the tickets behind a figure, for those who may open it.
    pub fn tickets(&self, status: &str) -> Option<String> {
        let event = in_path(&self.figures.night.event_id);
        self.reader.opens_tickets.then(|| format!("{}/tickets?event={event}&status={status}", self.producer))
    }

    /// The address of the page that takes an entry back, for those who may.
    pub fn undo(&self, entry: &Entry) -> Option<String> {
        let (event, id) = (in_path(&self.figures.night.event_id), list_place::written(entry.place));
        self.reader.manages.then(|| format!("{}/door/{event}/entries/{id}/undo", self.producer))
    }

    /// The people inside, by zone, with the whole event first. Empty where it would say no more than how many entered.
    pub fn inside(&self) -> &[Zone] {
        let zones = self.figures.inside.as_slice();
        let tells = |zone: &Zone| !zone.name.is_empty() || zone.limit.is_some() || zone.people != self.people().entered;
        if zones.iter().any(tells) { zones } else { &[] }
    }

    /// How a zone stands to its limit: a badge's class and the key of its text.
    pub fn fullness(&self, zone: &Zone) -> Option<(&'static str, &'static str)> {
        let limit = zone.limit?;
        Some(match zone.people {
            people if people > limit => ("bad", "door-inside-over"),
            people if people * 100 >= limit * INSIDE_NEAR_PERCENT => ("warn", "door-inside-near"),
            _ => ("good", "door-inside-ok"),
        })
    }

    /// What is read out to those who do not see the page.
    pub fn said(&self) -> String {
        let people = self.people();
        self.t.with_two("door-said", [("entered", people.entered.into()), ("to_come", people.to_come.into())])
    }
}

/// The key of a category's name.
pub fn category_key(category: Category) -> &'static str {
    match category {
        Category::Ticket => "door-category-ticket",
        Category::Merchandise => "door-category-merchandise",
        Category::Bundle => "door-category-bundle",
    }
}

/// The key of the text that says why a scan admitted nobody.
pub fn outcome_key(outcome: Outcome) -> String {
    format!("door-outcome-{}", outcome.as_str().replace('_', "-"))
}

/// The part of a live page that changes.
#[derive(Template)]
#[template(path = "door_figures.html")]
pub struct Part<'a> {
    /// The figures.
    pub v: View<'a>,
}

/// The part of a big screen that changes.
#[derive(Template)]
#[template(path = "door_screen_figures.html")]
pub struct ScreenPart<'a> {
    /// The figures.
    pub v: View<'a>,
}

impl View<'_> {
    /// The part of the page that changes, as HTML.
    pub fn write(self) -> Result<String, askama::Error> {
        match self.reader.on_screen {
            true => ScreenPart { v: self }.render(),
            false => Part { v: self }.render(),
        }
    }
}
