//! Prints every ticket and its status: `TAQUILLA_URL=… TAQUILLA_KEY=… cargo run -p taquilla-client --example tickets`.

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = taquilla_client::Client::new(&std::env::var("TAQUILLA_URL")?, &std::env::var("TAQUILLA_KEY")?)?;
    let mut tickets = client.tickets(&taquilla_client::TicketFilter::default());
    while let Some(ticket) = tickets.next().await? {
        println!("{} {}", ticket.id, ticket.status);
    }
    Ok(())
}
