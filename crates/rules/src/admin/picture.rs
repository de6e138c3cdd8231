//! A picture that staff send. What is kept is never the file itself: its points are read and written anew, so nothing that was
//! hidden in the file (where a photo was taken, or a script) is in what buyers get.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, codecs::jpeg::JpegEncoder};

use taquilla_domain::config::{
    SHOP_PICTURE_BYTES, SHOP_PICTURE_LEAST, SHOP_PICTURE_MOST, SHOP_PICTURE_POINTS, SHOP_PICTURE_QUALITY,
};

/// A picture as it is kept: a JPEG.
#[derive(Debug)]
pub struct Picture(Vec<u8>);

/// Why a file is no picture for a shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongPicture {
    /// It is larger than a file may be.
    TooLarge,
    /// It is neither a JPEG nor a PNG, whatever it is called, or it is damaged.
    Unreadable,
    /// It has more points than are read.
    TooManyPoints,
    /// It is smaller than messengers show.
    TooSmall,
}

impl Picture {
    /// Reads a file. This takes a processor for a moment, so it runs beside the requests.
    pub fn read(file: &[u8]) -> Result<Self, WrongPicture> {
        if file.len() > SHOP_PICTURE_BYTES {
            return Err(WrongPicture::TooLarge);
        }
        let reader = ImageReader::new(Cursor::new(file)).with_guessed_format();
        let reader = reader.map_err(|_| WrongPicture::Unreadable)?;
        if !matches!(reader.format(), Some(ImageFormat::Jpeg | ImageFormat::Png)) {
            return Err(WrongPicture::Unreadable);
        }
        let mut decoder = reader.into_decoder().map_err(|_| WrongPicture::Unreadable)?;
        let (width, height) = decoder.dimensions();
        if u64::from(width) * u64::from(height) > SHOP_PICTURE_POINTS {
            return Err(WrongPicture::TooManyPoints);
        }
        let mut limits = Limits::default();
        limits.max_alloc = Some(SHOP_PICTURE_POINTS * BYTES_OF_A_POINT);
        decoder.set_limits(limits).map_err(|_| WrongPicture::TooManyPoints)?;
        // Phones write how they were held beside the points.
        let held = decoder.orientation();
        let mut picture = DynamicImage::from_decoder(decoder).map_err(|_| WrongPicture::Unreadable)?;
        picture.apply_orientation(held.unwrap_or(image::metadata::Orientation::NoTransforms));
        if picture.width() < SHOP_PICTURE_LEAST.0 || picture.height() < SHOP_PICTURE_LEAST.1 {
            return Err(WrongPicture::TooSmall);
        }
        let (most_width, most_height) = SHOP_PICTURE_MOST;
        if picture.width() > most_width || picture.height() > most_height {
            picture = picture.thumbnail(most_width, most_height);
        }
        Self::written(&picture).ok_or(WrongPicture::Unreadable)
    }

    fn written(picture: &DynamicImage) -> Option<Self> {
        let mut jpeg = Vec::new();
        // What can be seen through would be black.
        let mut on_white = image::RgbaImage::from_pixel(picture.width(), picture.height(), image::Rgba([255; 4]));
        image::imageops::overlay(&mut on_white, &picture.to_rgba8(), 0, 0);
        let points = DynamicImage::ImageRgba8(on_white).into_rgb8();
        JpegEncoder::new_with_quality(&mut jpeg, SHOP_PICTURE_QUALITY).encode_image(&points).ok()?;
        Some(Self(jpeg))
    }

    /// The file that is kept.
    pub fn jpeg(&self) -> &[u8] {
        &self.0
    }
}

/// The most that the points of a picture take: four channels of 16 bits.
const BYTES_OF_A_POINT: u64 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn file(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let picture = image::RgbImage::from_fn(width, height, |x, y| image::Rgb([x as u8, y as u8, 0]));
        let mut file = Cursor::new(Vec::new());
        picture.write_to(&mut file, format).unwrap();
        file.into_inner()
    }

    fn size(picture: &Picture) -> (u32, u32) {
        let read = image::load_from_memory_with_format(picture.jpeg(), ImageFormat::Jpeg).unwrap();
        (read.width(), read.height())
    }

    #[test]
    fn a_picture_is_written_anew_and_never_larger_than_it_is_shown() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            let mut sent = file(2500, 500, format);
            sent.extend_from_slice(b"<script>alert(1)</script>");
            let picture = Picture::read(&sent).unwrap();
            assert_eq!(size(&picture), (2400, 480), "{format:?}");
            assert!(!picture.jpeg().windows(8).any(|part| part == b"<script>"));
        }
        assert_eq!(size(&Picture::read(&file(600, 315, ImageFormat::Png)).unwrap()), (600, 315));
    }

    #[test]
    fn what_is_no_picture_is_refused_and_said() {
        let small = file(599, 315, ImageFormat::Png);
        let whole = file(700, 400, ImageFormat::Jpeg);
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='900' height='900'/>";
        let mut wide = file(600, 315, ImageFormat::Png);
        // It says that it is 60,000 points wide and as high.
        wide[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
        let sum = crc32(&wide[12..29]);
        wide[29..33].copy_from_slice(&sum.to_be_bytes());
        for (sent, wrong) in [
            (small.as_slice(), WrongPicture::TooSmall),
            (&whole[..whole.len() / 3][..200], WrongPicture::Unreadable),
            (svg, WrongPicture::Unreadable),
            (b"", WrongPicture::Unreadable),
            (&wide, WrongPicture::TooManyPoints),
            (&vec![0; SHOP_PICTURE_BYTES + 1], WrongPicture::TooLarge),
        ] {
            assert_eq!(Picture::read(sent).unwrap_err(), wrong);
        }
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let step = |sum: u32| (0..8).fold(sum, |sum, _| if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 });
        !bytes.iter().fold(!0, |sum, byte| step(sum ^ u32::from(*byte)))
    }
}
