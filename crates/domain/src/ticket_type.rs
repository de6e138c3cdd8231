//! Ticket types and bundles.

use super::{
    clock::Stamp,
    door_note::DoorNote,
    invalid::Invalid,
    status::{Category, ItemKind, TypeStatus},
};

/// A ticket type or bundle.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "as the API shows them: see wire::api::TicketType")]
pub struct TicketType {
    pub id: String,
    pub kind: ItemKind,
    pub event_id: String,
    pub category: Category,
    pub name: String,
    pub description: Option<String>,
    pub image_url: Option<String>,
    pub price: i64,
    pub currency: String,
    /// The status that the organiser set; [`TicketType::shown_status`] is the one to show.
    pub status: TypeStatus,
    pub deleted: bool,
    pub limit: Option<i64>,
    pub sold: i64,
    pub max_per_order: i64,
    pub min_per_order: i64,
    /// When its sale to the public begins.
    pub on_sale_from: Option<Stamp>,
    /// Whether people may go out with it and come in again. No API shows it.
    pub reentry: bool,
    pub expires_at: Option<Stamp>,
    pub sort_order: i64,
    /// What the scanner shows with its tickets. The API does not have it.
    pub door_note: DoorNote,
    pub updated_at: Stamp,
    /// The items of a bundle; empty for a single item.
    pub includes: Vec<Include>,
}

/// One kind of item in a bundle.
#[derive(Clone, Debug)]
pub struct Include {
    /// The included item.
    pub ticket_type_id: String,
    /// Its present name.
    pub name: String,
    /// Its category.
    pub category: Category,
    /// How many units of it one bundle has.
    pub quantity: i64,
}

impl TicketType {
    /// The status to show now.
    pub fn shown_status(&self) -> TypeStatus {
        self.status.shown(self.limit, self.sold)
    }

    /// How many are left, if there is a limit.
    pub fn available(&self) -> Option<i64> {
        self.limit.map(|limit| limit - self.sold)
    }
}

/// Checks that one order can have as many of an item as it must. An item with a most of 0 is in no order.
pub fn fewest_fit(min_per_order: i64, max_per_order: i64) -> Result<(), Invalid> {
    match min_per_order <= max_per_order.max(1) {
        true => Ok(()),
        false => Err(Invalid::new(format!("one order may have {max_per_order} at most, so it cannot need more"))),
    }
}

/// Checks that a sale begins before it ends.
pub fn begins_before_it_ends(on_sale_from: Option<Stamp>, expires_at: Option<Stamp>) -> Result<(), Invalid> {
    match on_sale_from.zip(expires_at) {
        Some((from, until)) if from >= until => Err(Invalid::new("the sale ends before it begins")),
        _ => Ok(()),
    }
}

/// A way to go in the organiser's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Before the item that is before it.
    Up,
    /// After the item that follows it.
    Down,
}

/// The places that change when an item changes places with its neighbour. `places` are the items in their present order. Two
/// numbers are exchanged where all are different; else all are numbered anew, so that the item moves in any case. Nothing
/// changes for the first item up, the last one down, or an unknown one.
pub fn reordered<'a>(places: &[(&'a str, i64)], id: &str, direction: Direction) -> Vec<(&'a str, i64)> {
    let Some(at) = places.iter().position(|(item, _)| *item == id) else { return Vec::new() };
    let neighbour = match direction {
        Direction::Up => at.checked_sub(1),
        Direction::Down => Some(at + 1).filter(|next| *next < places.len()),
    };
    let Some(neighbour) = neighbour else { return Vec::new() };
    let are_different = places.windows(2).all(|pair| pair[0].1 < pair[1].1);
    let numbers: Vec<i64> = match are_different {
        true => places.iter().map(|(_, place)| *place).collect(),
        false => (1..=places.len() as i64).collect(),
    };
    let mut wanted = places.to_vec();
    wanted.swap(at, neighbour);
    let numbered = wanted.into_iter().zip(numbers);
    numbered.filter(|((_, before), after)| before != after).map(|((item, _), after)| (item, after)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_moves_whatever_the_numbers_were() {
        let spaced = [("a", 10), ("b", 20), ("c", 30)];
        assert_eq!(reordered(&spaced, "b", Direction::Up), [("b", 10), ("a", 20)]);
        assert_eq!(reordered(&spaced, "b", Direction::Down), [("c", 20), ("b", 30)]);
        let equal = [("a", 0), ("b", 0), ("c", 2)];
        assert_eq!(reordered(&equal, "b", Direction::Down), [("a", 1), ("b", 3)]);
        assert_eq!(reordered(&equal, "b", Direction::Up), [("b", 1), ("a", 2), ("c", 3)]);
        for (id, direction) in [("a", Direction::Up), ("c", Direction::Down), ("x", Direction::Up)] {
            assert_eq!(reordered(&equal, id, direction), [], "{id}");
        }
    }
}
