//! Where the password of a connection comes from, and that it is bound to the connection.

use std::os::unix::fs::PermissionsExt;

use rcgen::{KeyPair, PKCS_ECDSA_P384_SHA384, PKCS_ED25519};

use crate::harness::{Attempt, Authority, End, Raw, TlsCluster};

/// The password of `secretive`, as an address has it.
const IN_ADDRESS: &str = "pa%3Ass%5Cword";
/// As a password file has it.
const IN_FILE: &str = "pa\\:ss\\\\word";
/// As it is.
const PASSWORD: &str = "pa:ss\\word";

#[tokio::test]
async fn a_password_is_found_where_libpq_finds_it() {
    let cluster = TlsCluster::start().await;
    Raw::open(&cluster.socket()).await.batch("CREATE DATABASE \"od:d\"").await;
    let address = cluster.address("secretive", "");
    let with_password = |password: &str| address.replacen('@', &format!(":{password}@"), 1);
    let file = |name: &str, lines: &str| cluster.file(name, lines).display().to_string();
    let port = cluster.port();
    let right = file("right", &format!("db.example:{port}:postgres:secretive:{IN_FILE}\n"));
    let wrong = file("wrong", &format!("*:*:*:*:mistaken\ndb.example:{port}:postgres:secretive:{IN_FILE}\n"));
    let readable = file("readable", &format!("*:*:*:*:{IN_FILE}\n"));
    std::fs::set_permissions(&readable, PermissionsExt::from_mode(0o640)).unwrap();
    let others = [
        format!("elsewhere:*:*:*:{IN_FILE}"),
        format!("*:1:*:*:{IN_FILE}"),
        format!("*:*:template1:*:{IN_FILE}"),
        format!("*:*:*:anybody:{IN_FILE}"),
        format!("*:*:*:secretiv:{IN_FILE}"),
        format!("#*:*:*:*:{IN_FILE}"),
        "*:*:*:*".to_owned(),
        "*:*:*:*:".to_owned(),
        String::new(),
        "\\".to_owned(),
    ];
    let others = file("others", &others.join("\n"));
    let windows = file("windows", &format!("# of another system\r\n*:*:*:*:{IN_FILE}\r\n"));
    let odd = file("odd", &format!("*:*:od:d:secretive:{IN_FILE}\n*:*:od\\:d:secretive:{IN_FILE}:more"));

    let refused = |says| Attempt::is_refused(address.clone(), says);
    let found = || Attempt::ends(address.clone(), End::Plain);
    cluster.try_all(
        "passwords",
        &[
            refused(&["asks for the password of user secretive, and there is none", "PGPASSWORD", "PGPASSFILE"]),
            Attempt::ends(with_password(IN_ADDRESS), End::Plain),
            Attempt::ends(cluster.address("secretive", &format!("password={IN_ADDRESS}")), End::Plain),
            Attempt::is_refused(with_password("mistaken"), &["password authentication failed", "from the address"]),
            found().with("PGPASSWORD", PASSWORD),
            refused(&["password authentication failed", "from PGPASSWORD"]).with("PGPASSWORD", "mistaken"),
            found().with("PGPASSFILE", &right),
            found().with("PGPASSFILE", &windows),
            Attempt::ends(cluster.address("secretive", &format!("passfile={right}")), End::Plain),
            refused(&["password authentication failed", "from the password file", "wrong"]).with("PGPASSFILE", &wrong),
            refused(&["there is none", "others has no line for it"]).with("PGPASSFILE", &others),
            refused(&["readable is not used: others have access to it; run chmod 600"]).with("PGPASSFILE", &readable),
            refused(&["/nowhere is not used: No such file"]).with("PGPASSFILE", "/nowhere"),
            refused(&["/dev/null is not used: it is not a plain file"]).with("PGPASSFILE", "/dev/null"),
            // The address goes before PGPASSWORD, and that before a file.
            Attempt::ends(with_password(IN_ADDRESS), End::Plain).with("PGPASSWORD", "mistaken"),
            found().with("PGPASSWORD", PASSWORD).with("PGPASSFILE", &wrong),
            found().with("PGPASSWORD", "").with("PGPASSFILE", &right),
            Attempt::ends(with_password(""), End::Plain).with("PGPASSFILE", &right),
            // Nothing of Taquilla is in this database, but the password was right.
            Attempt::is_refused(
                cluster.address("secretive", "").replace("/postgres", "/od%3Ad"),
                &["there is no data of Taquilla in the PostgreSQL database od:d"],
            )
            .with("PGPASSFILE", &odd)
            .unlike_libpq(End::Plain),
        ],
    );
    let at_home = cluster.file(".pgpass", &format!("*:*:*:*:{IN_FILE}"));
    cluster.try_all("at home", &[found(), found().with("PGPASSFILE", &right)]);
    std::fs::set_permissions(&at_home, PermissionsExt::from_mode(0o604)).unwrap();
    cluster.try_all("readable at home", &[refused(&[".pgpass is not used", "chmod 600"])]);
}

#[tokio::test]
async fn a_password_is_bound_to_the_connection() {
    let cluster = TlsCluster::start().await;
    let bound =
        |user, mode| Attempt::ends(cluster.address(user, &format!("channel_binding=require&sslmode={mode}")), End::Tls);
    let unbound = |user, mode, says| {
        Attempt::is_refused(cluster.address(user, &format!("channel_binding=require&sslmode={mode}")), says)
    };
    let says: &[&str] = &["server did not use channel binding"];
    let secret = |attempt: Attempt| attempt.with("PGPASSWORD", PASSWORD);
    cluster.try_all("no TLS", &[secret(unbound("secretive", "prefer", says))]);

    let authorities = [
        ("SHA-256", Authority::new()),
        ("SHA-384", Authority::signing_with(KeyPair::generate_for(&PKCS_ECDSA_P384_SHA384).unwrap())),
    ];
    for (what, authority) in authorities {
        cluster.with_tls(&authority.issue_for(&["db.example"]), "");
        cluster.try_all(
            what,
            &[
                secret(bound("secretive", "require")),
                secret(bound("secretive", "prefer")),
                unbound("anybody", "require", says),
                unbound("old_fashioned", "require", says).with("PGPASSWORD", "plainly"),
                Attempt::ends(cluster.address("old_fashioned", ""), End::Tls).with("PGPASSWORD", "plainly"),
                secret(Attempt::ends(cluster.address("secretive", "channel_binding=disable"), End::Tls)),
            ],
        );
    }

    // This signature has no hash. libpq fails where both ends would bind; Taquilla binds nothing unless it must.
    let authority = Authority::signing_with(KeyPair::generate_for(&PKCS_ED25519).unwrap());
    cluster.with_tls(&authority.issue_for(&["db.example"]), "");
    cluster.try_all(
        "no hash",
        &[
            secret(Attempt::ends(cluster.address("secretive", "sslmode=require"), End::Tls)).without_libpq(),
            secret(unbound("secretive", "require", says)),
        ],
    );
}
