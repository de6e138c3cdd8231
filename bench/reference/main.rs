//! What Taquilla is measured with and compared to. Each mode is a file.

mod bare;
mod buyers;
mod connection;
mod constant;
mod crowd;
mod delay;
mod latencies;
mod queries;
mod receiver;
mod template;
mod visitors;

use std::{error::Error, sync::atomic::AtomicU64, time::Duration};

use tokio::runtime::Builder;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Failure = Box<dyn Error + Send + Sync>;

const USAGE: &str = "\
constant ADDRESS STATUS BYTES
    The same HTTP stack with nothing to do: answers every request with that many bytes.
receiver ADDRESS
    Takes webhooks and counts them.
queries URL CONNECTIONS PRODUCER FILE SQL SECONDS|ADDRESS
    PostgreSQL with nothing around it, or behind the same HTTP stack.
bare DATABASE TEMPLATE GROUP SECONDS
    Writes the rows of orders, as many together as a group has.
buyers ADDRESS COUNT SECONDS PRODUCER EVENT ITEM ITEMS [SECRET]
    So many buy at once, and pay if there is a secret to sign the payments with.
stations ADDRESS COUNT SECONDS TOKEN FIRST STEP TICKETS
    So many scan at once. FIRST is the number of scans before, STEP the way from one ticket to the next.
pollers ADDRESS COUNT SECONDS KEY FILE
    So many read paths of a file at once.
visitors SHOP COUNT ITEM
    So many buy one of an item at once on the page of an event, and wait in its line.
delay ADDRESS SOCKET MICROS
    A way to the server at a socket that takes this much longer in each direction.";

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let seconds = |text: &str| text.parse().map(Duration::from_secs);
    // Load leaves the other processors to what is measured.
    let one_thread = || Builder::new_current_thread().enable_all().build();
    let threads = || Builder::new_multi_thread().enable_all().build();
    match *arguments.as_slice() {
        ["constant", address, status, bytes] => {
            threads()?.block_on(constant::serve(address, status.parse()?, bytes.parse()?))
        }
        ["receiver", address] => threads()?.block_on(receiver::serve(address)),
        ["queries", url, connections, producer, file, sql, how] => {
            let values = std::fs::read_to_string(file)?.lines().map(str::to_owned).collect();
            let asked = queries::Asked { sql: sql.to_owned(), producer: producer.parse()?, values };
            threads()?.block_on(queries::run(url, connections.parse()?, asked, how))
        }
        ["bare", database, template, group, span] => {
            let template = std::fs::read_to_string(template)?;
            one_thread()?.block_on(bare::write(database, &template, group.parse()?, seconds(span)?))
        }
        ["buyers", address, count, span, producer, event, item, items, ref secret @ ..] if secret.len() < 2 => {
            let sale = buyers::Sale::new(producer, event, item, items.parse()?, secret.first().copied())?;
            one_thread()?.block_on(crowd::run(address, count.parse()?, seconds(span)?, crowd::Doing::Buy(sale)))
        }
        ["stations", address, count, span, token, first, step, tickets] => {
            let (next, step, tickets) = (AtomicU64::new(first.parse()?), step.parse()?, tickets.parse()?);
            let door = crowd::Door { token: token.to_owned(), next, step, tickets };
            one_thread()?.block_on(crowd::run(address, count.parse()?, seconds(span)?, crowd::Doing::Scan(door)))
        }
        ["pollers", address, count, span, key, file] => {
            let paths = std::fs::read_to_string(file)?.lines().map(str::to_owned).collect();
            let list = crowd::List { key: key.to_owned(), paths };
            one_thread()?.block_on(crowd::run(address, count.parse()?, seconds(span)?, crowd::Doing::Read(list)))
        }
        ["visitors", shop, count, item] => {
            let pages = visitors::Pages { shop: shop.to_owned(), item: item.to_owned() };
            one_thread()?.block_on(visitors::run(pages, count.parse()?))
        }
        ["delay", address, socket, micros] => delay::carry_all(address, socket, Duration::from_micros(micros.parse()?)),
        _ => Err(USAGE.into()),
    }
}
