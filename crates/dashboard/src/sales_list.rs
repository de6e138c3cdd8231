//! What the lists of orders and of tickets have in common: what they are narrowed down by, and where their pages begin.

use taquilla_domain::{config::DASHBOARD_ROWS, role::Right, status::OrderChannel};
use taquilla_http::errors::Error;
use taquilla_pages::query::Query;
use taquilla_store::{
    Conn,
    catalogue::ticket_types,
    lists::{End, First, Position},
    search::find::SearchResult,
};

use crate::{
    access::Member,
    chosen_event::{self, ChosenEvent},
    frame::Frame,
    list_place,
    reports::asked,
    sorting::{Sort, SortHead},
};

/// The column that these lists can be sorted by: its order is that of an index, from either end.
const WHEN: &str = "when";

/// Rows on a page.
pub const ROWS: usize = DASHBOARD_ROWS as usize;

/// What a list is narrowed down by.
pub struct Filters<'a> {
    /// What is searched for.
    pub text: &'a str,
    /// The id of the only event.
    pub event: Option<&'a str>,
    /// The id of the only ticket type.
    pub ticket_type: Option<&'a str>,
    /// The only channel.
    pub channel: Option<&'a str>,
    /// The only status, which is one of those on the page.
    pub status: Option<&'a str>,
    /// Where the page begins.
    pub before: Option<Position>,
    /// What is shown first.
    pub first: First,
}

impl<'a> Filters<'a> {
    /// Reads the query of a list that is not narrowed down to a ticket type. What the status means, the list knows.
    pub fn read(query: &'a Query, status: Option<&'a str>) -> Self {
        Self {
            text: query.get("q").map(str::trim).unwrap_or_default(),
            event: query.get("event"),
            ticket_type: None,
            channel: None,
            status,
            before: query.get("before").and_then(list_place::place),
            first: match Sort::asked(query, &[WHEN]) {
                Some(Sort { descends: false, .. }) => First::Oldest,
                _ => First::Newest,
            },
        }
    }

    /// The query of the list as a file, for whoever may take it out. A file has no search and no filter for the type or the
    /// channel.
    pub fn file_query<N>(&self, member: &Member<N>) -> Option<String> {
        let fits = self.text.is_empty() && self.ticket_type.is_none() && self.channel.is_none();
        (fits && member.may(Right::Export)).then(|| self.filter_query().finish())
    }

    /// The head of the column by which the list is sorted. What a search found is sorted by how well it fits.
    pub fn when_head(&self, f: &Frame, pages: &str, key: &str) -> Option<SortHead> {
        let now = Sort { column: WHEN, descends: self.first == First::Newest };
        let address = |sort: &str| {
            let mut query = self.filter_query();
            format!("{}?{}", f.path(pages), query.append_pair("sort", sort).finish())
        };
        self.text.is_empty().then(|| SortHead::new(f.text(key), now, Some(now), address))
    }

    fn filter_query(&self) -> url::form_urlencoded::Serializer<'static, String> {
        let given =
            [("event", self.event), ("type", self.ticket_type), ("channel", self.channel), ("status", self.status)];
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(given.iter().filter_map(|(name, value)| Some((name, (*value)?))));
        query
    }
}

/// The form above a list; `sales_filters.html` draws it.
pub struct FilterForm {
    /// What is searched for.
    pub text: String,
    /// The id of the chosen event, or nothing.
    pub event: String,
    /// The chosen status, or nothing.
    pub status: String,
    /// The events to choose from.
    pub events: Vec<ChosenEvent>,
    /// The statuses to choose from, and the keys of their names.
    pub statuses: Vec<(&'static str, &'static str)>,
    /// The chosen ticket type, or nothing.
    pub ticket_type: String,
    /// The ticket types of the chosen event: ids and names. None are offered where there is no such filter.
    pub types: Vec<(String, String)>,
    /// The chosen channel, or nothing.
    pub channel: String,
    /// The channels to choose from, and the keys of their names. None are offered where there is no such filter.
    pub channels: Vec<(&'static str, String)>,
    /// The sorting, if it is not the usual one: another filter keeps it.
    pub sort: Option<&'static str>,
}

impl FilterForm {
    /// The form of the list of orders, which can be narrowed down to a channel and to a ticket type of the chosen event.
    pub async fn of_orders<N>(mut self, conn: &mut Conn, member: &Member<N>) -> Result<Self, Error> {
        let channels = OrderChannel::ALL.iter().map(|channel| (channel.as_str(), asked::channel_key(channel.as_str())));
        self.channels = channels.collect();
        if !self.event.is_empty() {
            let types = ticket_types::of_event(conn, member.tenant(), &self.event, true).await?;
            self.types = types.into_iter().map(|item| (item.id, item.name)).collect();
        }
        Ok(self)
    }

    /// The form with what was chosen.
    pub async fn new<N>(
        conn: &mut Conn,
        member: &Member<N>,
        filters: &Filters<'_>,
        statuses: Vec<(&'static str, &'static str)>,
    ) -> Result<Self, Error> {
        Ok(Self {
            text: filters.text.to_owned(),
            event: filters.event.unwrap_or_default().to_owned(),
            status: filters.status.unwrap_or_default().to_owned(),
            events: chosen_event::choice(conn, member.tenant(), filters.event).await?,
            statuses,
            ticket_type: filters.ticket_type.unwrap_or_default().to_owned(),
            types: Vec::new(),
            channel: filters.channel.unwrap_or_default().to_owned(),
            channels: Vec::new(),
            sort: (filters.first == First::Oldest).then_some(WHEN),
        })
    }
}

/// A page of a list, or what was found.
pub struct ListPage<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// Whether there may be more, which another word would bring.
    pub is_cut: bool,
    /// The query of the next page.
    pub older: Option<String>,
}

impl<T> ListPage<T> {
    /// What a search found. It has one page.
    pub fn found(found: SearchResult<T>) -> Self {
        Self { rows: found.rows, is_cut: found.is_cut, older: None }
    }

    /// A page of the list.
    pub fn read((rows, end): (Vec<T>, End), filters: &Filters<'_>) -> Self {
        let older = match end {
            End::More(place) => {
                let mut query = filters.filter_query();
                if filters.first == First::Oldest {
                    query.append_pair("sort", WHEN);
                }
                Some(query.append_pair("before", &list_place::written(place)).finish())
            }
            End::Complete => None,
        };
        Self { rows, is_cut: false, older }
    }
}
