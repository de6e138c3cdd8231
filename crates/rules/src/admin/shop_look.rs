//! How a producer's shop looks: its colour and its picture.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use taquilla_domain::{
    audit::{Action, By},
    colour::Colour,
    key::hexadecimal,
};
use taquilla_store::{ChangeResult, Store, Tenant, shop_look, staff::audit, transaction};

use super::picture::Picture;

/// Sets the colour; without one the shop has that of all pages.
pub async fn set_colour(store: &Store, tenant: Tenant, colour: Option<Colour>, by: &By) -> ChangeResult<()> {
    let shown = colour.map(|colour| colour.to_string()).unwrap_or_default();
    transaction!(store.begin_unstamped(), |tx| {
        shop_look::set_colour(tx, tenant, colour).await?;
        Ok(audit::add(tx, Some(tenant), by, Action::ShopLookChanged, "", &[("colour", &shown)]).await?)
    })
}

/// Sets the picture, or takes it away.
pub async fn set_picture(store: &Store, tenant: Tenant, picture: Option<&Picture>, by: &By) -> ChangeResult<()> {
    let kept = picture.map(|picture| {
        let version = hexadecimal(&Sha256::digest(picture.jpeg())[..8]);
        (version, STANDARD.encode(picture.jpeg()))
    });
    transaction!(store.begin_unstamped(), |tx| {
        let version = match &kept {
            Some((version, content)) => {
                shop_look::set_picture(tx, tenant, version, content).await?;
                version.as_str()
            }
            None => {
                shop_look::drop_picture(tx, tenant).await?;
                ""
            }
        };
        Ok(audit::add(tx, Some(tenant), by, Action::ShopLookChanged, "", &[("picture", version)]).await?)
    })
}
