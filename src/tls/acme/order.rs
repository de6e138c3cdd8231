//! One order of a certificate, from beginning to end.

use std::io;

use instant_acme::{
    Account, AccountBuilder, AuthorizationStatus, ChallengeType, Error, Identifier, NewAccount, NewOrder, Order,
    OrderStatus, RetryPolicy,
};

use taquilla_domain::config::{ACME_PATIENCE, Acme};

use super::{authority::Authority, folder::Folder};
use crate::tls::challenge;

/// What the authority says if it does not know an account.
const NO_SUCH_ACCOUNT: &str = "urn:ietf:params:acme:error:accountDoesNotExist";

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// The authority refuses, or cannot be reached.
    #[error("{0}")]
    Authority(#[from] Error),
    /// The authority could not find out that the domain is ours.
    #[error("{domain}: {why}")]
    NotShown { domain: String, why: String },
    /// A file cannot be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
}

impl Failed {
    /// What an operator can do.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Authority(_) => "see what the authority says, and that this machine reaches it",
            Self::NotShown { .. } => {
                "let the domain's A and AAAA records lead to this machine, and let the world reach its port 443"
            }
            Self::File(_) => "let the server read and write the folder of --acme-dir",
        }
    }
}

/// Orders a certificate for a domain. The key and the chain, as the content of a file.
pub async fn order(settings: &Acme, folder: &Folder, domain: &str) -> Result<String, Failed> {
    let mut order = begin(settings, folder, domain).await?;
    let ordered = prove_and_finish(&mut order, folder, domain).await;
    challenge::forget(folder.path(), domain);
    ordered
}

/// Places the order, with the account that is kept, or with a new one if the authority does not know it any more.
async fn begin(settings: &Acme, folder: &Folder, domain: &str) -> Result<Order, Failed> {
    let names = [Identifier::Dns(domain.to_owned())];
    let new = NewOrder::new(&names);
    if let Some(kept) = folder.read_account(&settings.directory)? {
        let account = builder(settings)?.from_credentials(kept).await?;
        match account.new_order(&new).await {
            Err(Error::Api(problem)) if problem.r#type.as_deref() == Some(NO_SUCH_ACCOUNT) => {}
            placed => return Ok(placed?),
        }
    }
    let agreed = NewAccount { contact: &[], terms_of_service_agreed: true, only_return_existing: false };
    let (account, credentials) = builder(settings)?.create(&agreed, settings.directory.clone(), None).await?;
    folder.keep_account(&settings.directory, &credentials)?;
    Ok(account.new_order(&new).await?)
}

fn builder(settings: &Acme) -> io::Result<AccountBuilder> {
    let authority = Authority::new(settings.root.clone()).map_err(io::Error::other)?;
    Ok(Account::builder_with_http(Box::new(authority)))
}

async fn prove_and_finish(order: &mut Order, folder: &Folder, domain: &str) -> Result<String, Failed> {
    let patience = RetryPolicy::new().timeout(ACME_PATIENCE);
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization?;
        if authorization.status == AuthorizationStatus::Valid {
            continue;
        }
        if authorization.identifier().to_string() != domain {
            return Err(Error::Str("the authority asks about a name that was not ordered").into());
        }
        let Some(mut asked) = authorization.challenge(ChallengeType::TlsAlpn01) else {
            let why = "the authority does not offer to look at it over TLS (tls-alpn-01)".to_owned();
            return Err(Failed::NotShown { domain: domain.to_owned(), why });
        };
        challenge::keep(folder.path(), domain, asked.key_authorization().digest().as_ref())?;
        asked.set_ready().await?;
    }
    let ready = order.poll_ready(&patience).await;
    if !matches!(ready, Ok(OrderStatus::Ready)) {
        return Err(what_failed(order).await.unwrap_or_else(|| match ready {
            Err(cause) => cause.into(),
            Ok(_) => Error::Str("the authority refused without a reason").into(),
        }));
    }
    let key = order.finalize().await?;
    let chain = order.poll_certificate(&patience).await?;
    Ok(key + &chain)
}

/// What the authority saw when it looked.
async fn what_failed(order: &mut Order) -> Option<Failed> {
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization.ok()?;
        let state = authorization.refresh().await.ok()?;
        let found = state.challenges.iter().find_map(|challenge| challenge.error.as_ref());
        if let Some(problem) = found {
            let domain = state.identifier().to_string();
            return Some(Failed::NotShown { domain, why: problem.to_string() });
        }
    }
    None
}
