//! Coming to the door.

use std::time::Duration;

use rand::{RngExt, seq::IndexedRandom};
use serde_json::{Value, json};

use taquilla_domain::status::Category;

use super::{
    gates::Gate,
    world::{Deed, REMEMBERED, World},
};

impl World {
    /// The place among those to come of somebody with a ticket of this category.
    pub(super) fn somebody_to_come(&mut self, category: Category) -> Option<usize> {
        let tickets = self.tickets.to_come.iter().enumerate();
        let fitting: Vec<usize> = tickets.filter(|(_, (_, of))| *of == category).map(|(at, _)| at).collect();
        fitting.choose(&mut self.rng).copied()
    }

    fn a_gate(&mut self) -> Option<Gate> {
        self.gates.choose(&mut self.rng).cloned()
    }

    pub(super) async fn enter(&mut self) -> anyhow::Result<Deed> {
        let Some(gate) = self.a_gate() else { return Ok(Deed::Nothing) };
        let Some(at) = self.somebody_to_come(gate.category) else { return Ok(Deed::Nothing) };
        let (code, category) = self.tickets.to_come.swap_remove(at);
        let deed = self.show(&gate, &code).await?;
        self.tickets.inside.truncate(REMEMBERED - 1);
        self.tickets.inside.push_front((code, category));
        Ok(deed)
    }

    /// A code that has entered before, as when somebody hands a phone over the fence.
    pub(super) async fn enter_again(&mut self) -> anyhow::Result<Deed> {
        let inside: Vec<_> = self.tickets.inside.iter().cloned().collect();
        match (self.a_gate(), inside.choose(&mut self.rng)) {
            (Some(gate), Some((code, _))) => self.show(&gate, code).await,
            _ => Ok(Deed::Nothing),
        }
    }

    /// A ticket of another event, one whose order was refunded, or no ticket at all.
    pub(super) async fn enter_with_nothing(&mut self) -> anyhow::Result<Deed> {
        let Some(gate) = self.a_gate() else { return Ok(Deed::Nothing) };
        let known = match self.rng.random_range(0..3) {
            0 => self.tickets.elsewhere.choose(&mut self.rng).cloned(),
            1 => self.tickets.refunded.choose(&mut self.rng).cloned(),
            _ => None,
        };
        let code = known.unwrap_or_else(|| format!("{:012}", self.rng.random_range(0..1_000_000_000_000_u64)));
        self.show(&gate, &code).await
    }

    /// Shows a code at a station.
    async fn show(&mut self, gate: &Gate, code: &str) -> anyhow::Result<Deed> {
        let body = json!({"code": code, "scan_id": self.new_id("scan"), "station": gate.station});
        self.tell_the_door(gate, "/door/v1/scan", &body, Deed::Scanned).await
    }

    /// A phone that was offline let somebody in, and somebody who had entered elsewhere meanwhile.
    pub(super) async fn upload(&mut self) -> anyhow::Result<Deed> {
        let Some(gate) = self.a_gate() else { return Ok(Deed::Nothing) };
        let of_gate = |(_, category): &&(String, Category)| *category == gate.category;
        let twice = self.tickets.inside.iter().find(of_gate).map(|(code, _)| code.clone());
        let Some(at) = self.somebody_to_come(gate.category) else { return Ok(Deed::Nothing) };
        let (code, category) = self.tickets.to_come.swap_remove(at);
        let scanned_at = self.place.time.now().minus(Duration::from_secs(self.rng.random_range(60..300)));
        let codes = [Some(code.clone()), twice].into_iter().flatten();
        let kept = |code: String| {
            let id = format!("scan-{:032x}", self.rng.random::<u128>());
            json!({"code": code, "scan_id": id, "station": gate.station, "scanned_at": scanned_at.to_string()})
        };
        let scans: Vec<Value> = codes.map(kept).collect();
        self.tickets.inside.truncate(REMEMBERED - 1);
        self.tickets.inside.push_front((code, category));
        self.tell_the_door(&gate, "/door/v1/scans", &json!({"scans": scans}), Deed::Uploaded).await
    }

    async fn tell_the_door(&mut self, gate: &Gate, path: &str, body: &Value, deed: Deed) -> anyhow::Result<Deed> {
        let bearer = format!("Bearer {}", gate.token.reveal());
        let answer = self.outside.post(path, &[("authorization", &bearer)], body.to_string()).await?;
        if [401, 403].contains(&answer.status) {
            // Somebody revoked the link: whoever held it goes home, rather than trying until the address is locked out.
            self.gates.retain(|other| other.link_id != gate.link_id);
        }
        Ok(if answer.status == 200 { deed } else { Deed::Nothing })
    }
}
