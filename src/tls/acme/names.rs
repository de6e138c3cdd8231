//! Names that a certificate can be ordered for.

use std::net::IpAddr;

use taquilla_domain::invalid::Invalid;

/// Reads a domain. It is also the name of a file.
pub fn domain(text: &str) -> Result<String, Invalid> {
    let name = text.trim().trim_end_matches('.').to_ascii_lowercase();
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let is_domain = name.len() <= 253 && name.contains('.') && name.split('.').all(is_label);
    match is_domain && name.parse::<IpAddr>().is_err() {
        true => Ok(name),
        false => Err(Invalid::new(
            "a domain such as tickets.example.com is expected, without * and in the letters of the DNS (xn--… for others)",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_one_that_an_authority_can_look_at() {
        assert_eq!(domain("Tickets.Example.COM.").unwrap(), "tickets.example.com");
        assert!(domain("xn--bcher-kva.example").is_ok());
        for wrong in
            ["", "localhost", "*.example.com", "192.168.1.5", "a..b", "-a.b", "a/../b.c", "https://a.b", "ñ.es"]
        {
            assert!(domain(wrong).is_err(), "{wrong:?}");
        }
    }
}
