//! TLS to PostgreSQL: every `sslmode` with every kind of server, against libpq itself; client certificates; renewal.

use std::os::unix::fs::PermissionsExt;

use rcgen::{CertificateParams, DnType, date_time_ymd};

use crate::harness::{
    Attempt, Authority, Client, End, Issued, Raw, TlsCluster, address_in, named, serve, start, until,
};

/// Attempts of the user `anybody` with these parameters; `ROOT` stands for a file with the authority's certificate.
struct Table<'a> {
    cluster: &'a TlsCluster,
    root: String,
}

impl Table<'_> {
    fn ends(&self, parameters: &str, end: End) -> Attempt {
        Attempt::ends(self.address(parameters), end)
    }

    fn is_refused(&self, parameters: &str, says: &'static [&'static str]) -> Attempt {
        Attempt::is_refused(self.address(parameters), says)
    }

    fn address(&self, parameters: &str) -> String {
        self.cluster.address("anybody", &parameters.replace("ROOT", &self.root))
    }
}

const CA: &str = "sslmode=verify-ca&sslrootcert=ROOT";
const FULL: &str = "sslmode=verify-full&sslrootcert=ROOT";
const REQUIRE_WITH_ROOT: &str = "sslmode=require&sslrootcert=ROOT";

#[tokio::test]
async fn sslmode_means_what_libpq_means() {
    let cluster = TlsCluster::start().await;
    let authority = Authority::new();
    let root = cluster.file("root.crt", &authority.pem()).display().to_string();
    let table = Table { cluster: &cluster, root };
    without_tls(&table);
    with_a_good_certificate(&table, &authority);
    with_a_wrong_certificate(&table, &authority);
    with_a_certificate_that_libpq_takes(&table, &authority);
    with_other_versions_of_tls(&table, &authority);
}

fn without_tls(table: &Table<'_>) {
    table.cluster.try_all(
        "no TLS on the server",
        &[
            table.ends("", End::Plain),
            table.ends("sslmode=disable", End::Plain),
            table.ends("sslmode=prefer", End::Plain),
            table.is_refused("sslmode=require", &["offers no TLS, and sslmode=require asks for it", "ssl = on"]),
            table.is_refused(REQUIRE_WITH_ROOT, &["offers no TLS, and sslmode=require asks for it"]),
            table.is_refused(CA, &["offers no TLS, and sslmode=verify-ca asks for it"]),
            table.is_refused(FULL, &["db.example", "offers no TLS, and sslmode=verify-full asks for it"]),
            Attempt::is_refused(
                table.cluster.address("with_tls", ""),
                &["refuses the connection: no pg_hba.conf entry", "the connection was without TLS"],
            ),
            // A socket has no TLS, whatever the mode: nobody listens in on it.
            Attempt::ends(format!("{}?sslmode=verify-full&sslrootcert=/nowhere", table.cluster.socket()), End::Plain),
        ],
    );
}

fn with_a_good_certificate(table: &Table<'_>, authority: &Authority) {
    let (cluster, root) = (table.cluster, &table.root);
    cluster.with_tls(&authority.issue_for(&["db.example"]), "");
    let other = cluster.file("other.crt", &Authority::new().pem()).display().to_string();
    let no_roots = &["verifies the server's certificate, and nobody is trusted", "sslrootcert=system"];
    let by_number = format!("postgres://anybody@127.0.0.1:{}/postgres?{FULL}", cluster.port()).replace("ROOT", root);
    cluster.try_all(
        "a good certificate",
        &[
            table.ends("", End::Tls),
            table.ends("sslmode=disable", End::Plain),
            table.ends("sslmode=prefer", End::Tls),
            table.ends("sslmode=require", End::Tls),
            table.ends(REQUIRE_WITH_ROOT, End::Tls),
            table.ends(CA, End::Tls),
            table.ends(FULL, End::Tls),
            table.is_refused("sslmode=verify-ca", no_roots),
            table.is_refused("sslmode=verify-full", no_roots),
            table.ends("", End::Tls).with("PGSSLMODE", "verify-full").with("PGSSLROOTCERT", root),
            table
                .is_refused("", &["nobody in", "other.crt"])
                .with("PGSSLMODE", "verify-ca")
                .with("PGSSLROOTCERT", &other),
            table.ends("sslmode=disable", End::Plain).with("PGSSLMODE", "verify-full"),
            table.ends("sslrootcert=system", End::Tls).with("SSL_CERT_FILE", root).without_libpq(),
            table
                .is_refused("sslrootcert=system", &["nobody issued whom this system trusts", "sslrootcert"])
                .with("SSL_CERT_FILE", &other)
                .without_libpq(),
            table
                .is_refused("sslrootcert=system&sslmode=require", &["sslrootcert=system needs sslmode=verify-full"])
                .without_libpq(),
            Attempt::is_refused(by_number, &["for db.example, not for 127.0.0.1", "sslmode=verify-ca"]),
            // No certificate can be for this host.
            Attempt::ends(table.address("").replace("db.example", "db..example"), End::Plain).unlike_libpq(End::Tls),
            Attempt::is_refused(
                table.address("sslmode=require").replace("db.example", "db..example"),
                &["db..example:", "no name that a certificate can be for"],
            )
            .unlike_libpq(End::Tls),
            // A file that is named must be there. libpq verifies nothing then, if it may.
            table
                .is_refused("sslmode=require&sslrootcert=/nowhere", &["/nowhere (sslrootcert) cannot be used"])
                .unlike_libpq(End::Tls),
            table.is_refused("sslmode=verify-ca&sslrootcert=/dev/null", &["/dev/null (sslrootcert) cannot be used"]),
            // What the server's rules say.
            Attempt::ends(cluster.address("with_tls", ""), End::Tls),
            Attempt::is_refused(
                cluster.address("with_tls", "sslmode=disable"),
                &["no pg_hba.conf entry", "without TLS (sslmode=disable): if the server wants it"],
            ),
            Attempt::ends(cluster.address("without_tls", ""), End::Plain),
            Attempt::is_refused(
                cluster.address("without_tls", "sslmode=require"),
                &["no pg_hba.conf entry", "with TLS"],
            ),
        ],
    );
    // libpq's own file is used where no other is named, also by `require`.
    let file = cluster.file(".postgresql/root.crt", &authority.pem());
    cluster.try_all("root.crt at home", &[table.ends("sslmode=verify-full", End::Tls)]);
    std::fs::copy(&other, &file).unwrap();
    let says = &["nobody in ~/.postgresql/root.crt"];
    cluster
        .try_all("another root.crt at home", &[table.is_refused("sslmode=require", says), table.ends(FULL, End::Tls)]);
    std::fs::remove_file(file).unwrap();
}

fn with_a_wrong_certificate(table: &Table<'_>, authority: &Authority) {
    let cluster = table.cluster;
    cluster.with_tls(&Authority::new().issue_for(&["db.example"]), "");
    let says = &["db.example:", "a certificate that nobody in", "root.crt (sslrootcert) has issued"];
    cluster.try_all(
        "a certificate of another authority",
        &[
            table.ends("sslmode=disable", End::Plain),
            table.ends("", End::Tls),
            table.ends("sslmode=require", End::Tls),
            table.is_refused(REQUIRE_WITH_ROOT, says),
            table.is_refused(CA, says),
            table.is_refused(FULL, says),
            // Nothing is verified where TLS is only preferred. libpq goes on without TLS.
            table.ends("sslrootcert=ROOT", End::Tls).unlike_libpq(End::Plain),
        ],
    );
    cluster.with_tls(&authority.issue_for(&["other.example", "*.more.example"]), "");
    let says = &["for other.example, *.more.example, not for db.example", "sslmode=verify-ca"];
    cluster.try_all(
        "a certificate for another name",
        &[
            table.ends("sslmode=require", End::Tls),
            table.ends(REQUIRE_WITH_ROOT, End::Tls),
            table.ends(CA, End::Tls),
            table.is_refused(FULL, says),
        ],
    );
    for (what, from, to, says) in [
        ("expired", (2019, 1, 1), (2020, 1, 1), &["has expired (2020-01-01T00:00:00Z)", "renew it there"]),
        ("not valid yet", (2200, 1, 1), (2201, 1, 1), &["is not valid yet (2200-01-01T00:00:00Z)", "clock"]),
    ] {
        let mut params = named(&["db.example"]);
        params.not_before = date_time_ymd(from.0, from.1, from.2);
        params.not_after = date_time_ymd(to.0, to.1, to.2);
        cluster.with_tls(&authority.issue(&params), "");
        cluster.try_all(
            what,
            &[
                table.ends("sslmode=prefer", End::Tls),
                table.ends("sslmode=require", End::Tls),
                table.is_refused(REQUIRE_WITH_ROOT, says),
                table.is_refused(CA, says),
                table.is_refused(FULL, says),
            ],
        );
    }
}

/// What the manual says of certificates that libpq takes and Taquilla does not.
fn with_a_certificate_that_libpq_takes(table: &Table<'_>, authority: &Authority) {
    let cluster = table.cluster;
    let mut nameless = CertificateParams::default();
    nameless.distinguished_name.push(DnType::CommonName, "db.example");
    cluster.with_tls(&authority.issue(&nameless), "");
    cluster.try_all(
        "only a common name",
        &[
            table.ends("sslmode=require", End::Tls),
            table.ends(CA, End::Tls),
            table.is_refused(FULL, &["subjectAltName=DNS:db.example"]).unlike_libpq(End::Tls),
        ],
    );
    cluster.with_tls(&authority.issue_version_1(&nameless), "");
    cluster.try_all(
        "version 1",
        &[
            table.ends("", End::Tls),
            table.ends("sslmode=require", End::Tls),
            table.is_refused(CA, &["of X.509 version 1"]).unlike_libpq(End::Tls),
        ],
    );
    let itself = Issued::by_itself(&["db.example"]);
    cluster.with_tls(&itself, "");
    let file = cluster.file("itself.crt", &itself.pem()).display().to_string();
    cluster.try_all(
        "an authority's certificate",
        &[
            table.ends("sslmode=require", End::Tls),
            table
                .is_refused(&format!("sslmode=verify-ca&sslrootcert={file}"), &["(CA:TRUE)", "CA:FALSE"])
                .unlike_libpq(End::Tls),
        ],
    );
}

fn with_other_versions_of_tls(table: &Table<'_>, authority: &Authority) {
    let (cluster, issued) = (table.cluster, authority.issue_for(&["db.example"]));
    cluster.with_tls(&issued, "-c ssl_max_protocol_version=TLSv1.2");
    cluster.try_all("TLS 1.2", &[table.ends("sslmode=require", End::Tls), table.ends(FULL, End::Tls)]);
    cluster.with_tls(&issued, "-c ssl_min_protocol_version=TLSv1 -c ssl_max_protocol_version=TLSv1.1");
    let says = &["no version of TLS or no cipher in common with Taquilla", "ssl_max_protocol_version"];
    cluster.try_all("TLS 1.1", &[table.ends("", End::Plain), table.is_refused("sslmode=require", says)]);
}

#[tokio::test]
async fn a_client_certificate_is_shown_where_the_server_wants_one() {
    let cluster = TlsCluster::start().await;
    let authority = Authority::new();
    let trusted = cluster.give_server("clients.crt", &authority.pem());
    cluster.with_tls(&authority.issue_for(&["db.example"]), &format!("-c ssl_ca_file={}", trusted.display()));
    let files = |name: &str, issued: &Issued| {
        let certificate = cluster.file(&format!("{name}.crt"), &issued.pem());
        let key = cluster.file(&format!("{name}.key"), &issued.key.serialize_pem());
        (certificate.display().to_string(), key.display().to_string())
    };
    let (right, right_key) = files("right", &authority.issue_for(&["certified"]));
    let (of_another, of_another_key) = files("of_another", &authority.issue_for(&["somebody"]));
    let (stranger, strange_key) = files("stranger", &Authority::new().issue_for(&["certified"]));
    let open_key = cluster.file("open.key", &std::fs::read_to_string(&right_key).unwrap());
    std::fs::set_permissions(&open_key, PermissionsExt::from_mode(0o644)).unwrap();
    let open_key = open_key.display();
    let pem = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    let encrypted = cluster.file("encrypted.key", pem).display().to_string();

    let with = |parameters: &str| cluster.address("certified", &format!("sslmode=require&{parameters}"));
    let pair = |certificate: &str, key: &str| with(&format!("sslcert={certificate}&sslkey={key}"));
    cluster.try_all(
        "client certificates",
        &[
            Attempt::ends(pair(&right, &right_key), End::Tls),
            Attempt::ends(with(""), End::Tls).with("PGSSLCERT", &right).with("PGSSLKEY", &right_key),
            Attempt::is_refused(
                with(""),
                &["refuses the connection", "without a client certificate", "sslcert", "sslkey"],
            ),
            Attempt::is_refused(
                cluster.address("certified", ""),
                &["without a client certificate", "then:", "the connection was without TLS"],
            ),
            Attempt::is_refused(pair(&of_another, &of_another_key), &["certified", "which must be for this user"]),
            Attempt::is_refused(pair(&stranger, &strange_key), &["certificate of sslcert"]),
            Attempt::is_refused(pair(&right, &of_another_key), &["do not go together"]),
            Attempt::is_refused(pair(&right, &open_key.to_string()), &["open.key (sslkey)", "chmod 600"]),
            Attempt::is_refused(pair(&right, &encrypted), &["encrypted.key (sslkey)", "openssl pkey"]),
            Attempt::is_refused(pair(&right, "/nowhere"), &["/nowhere (sslkey) cannot be used"]),
            Attempt::is_refused(pair("/nowhere", &right_key), &["/nowhere (sslcert) cannot be used"]),
            Attempt::is_refused(with(&format!("sslcert={right}")), &["right.crt (sslcert) has no key"]),
            Attempt::is_refused(with(&format!("sslkey={right_key}")), &["right.key (sslkey) has no certificate"]),
        ],
    );
    for (from, to) in [(&right, "postgresql.crt"), (&right_key, "postgresql.key")] {
        cluster.file(&format!(".postgresql/{to}"), &std::fs::read_to_string(from).unwrap());
    }
    cluster.try_all("at home", &[Attempt::ends(with(""), End::Tls)]);
}

#[tokio::test]
async fn a_server_takes_renewed_files_without_a_restart() {
    let cluster = TlsCluster::start().await;
    let (before, after) = (Authority::new(), Authority::new());
    let root = cluster.file("root.crt", &before.pem());
    cluster.file(".pgpass", "*:*:*:secretive:pa\\:ss\\\\word\n");
    cluster.with_tls(&before.issue_for(&["db.example"]), "");
    let address = cluster
        .address("secretive", &format!("sslmode=verify-full&sslrootcert={}&channel_binding=require", root.display()));
    let (running, text, log) = start(cluster.at_home(serve(&address)), "listening");
    let client = Client::new(address_in(&text).parse().unwrap());
    let ready = async || client.get("/readyz", "").await.status == 200;
    assert!(until(ready).await);

    // The server's certificate is of another authority, which the file does not have at first.
    cluster.with_tls(&after.issue_for(&["db.example"]), "");
    assert!(until(async || !ready().await).await);
    cluster.try_all(
        "another authority",
        &[Attempt::is_refused(address.clone(), &["nobody in", "(sslrootcert) has issued"])],
    );
    cluster.file("root.crt", &after.pem());
    assert!(until(ready).await);

    // Nor does the file of passwords have the new one at first.
    let raw = Raw::open(&cluster.socket()).await;
    raw.batch("ALTER ROLE secretive PASSWORD 'renewed'").await;
    // One that was just being made may come after those that are ended.
    let end_all = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'secretive'";
    let is_away = async || {
        raw.batch(end_all).await;
        !ready().await
    };
    assert!(until(is_away).await);
    let says = &["password authentication failed", "the password is from the password file", ".pgpass"];
    cluster.try_all("another password", &[Attempt::is_refused(address.clone(), says)]);
    cluster.file(".pgpass", "*:*:*:secretive:renewed\n");
    assert!(until(ready).await);

    drop(running);
    let log = log.join().unwrap();
    assert!(!log.contains("ss\\word") && !log.contains("renewed"), "{log}");
}
