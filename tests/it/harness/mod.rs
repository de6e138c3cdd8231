//! What every test needs: a world on either engine with a clock that the test steps, clients, processes, receivers.

/// Runs each test of a list on both engines: `both_engines![a_test, another_test];` for `async fn a_test(world:
/// World)`. The tests themselves are outside the macro, so that rustfmt formats them. The compiler warns of one that is
/// not listed.
macro_rules! both_engines {
    ($($name:ident),+ $(,)?) => {
        $(mod $name {
            #[test]
            fn sqlite() {
                crate::harness::run(crate::harness::Engine::Sqlite, super::$name);
            }

            #[test]
            fn postgres() {
                crate::harness::run(crate::harness::Engine::Postgres, super::$name);
            }
        })+
    };
}

/// Makes a test on SQLite only: for what hardly meets the database and takes long, such as the scanner page in a browser.
macro_rules! on_sqlite {
    ($($name:ident),+ $(,)?) => {
        $(mod $name {
            #[test]
            fn sqlite() {
                crate::harness::run(crate::harness::Engine::Sqlite, super::$name);
            }
        })+
    };
}

mod authority;
pub mod backups;
mod browser;
pub mod citus;
mod client;
mod cluster;
mod counting_line;
pub mod crowd;
mod databases;
mod faulty_line;
mod hooks;
pub mod https;
mod lines;
mod live;
mod new;
mod pebble;
mod pgbouncer;
mod poller;
mod process;
mod proxy;
mod raw;
pub mod receiver;
mod seed;
mod server;
mod shop;
mod signing;
mod silent_line;
mod slowly;
mod staff;
mod street;
mod synced;
mod table;
mod tls_cluster;
mod watch;
mod world;

use std::time::Duration;

pub use self::{
    authority::{Authority, Issued, named},
    browser::{in_browser, pictures},
    client::{Answer, Client, http_client, problem},
    cluster::Cluster,
    counting_line::CountingLine,
    databases::{Engine, new_address},
    faulty_line::FaultyLine,
    hooks::{DAY, Hooks, anywhere, to_this_machine, until},
    lines::{event, order, ticket, ticket_type, with},
    live::{Stream, figure, words},
    new::{new_event, new_item},
    pebble::Pebble,
    pgbouncer::PgBouncer,
    poller::{Poller, everything},
    process::{Running, address_in, peak_memory_kib, peak_memory_so_far_kib, serve, start, taquilla, terminate},
    proxy::{Kind, Proxy, unpacked},
    raw::Raw,
    seed::{is_long, rounds, runner, seed},
    server::Server,
    shop::{cart, pay, place, tell_of_payment, try_to_tell_of_payment},
    signing::sign,
    silent_line::SilentLine,
    slowly::Held,
    staff::{PASSWORD, Page, Staff},
    street::Street,
    synced::{Synced, SyncedRows, Target, shown},
    table::table,
    tls_cluster::{Attempt, End, TlsCluster},
    watch::{Scraped, Watch},
    world::{Producer, World, a_producer, configured, run, run_blocking, run_in_one_thread, without_shop_limits},
};

/// How long a test waits for something that must happen. Only a failing test waits this long, so it is generous for
/// busy machines.
pub const PATIENCE: Duration = Duration::from_secs(180);
