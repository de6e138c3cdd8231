//! The picture that is drawn for a shop or an event without one: a ticket in the organiser's colour, with what it is for.

use std::io::Cursor;

use ab_glyph::{Font, FontRef, Point, PxScale, ScaleFont, point};
use image::{ImageFormat, Rgb, RgbImage};

use taquilla_domain::{colour::Colour, config::SHOP_DRAWN};
use taquilla_http::errors::Error;

/// What is drawn.
pub struct Drawing {
    /// The organiser's colour; without one it is that of all pages.
    pub colour: Option<Colour>,
    /// What it is for, in large letters.
    pub title: String,
    /// What is said above the title, and then what is said below it.
    pub lines: Vec<String>,
}

/// The colour of the bar of all pages, and of what is written on it.
const PLAIN: ([u8; 3], [u8; 3]) = ([0x15, 0x1a, 0x24], [0xf7, 0xf4, 0xec]);
/// From the edge to what is written.
const MARGIN: f32 = 80.0;
/// How high letters are: of the title in one, two or three lines, and of everything else.
const TITLE: [f32; 3] = [112.0, 92.0, 72.0];
const LINE: f32 = 42.0;
/// The holes along which a ticket is torn: how large, and how far from one another.
const HOLE: f32 = 11.0;
const HOLES_APART: f32 = 45.0;

impl Drawing {
    /// The picture as a PNG.
    pub fn png(&self) -> Result<Vec<u8>, Error> {
        let failed = |cause: String| Error::Internal(format!("a picture could not be drawn: {cause}"));
        let font = FontRef::try_from_slice(dejavu::sans::bold()).map_err(|cause| failed(cause.to_string()))?;
        let mut png = Cursor::new(Vec::new());
        self.drawn(&font).write_to(&mut png, ImageFormat::Png).map_err(|cause| failed(cause.to_string()))?;
        Ok(png.into_inner())
    }

    fn drawn(&self, font: &FontRef<'_>) -> RgbImage {
        let (width, height) = SHOP_DRAWN;
        let (paper, ink) = self.colour.map_or(PLAIN, |colour| (colour.parts(), colour.ink().parts()));
        let mut picture = RgbImage::from_pixel(width, height, Rgb(paper));
        holes(&mut picture, paper, ink);
        let wide = width as f32 - 2.0 * MARGIN;
        let (title, size) = fitted(font, &self.title, wide);
        let (above, below) = self.lines.split_at(self.lines.len().min(1));
        let line_height = LINE * 1.4;
        let whole = line_height * self.lines.len() as f32 + size * 1.15 * title.len() as f32;
        let mut top = (height as f32 - whole) / 2.0;
        let mut write = |text: &str, size: f32, step: f32| {
            write(&mut picture, font, &shortened(font, text, size, wide), point(MARGIN, top), size, (paper, ink));
            top += step;
        };
        above.iter().for_each(|line| write(line, LINE, line_height));
        title.iter().for_each(|line| write(line, size, size * 1.15));
        below.iter().for_each(|line| write(line, LINE, line_height));
        picture
    }
}

/// How wide a text is.
fn width_of(font: &FontRef<'_>, text: &str, size: f32) -> f32 {
    let font = font.as_scaled(PxScale::from(size));
    text.chars().map(|letter| font.h_advance(font.glyph_id(letter))).sum()
}

/// The title in as few lines as it fits in, and how high its letters are.
fn fitted(font: &FontRef<'_>, title: &str, wide: f32) -> (Vec<String>, f32) {
    let last = TITLE[TITLE.len() - 1];
    for (at, size) in TITLE.into_iter().enumerate() {
        let lines = wrapped(font, title, size, wide);
        if lines.len() <= at + 1 {
            return (lines, size);
        }
    }
    let mut lines = wrapped(font, title, last, wide);
    let left = lines.split_off(TITLE.len() - 1).join(" ");
    lines.push(left);
    (lines, last)
}

fn wrapped(font: &FontRef<'_>, text: &str, size: f32, wide: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width_of(font, &format!("{line} {word}"), size) <= wide => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// As much of a text as fits.
fn shortened(font: &FontRef<'_>, text: &str, size: f32, wide: f32) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if width_of(font, &words, size) <= wide {
        return words;
    }
    let mut kept = words;
    while kept.pop().is_some() {
        let short = format!("{}…", kept.trim_end());
        if width_of(font, &short, size) <= wide {
            return short;
        }
    }
    kept
}

fn write(
    picture: &mut RgbImage,
    font: &FontRef<'_>,
    text: &str,
    at: Point,
    size: f32,
    (paper, ink): ([u8; 3], [u8; 3]),
) {
    let font = font.as_scaled(PxScale::from(size));
    let (mut x, base) = (at.x, at.y + font.ascent());
    for letter in text.chars() {
        let id = font.glyph_id(letter);
        let glyph = id.with_scale_and_position(PxScale::from(size), point(x, base));
        x += font.h_advance(id);
        let Some(outline) = font.outline_glyph(glyph) else { continue };
        let corner = outline.px_bounds().min;
        outline.draw(|right, down, part| {
            put(picture, corner.x + right as f32, corner.y + down as f32, mixed(paper, ink, part));
        });
    }
}

/// The holes along both sides.
fn holes(picture: &mut RgbImage, paper: [u8; 3], ink: [u8; 3]) {
    let (width, height) = (picture.width() as f32, picture.height() as f32);
    let hole = mixed(paper, ink, 0.35);
    let mut middle = HOLES_APART / 2.0;
    while middle < height {
        for side in [0.0, width] {
            for (right, down) in square(HOLE) {
                if right.hypot(down) <= HOLE {
                    put(picture, side + right, middle + down, hole);
                }
            }
        }
        middle += HOLES_APART;
    }
}

fn square(reach: f32) -> impl Iterator<Item = (f32, f32)> {
    let steps = move || (-(reach as i32)..=reach as i32).map(|step| step as f32);
    steps().flat_map(move |right| steps().map(move |down| (right, down)))
}

/// Sets a point, if the picture has it.
fn put(picture: &mut RgbImage, x: f32, y: f32, colour: [u8; 3]) {
    if x >= 0.0 && y >= 0.0 && x < picture.width() as f32 && y < picture.height() as f32 {
        picture.put_pixel(x as u32, y as u32, Rgb(colour));
    }
}

fn mixed(under: [u8; 3], over: [u8; 3], part: f32) -> [u8; 3] {
    let part = part.clamp(0.0, 1.0);
    std::array::from_fn(|at| (f32::from(under[at]) * (1.0 - part) + f32::from(over[at]) * part).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(title: &str, lines: &[&str]) -> RgbImage {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        let drawing = Drawing { colour: Colour::parse("#0a5c36").ok(), title: title.to_owned(), lines };
        let picture = image::load_from_memory_with_format(&drawing.png().unwrap(), ImageFormat::Png).unwrap();
        picture.into_rgb8()
    }

    /// How many points are of the ink, left or right of the margin that nothing is written in.
    fn ink(picture: &RgbImage) -> (usize, usize) {
        let is_ink = |colour: &Rgb<u8>| colour.0 == [255; 3];
        let edge = picture.width() - MARGIN as u32 / 2;
        let points = picture.enumerate_pixels().filter(|(.., colour)| is_ink(colour));
        points.fold(
            (0, 0),
            |(inside, outside), (x, ..)| if x < edge { (inside + 1, outside) } else { (inside, outside + 1) },
        )
    }

    #[test]
    fn whatever_is_written_fits() {
        let long = "ñandú ".repeat(200);
        let word = "Wwwwwwwww".repeat(50);
        for (title, lines) in [
            ("Aurora Nights", vec!["Sala Aurora", "Fri 20 Nov, 20:00", "Gran Vía 1"]),
            (long.as_str(), vec![long.as_str(), &long, &long]),
            (&word, vec![&word]),
            ("", vec![]),
            ("東京\u{202e}\0\n", vec!["💃"]),
        ] {
            let picture = drawn(title, &lines);
            assert_eq!((picture.width(), picture.height()), SHOP_DRAWN);
            let (inside, outside) = ink(&picture);
            assert_eq!(outside, 0, "{title}");
            assert_eq!(inside > 0, !title.is_empty(), "{title}");
        }
        assert_ne!(drawn("One", &[]), drawn("Two", &[]));
    }
}
