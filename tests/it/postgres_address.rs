//! What an address of PostgreSQL may say, what is said of one that is wrong, and which databases are taken.

use std::{net::TcpListener, process::Output};

use crate::harness::{Attempt, End, Engine, Raw, TlsCluster, new_address, taquilla};

fn run(address: &str, arguments: &[&str]) -> Output {
    taquilla(address).args(arguments).env_remove("PGSSLMODE").output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[tokio::test]
async fn ports_and_hosts_stand_where_libpq_looks_for_them() {
    let cluster = TlsCluster::start().await;
    let port = cluster.port();
    let folder = cluster.socket().split_once('@').unwrap().1.split_once(':').unwrap().0.to_owned();
    // Somebody has this port and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let silent = silent.local_addr().map(|address| (address.port(), silent)).unwrap();
    let ends = |address: String| Attempt::ends(address, End::Plain);
    cluster.try_all(
        "ports and hosts",
        &[
            ends(format!("postgres://anybody@{folder}:{port}/postgres")),
            ends(format!("postgres://anybody@{folder}/postgres?port={port}")),
            ends(format!("postgres:///postgres?user=anybody&host={folder}&port={port}")),
            ends(format!("postgresql://anybody@nowhere.invalid/postgres?host=127.0.0.1&port={port}")),
            ends(format!("postgres://anybody@nowhere.invalid:{port}/postgres?hostaddr=127.0.0.1")),
            ends(format!("postgres://anybody@/postgres?hostaddr=127.0.0.1&port={port}")),
            ends(format!("postgres://anybody@127.0.0.1:{nobody},127.0.0.1:{port}/postgres")),
            ends(format!("postgres://anybody@127.0.0.1,{folder}/postgres?port={nobody},{port}")),
            ends(format!("postgres://anybody@/postgres?host=127.0.0.1,127.0.0.1&port={nobody},{port}")),
            ends(format!("postgres://anybody@{folder},127.0.0.1/postgres?port={port}&target_session_attrs=read-write")),
            ends(format!(
                "postgres://anybody@127.0.0.1,127.0.0.1/postgres?port={nobody},{port}&load_balance_hosts=random"
            ))
            .without_libpq(),
            // libpq waits for ever, unless it is told not to.
            ends(format!("postgres://anybody@127.0.0.1:{},127.0.0.1:{port}/postgres", silent.0)).without_libpq(),
            Attempt::is_refused(
                format!("postgres://anybody@127.0.0.1:{nobody},nowhere.invalid:{nobody}/postgres"),
                &["PostgreSQL at 127.0.0.1:", "Connection refused", "then:", "PostgreSQL at nowhere.invalid:"],
            ),
        ],
    );
}

#[tokio::test]
async fn options_reach_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let address = new_address(Engine::Postgres, folder.path()).await;
    Raw::open(&address).await.batch("CREATE SCHEMA elsewhere").await;
    let elsewhere = format!("{address}?options=-c%20search_path%3Delsewhere");
    let made = run(&elsewhere, &["producer", "create", "--name", "A", "--id", "pr_a"]);
    assert!(made.status.success(), "{}", said(&made));
    assert!(said(&run(&elsewhere, &["producer", "list"])).contains("pr_a"));
    let elsewhere_only = run(&address, &["producer", "list"]);
    assert!(said(&elsewhere_only).contains("there is no data of Taquilla"), "{}", said(&elsewhere_only));
}

#[tokio::test]
async fn a_database_that_is_not_utf_8_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let address = new_address(Engine::Postgres, folder.path()).await;
    let (cluster, _) = address.rsplit_once('/').unwrap();
    let raw = Raw::open(&address).await;
    for encoding in ["LATIN1", "SQL_ASCII"] {
        let name = format!("in_{}_{:032x}", encoding.to_lowercase(), rand::random::<u128>());
        raw.batch(&format!("CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")).await;
        let commands: [&[&str]; 4] = [
            &["producer", "create", "--name", "A"],
            &["producer", "list"],
            &["check"],
            &["serve", "--listen", "127.0.0.1:0"],
        ];
        for arguments in commands {
            let refused = run(&format!("{cluster}/{name}"), arguments);
            assert_eq!(refused.status.code(), Some(1), "{arguments:?}: {}", said(&refused));
            let words = format!("the database {name} at ");
            for words in [words.as_str(), &format!("has the encoding {encoding}"), "createdb --encoding=UTF8"] {
                assert!(said(&refused).contains(words), "{arguments:?}: {}", said(&refused));
            }
        }
        let tables = "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = 'public'";
        assert_eq!(Raw::open(&format!("{cluster}/{name}")).await.rows(tables).await, [] as [Vec<String>; 0]);
    }
}

#[test]
fn a_wrong_address_is_explained_without_its_password() {
    let form = "postgres://USER:PASSWORD@HOST:PORT/NAME";
    let modes = "is one of disable, prefer, require, verify-ca, verify-full";
    for (address, words) in [
        ("postgres://u:hunter2@h/db?sslmode=allow", modes),
        ("postgres://u:hunter2@h/db?sslmode=Require", modes),
        ("postgres://u:hunter2@h/db?sslmod=require", "a parameter \"sslmod\" that Taquilla does not know"),
        ("postgres://u:hunter2@h/db?gssencmode=disable", "it knows host, port, sslmode, sslrootcert"),
        // What follows the first @ may be a piece of the password.
        ("postgres://u:x@hunter2?hunter2=1@h/db", "a parameter that Taquilla does not know"),
        ("postgres://u:hunter2@h/db?sslmode", form),
        ("postgres://u:hunter2@h/db?sslmode=%ff", form),
        ("postgres://u:hunter2@h:5432x/db", "a `port` that cannot be read"),
        ("postgres://u:hunter2@h/db?port=65536", "a port that is not a number from 0 to 65535"),
        ("postgres://u:hunter2@h/db?port=1,2", "one port, or one for each of its 1 servers, not 2"),
        ("postgres://u:hunter2@h/db?hostaddr=h", "a `hostaddr` that cannot be read"),
        ("postgres://u:hunter2@h,i/db?hostaddr=127.0.0.1", "a host and a hostaddr for each of its 2 servers, not 1"),
        ("postgres://u:hunter2@h/db?host=a,,b", "a host without a name"),
        ("postgres://u:hunter2@/db", "names no host"),
        ("postgres:///db", "postgres://USER@%2Fvar%2Frun%2Fpostgresql/NAME"),
        ("postgres://u:hunter2@[::1/db", "a `host` that cannot be read"),
        ("postgres://u:hunter2@h/db?channel_binding=always", "a `channel_binding` that cannot be read"),
        (
            "postgres://u:hunter2@h/db?sslrootcert=system&sslmode=prefer",
            "needs sslmode=verify-full, not sslmode=prefer",
        ),
    ] {
        let refused = run(address, &["producer", "list"]);
        let text = said(&refused);
        assert_eq!(refused.status.code(), Some(2), "{address}: {text}");
        assert!(text.contains(words), "{address}: {text}");
        assert!(!text.contains("hunter2"), "{address}: {text}");
    }
    let variable = taquilla("postgres://h/db").args(["producer", "list"]).env("PGSSLMODE", "maybe").output().unwrap();
    assert!(said(&variable).contains(modes), "{}", said(&variable));
    // Nobody answers: the host is named, and the password is not.
    let refused = run("postgres://u:hunter2@127.0.0.1:1/db", &["producer", "list"]);
    assert!(said(&refused).contains("there is no connection to PostgreSQL at 127.0.0.1:1"), "{}", said(&refused));
    assert!(!said(&refused).contains("hunter2"), "{}", said(&refused));
}
