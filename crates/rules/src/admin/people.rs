//! Answering people who ask what is held of them, and erasing it. Servers carry erasures out (`crates/rules/src/work/`).

use std::collections::BTreeSet;

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    config::{RETENTION_DAYS_MAX, WORK_LEASE},
    id,
    person::Person,
    personal::Personal,
    refusal::Refusal,
    status::TicketStatus,
    whom::{Digest, DigestKey, Named, NamedBy, Whom},
    work::{WorkKind, WorkState},
};
use taquilla_store as store;
use taquilla_store::{
    ChangeError, ChangeResult, Result, Store, Tenant,
    people::{
        due,
        find::Look,
        held::{Bought, Held, Ticket},
    },
    settings,
    staff::{
        audit,
        members::{self, Member},
    },
    transaction,
    work::pieces::{self, Piece},
};
use taquilla_wire::person::HowMuch;

/// The key of digests of people.
async fn digest_key(store: &Store) -> Result<DigestKey> {
    settings::cursor_key(store).await.map(DigestKey::new)
}

/// Everything that is held of a person, up to so many orders and tickets, and the person's account in the team.
pub struct PersonHoldings {
    /// What is held.
    pub(super) held: Held,
    /// The account.
    pub(super) member: Option<Member>,
}

impl PersonHoldings {
    /// Whether more is held than was asked for.
    pub fn has_more(&self) -> bool {
        self.held.has_more
    }

    /// How much that is.
    pub fn how_much(&self, named: &Named) -> Personal<HowMuch> {
        let mut much = HowMuch { is_in_team: self.member.is_some(), ..HowMuch::default() };
        let (mut emails, mut documents) = (BTreeSet::new(), BTreeSet::new());
        let mut note = |person: &Person| {
            emails.insert(person.email.trim().to_lowercase());
            documents.insert(person.identity_document.trim().to_owned());
        };
        for Bought { order, .. } in &self.held.orders {
            much.add_order(order.status);
            note(&order.buyer);
        }
        for Ticket { held, .. } in &self.held.tickets {
            let state = held.state.uncovered();
            much.tickets += 1;
            much.valid_tickets += usize::from(state.status == TicketStatus::Valid);
            note(&state.attendee);
        }
        much.named_in_orders = self.held.waiting.len();
        self.held.waiting.iter().for_each(|(_, person)| note(person));
        // The one that the person was named by is no other.
        let is_other = |by: NamedBy, text: &String| {
            let same = match by {
                NamedBy::Email => Named::email(text),
                NamedBy::Document => Named::document(text),
            };
            same.is_ok_and(|other| other != *named)
        };
        much.other_emails = emails.into_iter().filter(|text| is_other(NamedBy::Email, text)).collect();
        much.other_documents = documents.into_iter().filter(|text| is_other(NamedBy::Document, text)).collect();
        Personal::new(much)
    }
}

/// Finds what is held of a person.
pub async fn find(store: &Store, tenant: Tenant, named: &Named, limit: usize) -> Result<PersonHoldings> {
    let held = Look::begin(store, tenant).await?.held(&Whom::Named(named.clone()), limit).await?;
    let mut team = members::of_producer(&mut store.read().await?, tenant).await?;
    let is_meant = |member: &Member| named.by() == NamedBy::Email && member.email == named.detail();
    let member = team.iter().position(is_meant).map(|at| team.swap_remove(at));
    Ok(PersonHoldings { held, member })
}

/// Writes down that somebody took out what is held of a person.
pub async fn note_export(
    store: &Store,
    tenant: Tenant,
    named: &Named,
    found: &PersonHoldings,
    by: &By,
) -> ChangeResult<()> {
    let digest = named.digest(&digest_key(store).await?);
    let (orders, tickets) = (found.held.orders.len().to_string(), found.held.tickets.len().to_string());
    let details = [
        ("by", named.by().as_str()),
        ("digest", digest.as_str()),
        ("orders", orders.as_str()),
        ("tickets", tickets.as_str()),
    ];
    Ok(transaction!(store.begin_unstamped(), |tx| {
        audit::add(tx, Some(tenant), by, Action::PersonExported, "", &details).await
    })?)
}

/// Begins to erase a person, for servers to carry out. If that has begun already, that piece of work is returned.
pub async fn begin_erasure(store: &Store, tenant: Tenant, named: &Named, by: &By) -> ChangeResult<Piece> {
    begin(store, tenant, named, Stamp::BEGINNING, by).await
}

/// The same, for whoever carries it out here: a new piece is theirs for a while.
pub async fn begin_erasure_here(store: &Store, tenant: Tenant, named: &Named, by: &By) -> ChangeResult<Piece> {
    begin(store, tenant, named, by.now.plus(WORK_LEASE), by).await
}

async fn begin(store: &Store, tenant: Tenant, named: &Named, leased_until: Stamp, by: &By) -> ChangeResult<Piece> {
    let digest = named.digest(&digest_key(store).await?);
    let subject = Whom::Named(named.clone()).print();
    let piece = Piece::new(tenant, id::new_id("wk", by.now), WorkKind::Erasure, &subject, WorkState::Running, by);
    let piece = Piece { leased_until, ..piece };
    transaction!(store.begin_unstamped(), |tx| {
        if pieces::insert(tx, &piece).await? {
            let details = [("by", named.by().as_str()), ("digest", digest.as_str())];
            audit::add(tx, Some(tenant), by, Action::ErasureBegun, &piece.id, &details).await?;
            return Ok::<_, ChangeError>(piece.clone());
        }
        let known = pieces::of_subject(tx, tenant, WorkKind::Erasure, &subject, 1).await?;
        let known =
            known.into_iter().next().ok_or_else(|| store::Error::internal("work that is neither new nor known"))?;
        // Whoever has it, it is not who asks now.
        Ok(Piece { leased_until: Stamp::BEGINNING, ..known })
    })
}

/// An erasure that another state of the database knew.
#[derive(Clone, Debug)]
pub struct ErasedBefore {
    /// Its id.
    pub id: String,
    /// Whose it was.
    pub producer: String,
    /// By which detail the person was named.
    pub by: NamedBy,
    /// The digest of it.
    pub digest: String,
}

/// Has an erasure done again that a restored database does not know. `false` if it knows it, or if the digest is none.
pub async fn erase_again(store: &Store, tenant: Tenant, before: &ErasedBefore, by: &By) -> ChangeResult<bool> {
    let key = digest_key(store).await?;
    let Some(digest) = Digest::new(before.by, &before.digest, &key) else { return Ok(false) };
    let subject = Whom::Digest(digest).print();
    let piece = Piece::new(tenant, before.id.clone(), WorkKind::Erasure, &subject, WorkState::Running, by);
    transaction!(store.begin_unstamped(), |tx| {
        let is_new = pieces::insert(tx, &piece).await?;
        if is_new {
            let details = [("by", before.by.as_str()), ("digest", before.digest.as_str())];
            audit::add(tx, Some(tenant), by, Action::ErasureBegun, &piece.id, &details).await?;
        }
        Ok::<_, ChangeError>(is_new)
    })
}

/// Sets for how many days after an event's end its people are kept; `None` is for ever.
pub async fn set_retention(store: &Store, tenant: Tenant, days: Option<i64>, by: &By) -> ChangeResult<()> {
    if days.is_some_and(|days| !(1..=RETENTION_DAYS_MAX).contains(&days)) {
        return Err(Refusal::invalid("retention_days", format!("from 1 to {RETENTION_DAYS_MAX} days are taken")).into());
    }
    transaction!(store.begin_unstamped(), |tx| {
        due::set_retention_days(tx, tenant, days).await?;
        let days = days.map_or_else(|| "none".to_owned(), |days| days.to_string());
        Ok(audit::add(tx, Some(tenant), by, Action::RetentionChanged, "", &[("days", &days)]).await?)
    })
}
