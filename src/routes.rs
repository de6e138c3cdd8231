//! The whole route table.

use std::sync::{Arc, atomic::Ordering};

use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, State},
    response::Redirect,
    routing::{MethodRouter, get, post},
};

use taquilla_api as api;
use taquilla_dashboard as dashboard;
use taquilla_domain::config::{Config, Https};
use taquilla_door as door;
use taquilla_http::{
    access_lines::AccessLines,
    app::App,
    edge::{Edge, EdgeLayer, Render},
    errors::Error,
    problem,
};
use taquilla_metrics::Requests;
use taquilla_pages::{
    assets, error_page,
    guards::guarded,
    language,
    to_https::{self, ToHttps},
};
use taquilla_shop as shop;
use taquilla_store as store;

/// The routes of the read API, which take a key. Tests go through this list, so that none is forgotten.
pub fn api_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        ("/api/v1/tickets", get(api::tickets::list_tickets)),
        ("/api/v1/tickets/{ticket_id}", get(api::tickets::get_ticket)),
        ("/api/v1/tickets/{ticket_id}/chain", get(api::tickets::list_chain)),
        ("/api/v1/events", get(api::events::list_events)),
        ("/api/v1/events/{event_id}", get(api::events::get_event)),
        ("/api/v1/events/{event_id}/ticket-types", get(api::ticket_types::list_ticket_types)),
        ("/api/v1/orders", get(api::orders::list_orders)),
        ("/api/v1/orders/{order_id}", get(api::orders::get_order)),
        ("/api/v1/me", get(api::me::get_me)),
    ]
}

/// The routes for scanners, which take a door link. Tests go through this list too.
pub fn door_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        ("/door/v1/open", post(door::open::open_door)),
        ("/door/v1/scan", post(door::scan::scan)),
        ("/door/v1/look", post(door::scan::look)),
        ("/door/v1/scans", post(door::scan::scan_kept)),
        ("/door/v1/undo", post(door::undo::undo)),
        ("/door/v1/search", post(door::guests::search)),
        ("/door/v1/party", post(door::guests::party)),
        ("/door/v1/enter", post(door::guests::enter)),
        ("/door/v1/counts", get(door::open::get_counts)),
        ("/door/v1/codes", get(door::codes::list_codes)),
    ]
}

/// The routes for buyers. Tests go through this list too.
pub fn shop_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        ("/shop/v1/{producer_id}/events/{event_id}", get(shop::sale::get_sale)),
        ("/shop/v1/{producer_id}/events/{event_id}/orders", post(shop::orders::place_order)),
        ("/shop/v1/orders/{reference}", get(shop::orders::get_order)),
        ("/shop/v1/orders/{reference}/extend", post(shop::orders::extend_hold)),
    ]
}

/// The routes for payment processors. Tests go through this list too.
pub fn payment_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![("/shop/v1/{producer_id}/payments", post(shop::payments::settle_payment))]
}

/// The routes for everybody's programs: descriptions, and whether the server is well.
fn open_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        ("/api/v1/openapi.json", get(api::openapi::get_document)),
        ("/shop/v1/openapi.json", get(shop::openapi::get_shop)),
        ("/shop/v1/openapi-payments.json", get(shop::openapi::get_payments)),
        ("/door/v1/openapi.json", get(door::openapi::get_document)),
        ("/healthz", get(async || "ok\n")),
        ("/readyz", get(get_ready)),
    ]
}

/// The routes that people open in a browser. Their errors are pages too. Tests go through this list as well.
pub fn page_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        ("/door", get(door::page::get_page)),
        ("/door/", get(async || Redirect::to("/door"))),
        ("/door/{*file}", get(door::page::get_file)),
        ("/", get(shop::front::get_front)),
        ("/shop/v1/embed.js", get(shop::look::get_script)),
        ("/shop/v1/{producer_id}/style.css", get(shop::look::get_style)),
        ("/shop/v1/{producer_id}/picture", get(shop::look::get_picture)),
        ("/shop/v1/{producer_id}/events/{event_id}/picture", get(shop::look::get_event_picture)),
        ("/shop/{producer_id}", get(shop::pages::list::get_shop)),
        ("/shop/{producer_id}/{event_id}", get(shop::pages::event::get_event).post(shop::pages::event::post_event)),
        (
            "/shop/{producer_id}/{event_id}/order",
            get(shop::checkout::details::get_order).post(shop::checkout::steps::post_order),
        ),
        ("/shop/orders/{reference}", get(shop::pages::order::get_order)),
        ("/shop/orders/{reference}/extend", post(shop::pages::order::post_extend)),
        ("/shop/orders/{reference}/pay", post(shop::pages::order::post_pay)),
        ("/development/payments/{session}", get(shop::development::get_payment).post(shop::development::post_payment)),
        ("/promoter/{token}", get(shop::promoter::page::get_promoter)),
        ("/promoter/{token}/tickets", post(shop::promoter::give::post_tickets)),
        ("/language", post(language::post_language)),
        ("/assets/{*file}", get(assets::get_file)),
        ("/docs", get(async || Redirect::to("/docs/"))),
        ("/docs/", get(api::docs::get_console)),
        ("/docs/{*file}", get(api::docs::get_console_file)),
        ("/docs/errors", get(api::docs::get_errors)),
    ]
}

/// The pages of the dashboard that belong to a producer. Tests go through this list too.
pub fn producer_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    [
        set_up_routes(),
        event_routes(),
        promoter_routes(),
        order_routes(),
        ticket_routes(),
        live_door_routes(),
        report_routes(),
        export_routes(),
        work_routes(),
        people_routes(),
    ]
    .concat()
}

/// Events and what they sell.
fn event_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    use dashboard::events::{
        checkout, copy, coupons, event, event_form, item, item_form, list, pools, status, surcharges,
    };
    vec![
        ("/dashboard/p/{producer_id}/events", get(list::get_events).post(event_form::post_events)),
        ("/dashboard/p/{producer_id}/events/new", get(event_form::get_new_event)),
        ("/dashboard/p/{producer_id}/events/{id}", get(event::get_event)),
        ("/dashboard/p/{producer_id}/events/{id}/change", get(event_form::get_change).post(event_form::post_change)),
        ("/dashboard/p/{producer_id}/events/{id}/publish", post(status::post_publish)),
        ("/dashboard/p/{producer_id}/events/{id}/finish", get(status::get_finish).post(status::post_finish)),
        ("/dashboard/p/{producer_id}/events/{id}/cancel", get(status::get_cancel).post(status::post_cancel)),
        ("/dashboard/p/{producer_id}/events/{id}/duplicate", get(copy::get_duplicate).post(copy::post_duplicate)),
        ("/dashboard/p/{producer_id}/events/{id}/coupons", get(coupons::get_coupons).post(coupons::post_coupons)),
        ("/dashboard/p/{producer_id}/events/{id}/coupons/{coupon_id}/end", post(coupons::post_end_coupon)),
        (
            "/dashboard/p/{producer_id}/events/{id}/surcharges",
            get(surcharges::get_surcharges).post(surcharges::post_surcharges),
        ),
        ("/dashboard/p/{producer_id}/events/{id}/checkout", get(checkout::get_checkout).post(checkout::post_checkout)),
        ("/dashboard/p/{producer_id}/events/{id}/terms", post(checkout::post_terms)),
        ("/dashboard/p/{producer_id}/events/{id}/surcharges/{surcharge_id}/end", post(surcharges::post_end_surcharge)),
        ("/dashboard/p/{producer_id}/events/{id}/items", post(item_form::post_items)),
        ("/dashboard/p/{producer_id}/events/{id}/items/new", get(item_form::get_new_item)),
        ("/dashboard/p/{producer_id}/events/{id}/items/{item_id}", get(item::get_item)),
        (
            "/dashboard/p/{producer_id}/events/{id}/items/{item_id}/change",
            get(item_form::get_change).post(item_form::post_change),
        ),
        ("/dashboard/p/{producer_id}/events/{id}/items/{item_id}/delete", post(item::post_delete)),
        ("/dashboard/p/{producer_id}/events/{id}/items/{item_id}/restore", post(item::post_restore)),
        ("/dashboard/p/{producer_id}/events/{id}/items/{item_id}/move", post(item::post_move)),
        ("/dashboard/p/{producer_id}/events/{id}/pools", post(pools::post_pools)),
        ("/dashboard/p/{producer_id}/events/{id}/pools/new", get(pools::get_new_pool)),
        ("/dashboard/p/{producer_id}/events/{id}/pools/{pool_id}", get(pools::get_pool).post(pools::post_pool)),
        ("/dashboard/p/{producer_id}/events/{id}/pools/{pool_id}/end", post(pools::post_end)),
    ]
}

/// Promoters of events.
fn promoter_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    use dashboard::promoters::{change, list, make};
    vec![
        ("/dashboard/p/{producer_id}/events/{id}/promoters", get(list::get_promoters).post(make::post_promoters)),
        ("/dashboard/p/{producer_id}/events/{id}/promoters/new", get(make::get_new_promoter)),
        (
            "/dashboard/p/{producer_id}/events/{id}/promoters/{promoter_id}/renew",
            get(change::get_renew).post(change::post_renew),
        ),
        (
            "/dashboard/p/{producer_id}/events/{id}/promoters/{promoter_id}/end",
            get(change::get_end).post(change::post_end),
        ),
    ]
}

/// Orders and the box office.
fn order_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    use dashboard::{
        orders::{attendees, list, notes, one, printed, refund_tickets, sell},
        shifts,
    };
    vec![
        ("/dashboard/p/{producer_id}/orders", get(list::get_orders)),
        ("/dashboard/p/{producer_id}/orders/new", get(sell::get_sell).post(sell::post_sell)),
        ("/dashboard/p/{producer_id}/events/{id}/attendees", get(attendees::get_attendees)),
        ("/dashboard/p/{producer_id}/orders/{id}", get(one::get_order)),
        ("/dashboard/p/{producer_id}/orders/{id}/tickets", get(printed::get_tickets)),
        ("/dashboard/p/{producer_id}/orders/{id}/approve", post(one::post_approve)),
        ("/dashboard/p/{producer_id}/orders/{id}/notes", post(notes::post_note)),
        ("/dashboard/p/{producer_id}/orders/{id}/reject", get(one::get_reject).post(one::post_reject)),
        ("/dashboard/p/{producer_id}/orders/{id}/refund", get(one::get_refund).post(one::post_refund)),
        ("/dashboard/p/{producer_id}/shift", get(shifts::get_shift)),
        ("/dashboard/p/{producer_id}/shift/begin", post(shifts::post_begin)),
        ("/dashboard/p/{producer_id}/shift/end", post(shifts::post_end)),
        ("/dashboard/p/{producer_id}/shift/{id}", get(shifts::get_own)),
        (
            "/dashboard/p/{producer_id}/orders/{id}/refund-tickets",
            get(refund_tickets::get_refund_tickets).post(refund_tickets::post_refund_tickets),
        ),
    ]
}

/// Tickets and search.
fn ticket_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    use dashboard::tickets::{change, list, note, one};
    vec![
        ("/dashboard/p/{producer_id}/tickets", get(list::get_tickets)),
        ("/dashboard/p/{producer_id}/tickets/{id}", get(one::get_ticket)),
        ("/dashboard/p/{producer_id}/tickets/{id}/cancel", get(change::get_cancel).post(change::post_cancel)),
        ("/dashboard/p/{producer_id}/tickets/{id}/pass-on", get(change::get_pass_on).post(change::post_pass_on)),
        ("/dashboard/p/{producer_id}/tickets/{id}/note", get(note::get_note).post(note::post_note)),
        ("/dashboard/p/{producer_id}/tickets/{id}/hide", get(change::get_hide).post(change::post_hide)),
    ]
}

/// The door of an event, live, and door links.
fn live_door_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    use dashboard::door::{by_hand, limits, links, pages, stream, undo};
    vec![
        ("/dashboard/p/{producer_id}/door", get(pages::get_doors)),
        ("/dashboard/p/{producer_id}/door/{event_id}", get(pages::get_live)),
        ("/dashboard/p/{producer_id}/door/{event_id}/stream", get(stream::get_stream)),
        ("/dashboard/p/{producer_id}/door/{event_id}/screen", get(pages::get_screen)),
        ("/dashboard/p/{producer_id}/door/{event_id}/by-hand", get(by_hand::get_by_hand)),
        ("/dashboard/p/{producer_id}/door/{event_id}/by-hand/{id}", post(by_hand::post_by_hand)),
        ("/dashboard/p/{producer_id}/door/{event_id}/entries/{id}/undo", get(undo::get_undo).post(undo::post_undo)),
        ("/dashboard/p/{producer_id}/door/{event_id}/limits", get(limits::get_limits).post(limits::post_limits)),
        ("/dashboard/p/{producer_id}/door/{event_id}/links", get(links::get_links).post(links::post_links)),
        ("/dashboard/p/{producer_id}/door/{event_id}/links/new", get(links::get_new_link)),
        (
            "/dashboard/p/{producer_id}/door/{event_id}/links/{id}/revoke",
            get(links::get_revoke).post(links::post_revoke),
        ),
    ]
}

/// Reports.
fn report_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    use dashboard::{
        reports::{choose, entries, no_shows, orders, promoters, sales, stock},
        shifts,
    };
    vec![
        ("/dashboard/p/{producer_id}/reports", get(choose::get_reports)),
        ("/dashboard/p/{producer_id}/reports/sales", get(sales::get_sales)),
        ("/dashboard/p/{producer_id}/reports/promoters", get(promoters::get_promoters)),
        ("/dashboard/p/{producer_id}/reports/orders", get(orders::get_orders)),
        ("/dashboard/p/{producer_id}/reports/entries", get(entries::get_entries)),
        ("/dashboard/p/{producer_id}/reports/no-shows", get(no_shows::get_no_shows)),
        ("/dashboard/p/{producer_id}/reports/stock", get(stock::get_stock)),
        ("/dashboard/p/{producer_id}/reports/shifts", get(shifts::get_shifts)),
        ("/dashboard/p/{producer_id}/reports/shifts/{id}", get(shifts::get_one)),
    ]
}

/// Files with orders, tickets, scans and payments.
fn export_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    use dashboard::exports::{data, file};
    vec![
        ("/dashboard/p/{producer_id}/data", get(data::get_data)),
        ("/dashboard/p/{producer_id}/exports/{file}", get(file::get_export)),
    ]
}

/// Imports, and other work that takes long.
fn work_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    use dashboard::work::{imports, refunds};
    vec![
        ("/dashboard/p/{producer_id}/events/{id}/refund", get(refunds::get_refund_all).post(refunds::post_refund_all)),
        ("/dashboard/p/{producer_id}/refunds/{id}", get(refunds::get_refund)),
        ("/dashboard/p/{producer_id}/refunds/{id}/stop", post(refunds::post_stop)),
        ("/dashboard/p/{producer_id}/refunds/{id}/go-on", post(refunds::post_go_on)),
        (
            "/dashboard/p/{producer_id}/imports",
            // The handler reads the file as it arrives and has its own limit.
            get(imports::get_imports).post(imports::post_imports).layer(DefaultBodyLimit::disable()),
        ),
        ("/dashboard/p/{producer_id}/imports/example.csv", get(imports::get_example)),
        ("/dashboard/p/{producer_id}/imports/{id}", get(imports::get_import)),
        ("/dashboard/p/{producer_id}/imports/{id}/import", post(imports::post_import)),
        ("/dashboard/p/{producer_id}/imports/{id}/give-up", post(imports::post_give_up)),
    ]
}

/// What is held of people, for those who ask.
fn people_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    use dashboard::personal_data;
    vec![
        ("/dashboard/p/{producer_id}/people", get(personal_data::get_people)),
        ("/dashboard/p/{producer_id}/people/find", post(personal_data::post_find)),
        ("/dashboard/p/{producer_id}/people/export", post(personal_data::post_export)),
        ("/dashboard/p/{producer_id}/people/erase", post(personal_data::post_erase)),
        ("/dashboard/p/{producer_id}/people/{id}", get(personal_data::get_erasure)),
    ]
}

/// The overview, and what a producer is set up with: keys, webhooks, payments, the team.
fn set_up_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    use dashboard::{
        endpoint, history, keys, messages, one_payment, open_payments, overview, pay_backs, payments, roles, settings,
        shop_look, team, terms, webhooks, websites,
    };
    vec![
        ("/dashboard/p/{producer_id}", get(overview::get_overview)),
        ("/dashboard/p/{producer_id}/keys", get(keys::get_keys).post(keys::post_keys)),
        ("/dashboard/p/{producer_id}/keys/new", get(keys::get_new_key)),
        ("/dashboard/p/{producer_id}/keys/{id}/revoke", get(keys::get_revoke).post(keys::post_revoke)),
        ("/dashboard/p/{producer_id}/webhooks", get(webhooks::get_webhooks).post(webhooks::post_webhooks)),
        ("/dashboard/p/{producer_id}/webhooks/new", get(webhooks::get_new_webhook)),
        ("/dashboard/p/{producer_id}/webhooks/{id}", get(endpoint::get_endpoint)),
        ("/dashboard/p/{producer_id}/webhooks/{id}/change", get(endpoint::get_change).post(endpoint::post_change)),
        ("/dashboard/p/{producer_id}/webhooks/{id}/pause", post(endpoint::post_pause)),
        ("/dashboard/p/{producer_id}/webhooks/{id}/resume", post(endpoint::post_resume)),
        ("/dashboard/p/{producer_id}/webhooks/{id}/rotate", post(endpoint::post_rotate)),
        ("/dashboard/p/{producer_id}/webhooks/{id}/test", post(endpoint::post_test)),
        ("/dashboard/p/{producer_id}/webhooks/{id}/replay", post(endpoint::post_replay)),
        ("/dashboard/p/{producer_id}/webhooks/{id}/delete", get(endpoint::get_delete).post(endpoint::post_delete)),
        ("/dashboard/p/{producer_id}/webhooks/{id}/messages/{message_id}", get(messages::get_message)),
        ("/dashboard/p/{producer_id}/payments", get(payments::get_payments)),
        ("/dashboard/p/{producer_id}/payments/connect", get(payments::get_connect).post(payments::post_connect)),
        ("/dashboard/p/{producer_id}/payments/open", get(open_payments::get_open)),
        ("/dashboard/p/{producer_id}/payments/one", get(one_payment::get_payment)),
        ("/dashboard/p/{producer_id}/payments/settle", post(one_payment::post_settle)),
        ("/dashboard/p/{producer_id}/payments/paid-back", post(one_payment::post_paid_back)),
        ("/dashboard/p/{producer_id}/payments/owed", get(pay_backs::get_owed)),
        (
            "/dashboard/p/{producer_id}/payments/owed/paid-back",
            get(pay_backs::get_paid_back).post(pay_backs::post_paid_back),
        ),
        ("/dashboard/p/{producer_id}/team", get(team::get_team)),
        ("/dashboard/p/{producer_id}/team/invite", get(team::get_invite).post(team::post_invite)),
        ("/dashboard/p/{producer_id}/team/second-factor", post(team::post_second_factor)),
        ("/dashboard/p/{producer_id}/team/invitations/{id}/withdraw", post(team::post_withdraw)),
        ("/dashboard/p/{producer_id}/team/members/{id}", get(team::get_member)),
        ("/dashboard/p/{producer_id}/team/members/{id}/role", post(team::post_role)),
        ("/dashboard/p/{producer_id}/team/members/{id}/reset", post(team::post_reset)),
        ("/dashboard/p/{producer_id}/team/members/{id}/remove", post(team::post_remove)),
        ("/dashboard/p/{producer_id}/team/roles", get(roles::get_roles).post(roles::post_roles)),
        ("/dashboard/p/{producer_id}/team/roles/new", get(roles::get_new_role)),
        ("/dashboard/p/{producer_id}/team/roles/{id}", get(roles::get_role).post(roles::post_role)),
        ("/dashboard/p/{producer_id}/team/roles/{id}/delete", post(roles::post_delete_role)),
        ("/dashboard/p/{producer_id}/history", get(history::get_history)),
        ("/dashboard/p/{producer_id}/settings", get(settings::get_settings).post(settings::post_settings)),
        ("/dashboard/p/{producer_id}/settings/retention", post(settings::post_retention)),
        ("/dashboard/p/{producer_id}/settings/shop", get(shop_look::get_shop_look).post(shop_look::post_shop_look)),
        (
            "/dashboard/p/{producer_id}/settings/shop/picture",
            // The handler has a limit of its own, and says it.
            post(shop_look::post_picture).layer(DefaultBodyLimit::disable()),
        ),
        ("/dashboard/p/{producer_id}/settings/shop/picture/remove", post(shop_look::post_drop_picture)),
        ("/dashboard/p/{producer_id}/settings/terms", get(terms::get_terms).post(terms::post_terms)),
        ("/dashboard/p/{producer_id}/settings/websites", get(websites::get_websites).post(websites::post_websites)),
    ]
}

/// The pages of the dashboard that belong to a user or to nobody. Tests go through this list too.
pub fn staff_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    use dashboard::{account, confirm, links, overview, second_factor, service, sign_in};
    vec![
        ("/dashboard", get(overview::get_dashboard)),
        ("/dashboard/sign-in", get(sign_in::get_sign_in).post(sign_in::post_sign_in)),
        ("/dashboard/second-factor", get(second_factor::get_second_factor).post(second_factor::post_second_factor)),
        ("/dashboard/sign-out", post(sign_in::post_sign_out)),
        ("/dashboard/links/{token}", get(links::get_link).post(links::post_link)),
        ("/dashboard/confirm", get(confirm::get_confirm).post(confirm::post_confirm)),
        ("/dashboard/account", get(account::get_account)),
        ("/dashboard/account/name", post(account::post_name)),
        ("/dashboard/account/password", post(account::post_password)),
        ("/dashboard/account/second-factor", get(account::get_second_factor).post(account::post_second_factor)),
        ("/dashboard/account/sessions/end", post(account::post_end_sessions)),
        ("/dashboard/account/sessions/{id}/end", post(account::post_end_session)),
        ("/dashboard/service", get(service::get_service)),
        ("/dashboard/service/producers", post(service::post_producers)),
        ("/dashboard/service/users/{id}", post(service::post_user)),
    ]
}

/// What the log and metrics call the route of a path that no route has.
const NO_ROUTE: &str = "none";

/// What they call everything that is asked for over plain http and answered over https.
const TO_HTTPS: &str = "to_https";

/// Every route, each with an edge of its own around it, which knows the route's name and its numbers.
pub fn router(app: App, config: Config, counted: Option<&Requests>) -> Router {
    let (config, lines) = (Arc::new(config.clone()), Arc::new(AccessLines::new(config.log_requests)));
    let around = |router: Router<App>, route: &'static str, render: Render| {
        let (config, lines) = (Arc::clone(&config), Arc::clone(&lines));
        let counted = counted.map(|requests| requests.route(route));
        router.layer(EdgeLayer(Arc::new(Edge { config, render, route, counted, lines })))
    };
    let doors = Arc::new(dashboard::door::watch::Doors::default());
    let for_staff = |router: Router<App>| router.layer(Extension(Arc::clone(&doors)));
    let programs = [api_routes(), door_routes(), payment_routes(), open_routes()].concat();
    let programs = programs.into_iter().map(|(path, methods)| around(alone(path, methods), path, problem::render));
    let cross_origin = shop::cross_origin::layer(&app);
    let buyers = shop_routes().into_iter();
    let buyers =
        buyers.map(|(path, methods)| around(alone(path, methods).layer(cross_origin.clone()), path, problem::render));
    let copies = Arc::new(shop::pages::copies::Copies::default());
    let for_buyers = |router: Router<App>| router.layer(Extension(Arc::clone(&copies)));
    let people = page_routes().into_iter();
    let people =
        people.map(|(path, methods)| around(guarded(for_buyers(alone(path, methods))), path, error_page::render));
    let staff = [producer_routes(), staff_routes()].concat().into_iter();
    let staff = staff.map(|(path, methods)| around(guarded(for_staff(alone(path, methods))), path, error_page::render));
    let nowhere = Router::new().fallback(async || Error::NotFound("path"));
    let nowhere = around(nowhere, NO_ROUTE, error_page::render);
    programs.chain(buyers).chain(people).chain(staff).fold(nowhere, Router::merge).with_state(app)
}

/// One route by itself.
fn alone(path: &'static str, methods: MethodRouter<App>) -> Router<App> {
    Router::new().route(path, methods).method_not_allowed_fallback(async || Error::MethodNotAllowed)
}

/// What is answered over plain http by a server that speaks https.
pub fn plain_router(config: &Config, mode: Https, port: u16, counted: Option<&Requests>) -> Router {
    // These answers are not over https, whatever the others are.
    let plain = Config { https: None, public_url: None, trust_proxy: false, ..config.clone() };
    let around = Edge {
        config: Arc::new(plain),
        render: error_page::render,
        route: TO_HTTPS,
        counted: counted.map(|requests| requests.route(TO_HTTPS)),
        lines: Arc::new(AccessLines::new(config.log_requests)),
    };
    let to = ToHttps { port, public_url: config.public_url.clone() };
    let router = match mode {
        Https::Trusted => Router::new().fallback(to_https::redirect),
        Https::Local => Router::new()
            .route("/assets/{*file}", get(assets::get_file))
            .method_not_allowed_fallback(async || Error::HttpsOnly)
            .fallback(to_https::explain),
    };
    router.layer(EdgeLayer(Arc::new(around))).with_state(Arc::new(to))
}

/// Answers "ready" if the database answers and can be written to.
async fn get_ready(State(app): State<App>) -> Result<&'static str, Error> {
    if app.leaving.load(Ordering::Relaxed) {
        return Err(Error::Unavailable("the server was told to stop".to_owned()));
    }
    store::settings::answer(&mut app.store.read().await?).await?;
    app.store.check_writable().await?;
    if !store::pulse::feel(&app.store, &app.time).await?.is_known {
        return Err(Error::Unavailable("the schema is newer than this server".into()));
    }
    if let store::distribution::Distribution::Unfinished { .. } =
        store::distribution::Distribution::of(&mut app.store.read().await?).await?
    {
        return Err(Error::Unavailable("the tables are not all where they must be".into()));
    }
    Ok("ready\n")
}
