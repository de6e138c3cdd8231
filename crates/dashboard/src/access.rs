//! Who may open a page: handlers take a [`Visitor`], a [`SignedIn`], a [`Member`] or an [`Operator`].
//!
//! Session, user, memberships and rights are looked up for every request, in two statements, and nothing of it is
//! remembered. So ending a session, disabling a user or changing a role counts from the next request on, on every
//! server; the transaction that writes looks again (`By::authority`), so it counts for a request under way, too. That a
//! session was used is noted at most once a minute, and the same refusal once an hour.

use std::{marker::PhantomData, ops::Deref};

use axum::{
    extract::{FromRequestParts, Path},
    http::{Method, StatusCode, Uri, request::Parts},
};
use serde::Deserialize;

use taquilla_domain::{
    audit::{Action, Authority, By},
    config::{CONFIRMED_FOR, CONFIRMED_GRACE, ID_MAX, SESSION_SEEN_EVERY},
    personal::Sees,
    role::Right,
};
use taquilla_http::{
    app::App,
    caller,
    errors::Error,
    rate::{Guess, Source},
};
use taquilla_pages::{form::Form, visitor::Visitor};
use taquilla_rules::admin::staff::{history, sessions};
use taquilla_store::{
    Conn, Tenant,
    staff::{
        authority,
        members::{self, Membership},
        sessions as session_rows,
    },
};

use super::{
    cookies::SESSION,
    frame::{self, FIRST, Frame},
    turned::{Turned, return_to, to_sign_in},
};

/// A user who has signed in.
pub struct SignedIn {
    visitor: Visitor,
    /// The session and its user.
    pub user: session_rows::SignedIn,
    /// The producers that the user belongs to.
    pub memberships: Vec<Membership>,
    by: By,
}

impl SignedIn {
    /// This user, who does something now.
    pub fn by(&self) -> &By {
        &self.by
    }

    /// The same for a form that makes something once: sent again, it is refused.
    pub fn by_form(&self, form: &Form) -> By {
        let key = form.value("form");
        By { form: (!key.is_empty()).then(|| key.chars().take(ID_MAX).collect()), ..self.by.clone() }
    }

    /// Refuses to show something if the user may no longer see it, for what is read after a form has arrived.
    pub async fn still_may(&self, conn: &mut Conn) -> Result<(), Error> {
        match &self.by.authority {
            Some(authority) if !authority::stands(conn, authority).await? => Err(Error::Forbidden),
            _ => Ok(()),
        }
    }

    /// On what it rests that the user may.
    fn authority(&mut self) -> Option<&mut Authority> {
        self.by.authority.as_mut()
    }

    /// The user's id.
    pub fn user_id(&self) -> &str {
        &self.user.session.user_id
    }

    /// By what attempts to show the password again are counted: by the session, whose cookie no stranger has. Counted by the
    /// account, strangers could keep its owner from going on.
    pub fn as_source(&self) -> Source {
        Source::id(&format!("session {}", self.user.session.id))
    }

    /// The frame of a page that belongs to no producer.
    pub fn frame(&self, section: &'static str) -> Frame {
        Frame::new(&self.visitor, &self.user, &self.memberships, None, section)
    }

    /// Whoever has signed in. That the session is used is another matter.
    async fn find(visitor: Visitor, app: &App) -> Result<Option<Self>, Error> {
        let Some(token) = visitor.cookie(SESSION, app) else { return Ok(None) };
        let now = app.time.now();
        let mut conn = app.store.read().await?;
        let found = session_rows::find(&mut conn, &token).await?.filter(|found| found.session.works(now));
        let Some(user) = found else { return Ok(None) };
        let memberships = members::of_user(&mut conn, &user.session.user_id).await?;
        drop(conn);
        let authority = Authority {
            user_id: user.session.user_id.clone(),
            session_id: user.session.id.clone(),
            as_operator: false,
            in_team: None,
        };
        let by = By { authority: Some(authority), ..visitor.by(&user.email, app) };
        Ok(Some(Self { visitor, user, memberships, by }))
    }

    /// Whoever sent this request.
    async fn of(parts: &Parts, app: &App) -> Result<Option<Self>, Error> {
        let found = Self::find(Visitor::of(parts, app), app).await?;
        if let Some(Self { user, by, .. }) = found.as_ref().filter(|_| is_use(&parts.uri))
            && by.now >= user.session.seen_at.plus(SESSION_SEEN_EVERY)
        {
            sessions::touch(&app.store, &user.session, by).await?;
        }
        Ok(found)
    }
}

/// Whether somebody does something. What an open live page asks for by itself is no use of a session: a screen that is left on
/// would keep it for two weeks.
fn is_use(uri: &Uri) -> bool {
    let asks_for_part = uri.query().is_some_and(|query| query.split('&').any(|pair| pair.starts_with("part=")));
    !asks_for_part && !uri.path().ends_with("/stream")
}

impl Deref for SignedIn {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.visitor
    }
}

/// The user, if one has signed in.
pub struct MaybeSignedIn(pub Option<SignedIn>);

impl FromRequestParts<App> for MaybeSignedIn {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        SignedIn::of(parts, app).await.map(Self)
    }
}

impl FromRequestParts<App> for SignedIn {
    type Rejection = Turned;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Turned> {
        Self::of(parts, app).await?.ok_or_else(|| to_sign_in(parts, app))
    }
}

/// What a page needs of a member, as a type.
pub trait Needs: Send {
    /// The right. `None` is enough for every member.
    const RIGHT: Option<Right>;
    /// Another right that is enough.
    const OR: Option<Right> = None;
    /// Whether the password must have been shown a short while ago.
    const CONFIRMED: bool;
}

macro_rules! needs {
    ($($(#[$doc:meta])* $name:ident = $right:expr, $confirmed:literal;)+) => {
        $($(#[$doc])*
        pub struct $name;

        impl Needs for $name {
            const RIGHT: Option<Right> = $right;
            const CONFIRMED: bool = $confirmed;
        })+
    };
}
needs! {
    /// Every member.
    Anybody = None, false;
    /// See [`Right::SeeKeys`].
    SeeKeys = Some(Right::SeeKeys), false;
    /// See [`Right::Administer`].
    Administer = Some(Right::Administer), true;
    /// See [`Right::SeeWebhooks`].
    SeeWebhooks = Some(Right::SeeWebhooks), false;
    /// See [`Right::ManageWebhooks`]; for what shows no secret.
    ManageWebhooks = Some(Right::ManageWebhooks), false;
    /// See [`Right::ManageWebhooks`]; for what shows a secret or cannot be undone.
    ManageWebhookSecrets = Some(Right::ManageWebhooks), true;
    /// See [`Right::SeePayments`].
    SeePayments = Some(Right::SeePayments), false;
    /// See [`Right::ManagePayments`].
    ManagePayments = Some(Right::ManagePayments), true;
    /// See [`Right::SeeEvents`].
    SeeEvents = Some(Right::SeeEvents), false;
    /// See [`Right::ManageEvents`].
    ManageEvents = Some(Right::ManageEvents), false;
    /// See [`Right::SeeOrders`].
    SeeOrders = Some(Right::SeeOrders), false;
    /// See [`Right::Sell`].
    Sell = Some(Right::Sell), false;
    /// See [`Right::Refund`]; one order.
    Refund = Some(Right::Refund), false;
    /// See [`Right::Refund`]; all orders of an event.
    RefundAll = Some(Right::Refund), true;
    /// See [`Right::ManageTickets`].
    ManageTickets = Some(Right::ManageTickets), false;
    /// See [`Right::SeeDoor`].
    SeeDoor = Some(Right::SeeDoor), false;
    /// See [`Right::ManageDoor`].
    ManageDoor = Some(Right::ManageDoor), false;
    /// See [`Right::SeeReports`].
    SeeReports = Some(Right::SeeReports), false;
    /// See [`Right::Export`].
    Export = Some(Right::Export), false;
    /// See [`Right::Import`].
    Import = Some(Right::Import), false;
    /// See [`Right::SeeTeam`].
    SeeTeam = Some(Right::SeeTeam), false;
    /// See [`Right::ManageTeam`].
    ManageTeam = Some(Right::ManageTeam), true;
    /// See [`Right::ManagePersonalData`].
    ManagePersonalData = Some(Right::ManagePersonalData), true;
    /// See [`Right::SeeHistory`].
    SeeHistory = Some(Right::SeeHistory), false;
}

/// See [`Right::Export`] and [`Right::Import`]: one of them is enough.
pub struct ExportOrImport;

impl Needs for ExportOrImport {
    const RIGHT: Option<Right> = Some(Right::Export);
    const OR: Option<Right> = Some(Right::Import);
    const CONFIRMED: bool = false;
}

/// A member of the team of the producer in the path, who has the right that `N` names.
pub struct Member<N> {
    signed_in: SignedIn,
    /// The producer, and what the member may do.
    pub producer: Membership,
    needs: PhantomData<fn() -> N>,
}

impl<N> Member<N> {
    /// The producer whose rows may be read and written.
    pub fn tenant(&self) -> Tenant {
        self.producer.tenant
    }

    /// Whether the member may do something.
    pub fn may(&self, right: Right) -> bool {
        self.producer.rights.allow(right)
    }

    /// Whether the member sees people, and what opens doors.
    pub fn sees(&self) -> Sees {
        self.producer.rights.sees()
    }

    /// The frame of a page of this producer.
    pub fn frame(&self, section: &'static str) -> Frame {
        let signed_in = &self.signed_in;
        Frame::new(&signed_in.visitor, &signed_in.user, &signed_in.memberships, Some(&self.producer), section)
    }

    /// The address of a page of this producer.
    pub fn path(&self, page: &str) -> String {
        frame::producer_path(&self.producer.producer_id, page)
    }

    /// Whether the member, who has an answer open that does not end, has signed in and may do what they could when it
    /// began, no more and no less.
    pub async fn is_as_before(&self, app: &App) -> Result<bool, Error> {
        let Some(now) = SignedIn::find(self.signed_in.visitor.clone(), app).await? else { return Ok(false) };
        let producer = now.memberships.iter().find(|producer| producer.tenant == self.producer.tenant);
        Ok(producer.is_some_and(|producer| {
            let lacks_factor = producer.needs_second_factor && !now.user.has_second_factor;
            !lacks_factor && producer.rights == self.producer.rights
        }))
    }
}

impl<N> Deref for Member<N> {
    type Target = SignedIn;

    fn deref(&self) -> &SignedIn {
        &self.signed_in
    }
}

#[derive(Deserialize)]
struct OfProducer {
    producer_id: String,
}

impl<N: Needs> FromRequestParts<App> for Member<N> {
    type Rejection = Turned;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Turned> {
        let mut signed_in = SignedIn::from_request_parts(parts, app).await?;
        let path = Path::<OfProducer>::from_request_parts(parts, app).await.map_err(|_| Error::NotFound("page"))?;
        // What belongs to others looks the same as what does not exist.
        let found = signed_in.memberships.iter().find(|producer| producer.producer_id == path.producer_id).cloned();
        let producer = found.ok_or(Error::NotFound("page"))?;
        caller::is_about(&producer.producer_id);
        if producer.needs_second_factor && !signed_in.user.has_second_factor {
            return Err(Turned::SetUpSecondFactor);
        }
        if let Some(authority) = signed_in.authority() {
            authority.in_team = Some((producer.producer_id.clone(), producer.rights));
        }
        let member = Self { signed_in, producer, needs: PhantomData };
        let has_other = N::OR.is_some_and(|right| member.may(right));
        if let Some(right) = N::RIGHT.filter(|right| !member.may(*right) && !has_other) {
            let route = parts.extensions.get::<axum::extract::MatchedPath>().map_or("", |route| route.as_str());
            let details = [("right", right.as_str()), ("method", parts.method.as_str()), ("page", route)];
            let tenant = Some(member.tenant());
            let same = format!("{} {} {} {route}", member.producer.producer_id, member.user_id(), parts.method);
            if app.limits.attempt(Guess::Right, &[Source::Id(same)]).is_ok() {
                history::note(
                    &app.store,
                    tenant,
                    &member.by().only_noted(),
                    Action::Refused,
                    member.user_id(),
                    &details,
                )
                .await?;
            }
            return Err(Turned::Refused(Box::new(member.frame("")), right));
        }
        let is_form = parts.method == Method::POST;
        let within = if is_form { CONFIRMED_FOR + CONFIRMED_GRACE } else { CONFIRMED_FOR };
        if N::CONFIRMED && !member.user.session.is_confirmed(app.time.now(), within) {
            // A form cannot be sent again by itself, so the way back is to the page that it is on.
            let next = if is_form { member.came_from(FIRST) } else { return_to(parts) };
            return Err(Turned::Confirm(next));
        }
        Ok(member)
    }
}

/// A user who may do what concerns all producers, and has shown the password a short while ago.
pub struct Operator(SignedIn);

impl Deref for Operator {
    type Target = SignedIn;

    fn deref(&self) -> &SignedIn {
        &self.0
    }
}

impl FromRequestParts<App> for Operator {
    type Rejection = Turned;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Turned> {
        let mut signed_in = SignedIn::from_request_parts(parts, app).await?;
        if !signed_in.user.is_operator {
            return Err(Error::NotFound("page").into());
        }
        if !signed_in.user.session.is_confirmed(app.time.now(), CONFIRMED_FOR + CONFIRMED_GRACE) {
            return Err(Turned::Confirm("/dashboard/service".to_owned()));
        }
        if let Some(authority) = signed_in.authority() {
            authority.as_operator = true;
        }
        Ok(Self(signed_in))
    }
}

/// The status of a page that shows a form again because something in it is wrong.
pub const WRONG: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
