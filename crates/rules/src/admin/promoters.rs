//! Promoters of events: making one, ending one, and giving one a new link.

use taquilla_domain::{
    audit::{Action, By},
    config::PROMOTERS_MAX,
    id,
    key::{Opens, Secret},
    promoter::{NewPromoter, Promoter},
    refusal::Refusal,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    catalogue::events,
    sales::promoters::{self, Selling},
    staff::audit,
    transaction,
};

/// Makes a promoter. This is the only time that the token is returned; only its hash is stored.
pub async fn create(store: &Store, tenant: Tenant, new: &NewPromoter, by: &By) -> ChangeResult<(Promoter, String)> {
    let token = Secret::generate(Opens::Promoter);
    transaction!(store.begin_move(tenant, by.now), |tx| {
        if !events::exists(tx, tenant, &new.event_id).await? {
            let message = format!("there is no event {}; `taquilla event list` shows them", new.event_id);
            return Err(Refusal::invalid("event", message).into());
        }
        if promoters::of_event(tx, tenant, &new.event_id, PROMOTERS_MAX).await?.len() as i64 >= PROMOTERS_MAX {
            return Err(Refusal::Full(format!("an event has {PROMOTERS_MAX} promoters at most")).into());
        }
        let promoter = Promoter {
            id: id::new_id("pm", tx.stamp()),
            event_id: new.event_id.clone(),
            name: new.name.clone().trimmed().into(),
            last_four: token.last_four().to_owned(),
            complimentary: new.complimentary.get(),
            given_away: 0,
            created_at: tx.stamp(),
            ended_at: None,
        };
        promoters::insert(tx, &promoter, &token).await?;
        let complimentary = promoter.complimentary.to_string();
        let details = [
            ("name", promoter.name.as_str()),
            ("event", promoter.event_id.as_str()),
            ("complimentary", &complimentary),
        ];
        audit::add(tx, Some(tenant), by, Action::PromoterCreated, &promoter.id, &details).await?;
        Ok((promoter, promoters::join_token(tenant, &token)))
    })
}

/// Gives a promoter a new token, for one that was lost or is in wrong hands. The one before opens nothing any more; the links
/// that they spread go on.
pub async fn renew(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<(Promoter, String)> {
    let token = Secret::generate(Opens::Promoter);
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let Selling { promoter, .. } = promoters::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("promoter"))?;
        promoters::renew(tx, id, &token).await?;
        let details = [("name", promoter.name.as_str()), ("event", promoter.event_id.as_str())];
        audit::add(tx, Some(tenant), by, Action::PromoterLinkRenewed, id, &details).await?;
        let promoter = Promoter { last_four: token.last_four().to_owned(), ..promoter };
        Ok((promoter, promoters::join_token(tenant, &token)))
    })
}

/// Ends a promoter: their page is closed, and nothing is sold in their name any more. What was sold and given away stays.
pub async fn end(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<Selling> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let found = promoters::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("promoter"))?;
        if found.promoter.ended_at.is_some() {
            return Ok(found);
        }
        promoters::end(tx, id).await?;
        let details = [("name", found.promoter.name.as_str()), ("event", found.promoter.event_id.as_str())];
        audit::add(tx, Some(tenant), by, Action::PromoterEnded, id, &details).await?;
        let promoter = Promoter { ended_at: Some(tx.stamp()), ..found.promoter };
        Ok(Selling { promoter, ..found })
    })
}
