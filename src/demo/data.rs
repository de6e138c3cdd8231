//! A believable producer, made from a seed: the same every time, except for dates, which depend on the present.

use std::{fmt::Write as _, time::Duration};

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use ulid::Ulid;

use taquilla_domain::clock::Stamp;

use super::people;

/// The demo producer's id.
pub const PRODUCER_ID: &str = "pr_demo";
/// The demo producer's name.
pub const PRODUCER_NAME: &str = "Sala Aurora";
/// The demo producer's time zone.
pub const TIME_ZONE: &str = "Europe/Madrid";
/// The demo producer's currency.
pub const CURRENCY: &str = "EUR";
/// The event with the most to look at: it is on tonight.
pub const TONIGHT_ID: &str = "ev_tonight";

const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;

/// How long a night lasts, from the doors opening.
const NIGHT_LASTS: u64 = 7 * HOUR;

/// An event of the demo and its sales.
struct Night<'a> {
    id: &'a str,
    name: &'static str,
    description: &'static str,
    status: &'static str,
    /// Seconds from now to the doors opening; negative is past.
    opens_in: i64,
    orders: usize,
    /// The percentage of tickets that have entered, of those that could have by now.
    turnout: u32,
    /// Whether it has an item that only those find who have its link.
    has_hidden: bool,
}

const NIGHTS: &[Night<'static>] = &[
    Night {
        id: "ev_harvest",
        name: "Harvest Night",
        description: "Three stages, one courtyard, until the sun comes up.",
        status: "finished",
        opens_in: -21 * DAY as i64,
        orders: 1_100,
        turnout: 88,
        has_hidden: false,
    },
    Night {
        id: TONIGHT_ID,
        name: "Tonight: Aurora Live",
        description: "The house band and two guests. Doors are open.",
        status: "published",
        opens_in: -2 * HOUR as i64,
        orders: 700,
        turnout: 55,
        has_hidden: false,
    },
    Night {
        id: "ev_winter",
        name: "Winter Opening",
        description: "The first night of the new season.",
        status: "published",
        opens_in: 12 * DAY as i64,
        orders: 350,
        turnout: 0,
        has_hidden: false,
    },
    Night {
        id: "ev_new_year",
        name: "New Year's Eve",
        description: "Still being planned.",
        status: "draft",
        opens_in: 45 * DAY as i64,
        orders: 0,
        turnout: 0,
        has_hidden: false,
    },
];

/// Made after [`NIGHTS`], whose people and ids are in the documents and stay the same.
const MORE_NIGHTS: &[Night<'static>] = &[
    Night {
        id: "ev_matinee",
        name: "Sunday Matinée",
        description: "Acoustic, seated, and over in time for dinner.",
        status: "published",
        opens_in: 6 * DAY as i64,
        orders: 120,
        turnout: 0,
        has_hidden: true,
    },
    Night {
        id: "ev_rooftop",
        name: "Rooftop Session",
        description: "Called off: the roof is being mended.",
        status: "cancelled",
        opens_in: 4 * DAY as i64,
        orders: 40,
        turnout: 0,
        has_hidden: false,
    },
];

/// The demo's data as an import file.
pub fn data(seed: u64, now: Stamp) -> String {
    let mut maker = Maker { rng: StdRng::seed_from_u64(seed), now, lines: String::new() };
    for night in NIGHTS {
        maker.night(night);
    }
    maker.old_season();
    for night in MORE_NIGHTS {
        maker.night(night);
    }
    maker.lines
}

/// One more night, whose doors have just opened, as an import file.
pub fn another_night(seed: u64, id: &str, now: Stamp) -> String {
    let mut maker = Maker { rng: StdRng::seed_from_u64(seed), now, lines: String::new() };
    maker.night(&Night {
        id,
        name: "Tonight: Aurora Live",
        description: "The house band and two guests. Doors are open.",
        status: "published",
        opens_in: -(HOUR as i64) / 2,
        orders: 250,
        turnout: 15,
        has_hidden: false,
    });
    maker.lines
}

/// An item for sale: its id, its price, and the single items that a unit becomes.
struct Offer {
    id: String,
    kind: &'static str,
    name: &'static str,
    price: i64,
    /// How often it is chosen, relative to the others.
    weight: u32,
    /// Suffixes of the ids of the single items that one unit becomes.
    units: Vec<&'static str>,
}

struct Maker {
    rng: StdRng,
    now: Stamp,
    lines: String,
}

impl Maker {
    fn push(&mut self, line: &Value) {
        // Writing to a string cannot fail.
        let _infallible = writeln!(self.lines, "{line}");
    }

    fn night(&mut self, night: &Night<'_>) {
        let opens = Stamp::from_micros(self.now.micros() + night.opens_in * 1_000_000);
        self.push(&json!({
            "kind": "event", "id": night.id, "name": night.name, "description": night.description,
            "venue": "Sala Aurora, Calle del Sol 12", "timezone": TIME_ZONE, "currency": CURRENCY,
            "status": night.status, "starts_at": opens.to_string(),
            "ends_at": opens.plus(Duration::from_secs(NIGHT_LASTS)).to_string(),
            "created_at": self.ago(opens, 70 * DAY).to_string(),
        }));
        let offers = self.offers(night);
        for number in 0..night.orders {
            self.order(night, &offers, opens, number);
        }
    }

    fn offers(&mut self, night: &Night<'_>) -> Vec<Offer> {
        let id = |suffix: &str| format!("tt_{}_{suffix}", &night.id[3..]);
        let singles = [
            ("general", "General", "ticket", 25, Some(2_500), 60),
            ("vip", "VIP balcony", "ticket", 60, Some(300), 12),
            ("guest", "Guest list", "ticket", 0, None, 6),
            ("beer", "Beer", "merchandise", 4, None, 14),
            ("cocktail", "Cocktail", "merchandise", 9, None, 8),
        ];
        let mut offers = Vec::new();
        for (order, (suffix, name, category, price, limit, weight)) in singles.into_iter().enumerate() {
            self.push(&json!({
                "kind": "ticket_type", "id": id(suffix), "event_id": night.id, "category": category, "name": name,
                "price": price, "currency": CURRENCY, "limit": limit, "sort_order": order + 1, "max_per_order": 8,
                "status": if suffix == "guest" { "exclusive" } else { "active" },
            }));
            offers.push(Offer { id: id(suffix), kind: "ticket_type", name, price, weight, units: vec![suffix] });
        }
        self.push(&json!({
            "kind": "ticket_type", "id": id("early"), "event_id": night.id, "name": "Early bird", "price": 18,
            "currency": CURRENCY, "limit": 150, "sort_order": 0, "status": "inactive", "deleted": true,
        }));
        offers.push(Offer {
            id: id("early"),
            kind: "ticket_type",
            name: "Early bird",
            price: 18,
            weight: 2,
            units: vec!["early"],
        });
        self.push(&json!({
            "kind": "bundle", "id": id("pack"), "event_id": night.id, "name": "Night pack",
            "description": "One entrance and two beers.", "price": 30, "currency": CURRENCY, "limit": 400,
            "sort_order": 9, "max_per_order": 4,
            "includes": [{"ticket_type_id": id("general"), "quantity": 1}, {"ticket_type_id": id("beer"), "quantity": 2}],
        }));
        if night.has_hidden {
            self.push(&json!({
                "kind": "ticket_type", "id": id("friends"), "event_id": night.id, "name": "Friends of the house",
                "description": "For those who got the link.", "price": 10, "currency": CURRENCY, "limit": 40,
                "sort_order": 8, "max_per_order": 2, "status": "hidden",
            }));
        }
        offers.push(Offer {
            id: id("pack"),
            kind: "bundle",
            name: "Night pack",
            price: 30,
            weight: 16,
            units: vec!["general", "beer", "beer"],
        });
        offers
    }

    fn order(&mut self, night: &Night<'_>, offers: &[Offer], opens: Stamp, number: usize) {
        let id = format!("or_{}_{:04}", &night.id[3..], number + 1);
        let sold_at = self.sold_at(opens);
        let buyer = self.person();
        let status = match self.rng.random_range(0..100) {
            0..3 => "refunded",
            3..5 => "pending",
            5..8 => "rejected",
            _ => "approved",
        };
        let coupon = self.rng.random_ratio(1, 12);
        let mut items = Vec::new();
        let mut tickets = Vec::new();
        let mut chosen: Vec<&Offer> = Vec::new();
        for _ in 0..self.rng.random_range(1..=2) {
            if let Ok(offer) = offers.choose_weighted(&mut self.rng, |offer| offer.weight)
                && !chosen.iter().any(|earlier| earlier.id == offer.id)
            {
                chosen.push(offer);
            }
        }
        for offer in chosen {
            let quantity = *[1, 1, 1, 2, 2, 3].choose(&mut self.rng).unwrap_or(&1);
            let unit_price = if coupon { offer.price * 8 / 10 } else { offer.price };
            items.push(json!({
                "ticket_type_id": offer.id, "kind": offer.kind, "name": offer.name, "quantity": quantity,
                "list_price": offer.price, "unit_price": unit_price,
            }));
            for unit in 0..quantity {
                for suffix in &offer.units {
                    let bundle = (offer.kind == "bundle").then(|| (offer.id.clone(), format!("{number}-{unit}")));
                    tickets.push((format!("tt_{}_{suffix}", &night.id[3..]), bundle));
                }
            }
        }
        self.push(&json!({
            "kind": "order", "id": id, "event_id": night.id, "status": status, "buyer": buyer, "items": items,
            "currency": CURRENCY, "created_at": sold_at.to_string(),
        }));
        if matches!(status, "approved" | "refunded") {
            for (ticket_type, bundle) in tickets {
                self.ticket(night, opens, sold_at, &id, &ticket_type, bundle, status == "refunded");
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "they are the ticket")]
    fn ticket(
        &mut self,
        night: &Night<'_>,
        opens: Stamp,
        sold_at: Stamp,
        order_id: &str,
        ticket_type: &str,
        bundle: Option<(String, String)>,
        refunded: bool,
    ) {
        let mut id = self.ticket_id();
        let mut issued_at = sold_at;
        // Some attendees pass their ticket on, and some of the new ones do so again.
        while self.rng.random_ratio(1, 20) && issued_at < self.now {
            let passed_at = self.between(issued_at, self.now.min(opens));
            let next = self.ticket_id();
            let mut line = self.ticket_line(night, &id, order_id, ticket_type, &bundle, issued_at);
            line["transferred_at"] = passed_at.to_string().into();
            line["transferred_to_ticket_id"] = next.clone().into();
            self.push(&line);
            id = next;
            issued_at = passed_at;
        }
        let mut line = self.ticket_line(night, &id, order_id, ticket_type, &bundle, issued_at);
        if self.rng.random_ratio(1, 100) {
            line["cancelled_at"] = self.between(issued_at, self.now).to_string().into();
        } else if !refunded && self.rng.random_range(0..100) < night.turnout {
            let bar = ticket_type.ends_with("beer") || ticket_type.ends_with("cocktail");
            let stations: &[&str] = if bar { &["Bar left", "Bar right"] } else { &["Gate 1", "Gate 2", "Gate 3"] };
            let from = opens.max(issued_at);
            let until = opens.plus(Duration::from_secs(5 * HOUR)).min(self.now);
            line["checked_in_at"] = self.between(from, until).to_string().into();
            line["checked_in_by"] = (*stations.choose(&mut self.rng).unwrap_or(&"Gate 1")).into();
        }
        self.push(&line);
    }

    fn ticket_line(
        &mut self,
        night: &Night<'_>,
        id: &str,
        order_id: &str,
        ticket_type: &str,
        bundle: &Option<(String, String)>,
        issued_at: Stamp,
    ) -> Value {
        let mut line = json!({
            "kind": "ticket", "id": id, "event_id": night.id, "order_id": order_id, "ticket_type_id": ticket_type,
            "attendee": self.person(), "issued_at": issued_at.to_string(),
        });
        if let Some((bundle_id, unit)) = bundle {
            line["bundle_id"] = bundle_id.as_str().into();
            line["bundle_unit"] = unit.as_str().into();
        }
        line
    }

    /// Tickets from before orders existed: loaded by hand, all with the same date.
    fn old_season(&mut self) {
        let long_ago = self.ago(self.now, 500 * DAY);
        self.push(&json!({
            "kind": "event", "id": "ev_old_season", "name": "Closing of the old season", "venue": "Sala Aurora",
            "timezone": TIME_ZONE, "currency": CURRENCY, "status": "finished", "starts_at": long_ago.to_string(),
            "created_at": self.ago(long_ago, 60 * DAY).to_string(),
        }));
        self.push(&json!({
            "kind": "ticket_type", "id": "tt_old_season", "event_id": "ev_old_season", "name": "Entrance", "price": 15,
            "currency": CURRENCY, "status": "inactive",
        }));
        for number in 0..240 {
            let mut line = json!({
                "kind": "ticket", "id": format!("OLD-{:05}", number + 1), "event_id": "ev_old_season",
                "ticket_type_id": "tt_old_season", "attendee": {"name": people::name(&mut self.rng)},
                "hidden": number < 3,
            });
            if number % 10 != 0 {
                line["checked_in_at"] = long_ago.plus(Duration::from_secs(number * 11)).to_string().into();
                line["checked_in_by"] = "Door".into();
            }
            self.push(&line);
        }
    }

    fn person(&mut self) -> Value {
        let name = people::name(&mut self.rng);
        let mailbox: String = name.to_lowercase().chars().map(people::plain).collect();
        let phone = self.rng.random_ratio(4, 5).then(|| format!("+34 6{:08}", self.rng.random_range(0..100_000_000)));
        json!({
            "name": name, "email": format!("{mailbox}{}@example.com", self.rng.random_range(1..100)), "phone": phone,
            "identity_document": format!("{:08}{}", self.rng.random_range(0..100_000_000), self.rng.random_range('A'..='Z')),
        })
    }

    fn ticket_id(&mut self) -> String {
        Ulid::from_bytes(self.rng.random()).to_string()
    }

    /// Most sales come in the first days and in the last ones.
    fn sold_at(&mut self, opens: Stamp) -> Stamp {
        let early = self.ago(opens, 60 * DAY);
        let share: f64 = self.rng.random();
        let share = if self.rng.random_bool(0.6) { 1.0 - share * share } else { share * share };
        let until = opens.min(self.now);
        let span = (until.micros() - early.micros()) as f64;
        Stamp::from_micros(early.micros() + (span * share) as i64)
    }

    fn between(&mut self, from: Stamp, until: Stamp) -> Stamp {
        Stamp::from_micros(
            self.rng.random_range(from.micros()..=until.micros().max(from.micros())).min(self.now.micros()),
        )
    }

    fn ago(&self, stamp: Stamp, seconds: u64) -> Stamp {
        Stamp::from_micros((stamp.micros() - seconds as i64 * 1_000_000).min(self.now.micros()))
    }
}
