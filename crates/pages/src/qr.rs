//! QR codes on pages.

use fast_qr::{
    QRBuilder,
    convert::{Builder, Shape, svg::SvgBuilder},
};

/// A QR code as a drawing. `None` if the text is too long for one.
pub fn drawn(text: &str) -> Option<String> {
    let code = QRBuilder::new(text).build().ok()?;
    Some(SvgBuilder::default().margin(2).shape(Shape::Square).to_str(&code))
}
