//! Codes of coupons could be found by trying. So whoever tries many that cannot be used has to wait.

use taquilla_domain::refusal::Refusal;
use taquilla_http::{
    app::App,
    client_address::ClientAddress,
    errors::Error,
    rate::{Guess, Source},
};

/// Asks for something, perhaps with a coupon. The try is counted before it is decided, so many at once are no way around. It is
/// taken back unless the coupon is the reason of a refusal.
pub async fn asked<T>(
    app: &App,
    ClientAddress(address): ClientAddress,
    has_coupon: bool,
    ask: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    if !has_coupon {
        return ask.await;
    }
    let source = [Source::address(address)];
    app.limits.attempt(Guess::Coupon, &source)?;
    let answer = ask.await;
    if !matches!(answer, Err(Error::Refused(Refusal::Coupon))) {
        app.limits.was_right(Guess::Coupon, &source);
    }
    answer
}
