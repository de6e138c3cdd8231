//! Certificates for a test, and the authority that issues them.

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose, SigningKey,
};

/// An authority that only the test knows. All of them have the same name.
pub struct Authority {
    certificate: Certificate,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate and its key.
pub struct Issued {
    pub certificate: Vec<u8>,
    pub key: KeyPair,
}

impl Authority {
    pub fn new() -> Self {
        Self::signing_with(KeyPair::generate().unwrap())
    }

    /// An authority with this key, which decides how it signs.
    pub fn signing_with(key: KeyPair) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "Authority of a test");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        Self { certificate: params.self_signed(&key).unwrap(), issuer: Issuer::new(params, key) }
    }

    /// The authority's certificate, as the content of a file.
    pub fn pem(&self) -> String {
        self.certificate.pem()
    }

    pub fn issue(&self, params: &CertificateParams) -> Issued {
        let key = KeyPair::generate().unwrap();
        Issued { certificate: params.signed_by(&key, &self.issuer).unwrap().der().to_vec(), key }
    }

    /// A certificate for these names.
    pub fn issue_for(&self, names: &[&str]) -> Issued {
        self.issue(&named(names))
    }

    /// A certificate as openssl makes it where it is told no extensions: of version 1.
    pub fn issue_version_1(&self, params: &CertificateParams) -> Issued {
        let Issued { certificate, key } = self.issue(params);
        let [signed, algorithm, _] = elements(contents(&certificate)).try_into().unwrap();
        // The version stands first, and the extensions last.
        let (version, extensions) = (0xa0, 0xa3);
        let kept = elements(contents(signed)).into_iter().filter(|part| ![version, extensions].contains(&part[0]));
        let signed = element(0x30, &kept.collect::<Vec<_>>().concat());
        let signature = [&[0], self.issuer.key().sign(&signed).unwrap().as_slice()].concat();
        let certificate = element(0x30, &[signed, algorithm.to_vec(), element(0x03, &signature)].concat());
        Issued { certificate, key }
    }
}

/// What a certificate for these names says. The first one is also its common name.
pub fn named(names: &[&str]) -> CertificateParams {
    let mut params = CertificateParams::new(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).unwrap();
    params.distinguished_name.push(DnType::CommonName, *names.first().unwrap_or(&"nobody"));
    params
}

impl Issued {
    /// A certificate that says of itself that it is an authority's.
    pub fn by_itself(names: &[&str]) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = named(names);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self { certificate: params.self_signed(&key).unwrap().der().to_vec(), key }
    }

    /// The certificate, as the content of a file.
    pub fn pem(&self) -> String {
        use base64::{Engine, prelude::BASE64_STANDARD};
        let text = BASE64_STANDARD.encode(&self.certificate);
        let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| str::from_utf8(line).unwrap()).collect();
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
    }
}

/// The bytes of one element of DER.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).unwrap().to_be_bytes();
    let head = match content.len() {
        0..=0x7f => vec![tag, length[1]],
        0x80..=0xff => vec![tag, 0x81, length[1]],
        _ => vec![tag, 0x82, length[0], length[1]],
    };
    [head, content.to_vec()].concat()
}

/// How long the head of an element is, and all of it.
fn lengths(der: &[u8]) -> (usize, usize) {
    let number = |bytes: &[u8]| bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
    let head = if der[1] < 0x80 { 2 } else { 2 + usize::from(der[1] & 0x7f) };
    (head, head + if head == 2 { usize::from(der[1]) } else { number(&der[2..head]) })
}

fn contents(der: &[u8]) -> &[u8] {
    &der[lengths(der).0..]
}

fn elements(mut der: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    while !der.is_empty() {
        let (one, rest) = der.split_at(lengths(der).1);
        found.push(one);
        der = rest;
    }
    found
}
