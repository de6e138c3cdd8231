//! How the producer's shop looks: its colour and its picture.

use std::sync::{Arc, LazyLock};

use askama::Template;
use axum::{
    Extension,
    extract::{
        Multipart, State,
        multipart::{Field, MultipartRejection},
    },
    http::StatusCode,
    response::Response,
};
use tokio::{sync::Semaphore, task::spawn_blocking};

use taquilla_domain::{
    colour::Colour,
    config::{SHOP_PICTURE_BYTES, SHOP_PICTURE_LEAST, SHOP_PICTURE_POINTS, SHOP_PICTURES_AT_ONCE},
};
use taquilla_http::{app::App, connections::Exchange, errors::Error};
use taquilla_pages::{form::Form, page, query::Query, redirects::go, shop_links};
use taquilla_rules::admin::{
    picture::{Picture, WrongPicture},
    shop_look,
};
use taquilla_store::producers;

use super::{
    access::{Administer, Member, WRONG},
    frame::Frame,
};

/// Whoever reads a picture has a place.
static PLACES: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(SHOP_PICTURES_AT_ONCE));

#[derive(Template)]
#[template(path = "shop_look.html")]
struct ShopLookPage {
    f: Frame,
    form: Form,
    /// The address of the picture, if there is one.
    picture: Option<String>,
    shop: String,
}

impl ShopLookPage {
    fn file_hint(&self) -> String {
        let (width, height) = SHOP_PICTURE_LEAST;
        let least = format!("{width} × {height}");
        self.f.l.t.with_two("shop-picture-hint", [("mb", megabytes().into()), ("least", least.into())])
    }
}

fn megabytes() -> usize {
    SHOP_PICTURE_BYTES / 1024 / 1024
}

async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<Administer>,
    query: &Query,
    mut form: Form,
) -> Result<Response, Error> {
    let keeper = producers::shopkeeper_of(&mut app.store.read().await?, member.tenant()).await?;
    if form.error("colour").is_none() {
        form.set("colour", keeper.colour.map(|colour| colour.to_string()).unwrap_or_default());
    }
    let page = ShopLookPage {
        f: member.frame("settings").done(query),
        form,
        picture: keeper.picture.map(|version| shop_links::picture(&keeper.id, &version)),
        shop: shop_links::shop(&keeper.id),
    };
    page::show(status, &page)
}

/// The forms.
pub async fn get_shop_look(
    State(app): State<App>,
    member: Member<Administer>,
    query: Query,
) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, &query, Form::default()).await
}

/// Sets the colour; an empty field is the colour of all pages.
pub async fn post_shop_look(
    State(app): State<App>,
    member: Member<Administer>,
    mut form: Form,
) -> Result<Response, Error> {
    let parse = |text: &str| match text.trim() {
        "" => Ok(None),
        text => Colour::parse(text).map(Some),
    };
    let Some(colour) = form.read("colour", parse, |_| member.layout.t.text("wrong-colour")) else {
        return show(WRONG, &app, &member, &Query::default(), form).await;
    };
    shop_look::set_colour(&app.store, member.tenant(), colour, member.by()).await?;
    Ok(go(&member.path("/settings/shop?done=saved")))
}

/// Takes a picture.
pub async fn post_picture(
    State(app): State<App>,
    member: Member<Administer>,
    Extension(exchange): Extension<Arc<Exchange>>,
    body: Result<Multipart, MultipartRejection>,
) -> Result<Response, Error> {
    let picture = match body {
        Ok(mut body) => {
            exchange.wait_for_client();
            let field = body.next_field().await;
            exchange.take_turn().await;
            match field {
                Ok(Some(field)) if field.name() == Some("picture") => received(field, &exchange).await?,
                Ok(_) => Err(WrongPicture::Unreadable),
                Err(_) => return Err(Error::BodyIncomplete),
            }
        }
        Err(_) => Err(WrongPicture::Unreadable),
    };
    match picture {
        Ok(picture) => {
            shop_look::set_picture(&app.store, member.tenant(), Some(&picture), member.by()).await?;
            Ok(go(&member.path("/settings/shop?done=saved")))
        }
        Err(wrong) => {
            let mut form = Form::default();
            form.wrong("picture", said(&member, wrong));
            show(WRONG, &app, &member, &Query::default(), form).await
        }
    }
}

fn said(member: &Member<Administer>, wrong: WrongPicture) -> String {
    let t = member.layout.t;
    match wrong {
        WrongPicture::TooLarge => t.with("wrong-picture-too-large", "mb", megabytes()),
        WrongPicture::Unreadable => t.text("wrong-picture"),
        WrongPicture::TooManyPoints => t.with("wrong-picture-points", "millions", SHOP_PICTURE_POINTS / 1_000_000),
        WrongPicture::TooSmall => t.text("wrong-picture-too-small"),
    }
}

/// Reads a file as it arrives, and then the picture in it, beside the requests.
async fn received(mut field: Field<'_>, exchange: &Exchange) -> Result<Result<Picture, WrongPicture>, Error> {
    let mut file = Vec::new();
    loop {
        exchange.wait_for_client();
        let piece = field.chunk().await;
        exchange.take_turn().await;
        match piece.map_err(|_| Error::BodyIncomplete)? {
            Some(piece) if file.len() + piece.len() > SHOP_PICTURE_BYTES => return Ok(Err(WrongPicture::TooLarge)),
            Some(piece) => file.extend_from_slice(&piece),
            None => break,
        }
    }
    // The semaphore is never closed.
    let _place = PLACES.acquire().await;
    let read = spawn_blocking(move || Picture::read(&file)).await;
    read.map_err(|cause| Error::Internal(format!("a picture could not be read: {cause}")))
}

/// Takes the picture away.
pub async fn post_drop_picture(State(app): State<App>, member: Member<Administer>) -> Result<Response, Error> {
    shop_look::set_picture(&app.store, member.tenant(), None, member.by()).await?;
    Ok(go(&member.path("/settings/shop?done=saved")))
}
