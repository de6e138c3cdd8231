//! The payment account: connecting a processor, and replacing its secret.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{clock::Stamp, refusal::Refusal, role::Right};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, page};
use taquilla_rules::admin;
use taquilla_store::{
    ChangeError,
    sales::processors::{self, Before},
};

use super::{
    access::{ManagePayments, Member, SeePayments, WRONG},
    frame::Frame,
};

#[derive(Template)]
#[template(path = "payments.html")]
struct PaymentsPage {
    f: Frame,
    is_connected: bool,
    secrets: usize,
    callback: String,
    form: Form,
}

impl PaymentsPage {
    /// Whether the form that makes a secret is shown.
    fn is_connecting(&self) -> bool {
        self.form.has("ready", "yes") || !self.form.errors().is_empty()
    }
}

async fn show<N>(status: StatusCode, app: &App, member: &Member<N>, form: Form) -> Result<Response, Error> {
    let known = processors::secrets(&mut app.store.read().await?, member.tenant()).await?;
    let secrets = known.as_ref().map_or(0, |known| known.valid(app.time.now()).count());
    let page = PaymentsPage {
        f: member.frame("payments"),
        is_connected: known.is_some(),
        secrets,
        callback: callback(app, member),
        form,
    };
    page::show(status, &page)
}

/// Where the processor sends its notices.
fn callback<N>(app: &App, member: &Member<N>) -> String {
    format!("{}/shop/v1/{}/payments", member.service_address(app), in_path(&member.producer.producer_id))
}

/// The payment account's page.
pub async fn get_payments(State(app): State<App>, member: Member<SeePayments>) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, Form::default()).await
}

/// The page before a secret is made: it asks for the password first if that was a while ago.
pub async fn get_connect(State(app): State<App>, member: Member<ManagePayments>) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, Form::filled(&[("ready", "yes")])).await
}

#[derive(Template)]
#[template(path = "payments_connected.html")]
struct ConnectedPage {
    f: Frame,
    secret: String,
    callback: String,
    old_until: Option<Stamp>,
}

/// Makes a secret and shows it, this once.
pub async fn post_connect(
    State(app): State<App>,
    member: Member<ManagePayments>,
    mut form: Form,
) -> Result<Response, Error> {
    let at_once = form.has("at_once", "yes");
    match admin::payments::connect(&app.store, member.tenant(), at_once, &member.by_form(&form)).await {
        Ok((secret, before)) => {
            let old_until = match before {
                Before::TakenUntil(until) => Some(until),
                _ => None,
            };
            let (f, callback) = (member.frame("payments"), callback(&app, &member));
            page::show(StatusCode::OK, &ConnectedPage { f, secret: secret.reveal(), callback, old_until })
        }
        Err(ChangeError::Refused(Refusal::Full(_))) => {
            form.wrong("at_once", member.layout.t.text("secrets-full"));
            show(WRONG, &app, &member, form).await
        }
        Err(error) => Err(error.into()),
    }
}
