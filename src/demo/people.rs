//! Names for the people of the demo.

use rand::{RngExt, seq::IndexedRandom};

const FIRST: &[&str] = &[
    "Ana", "Bruno", "Carla", "Diego", "Elena", "Farid", "Greta", "Hugo", "Irene", "Jonás", "Klara", "Luis", "Marta",
    "Nora", "Óscar", "Paula", "Quim", "Rosa", "Sergio", "Teresa", "Unai", "Vera", "Walter", "Ximena", "Yago", "Zoe",
];

const LAST: &[&str] = &[
    "Álvarez",
    "Benítez",
    "Castro",
    "Díaz",
    "Estévez",
    "Ferrer",
    "Gómez",
    "Hernández",
    "Ibáñez",
    "Jiménez",
    "Krause",
    "López",
    "Molina",
    "Núñez",
    "Ortega",
    "Pérez",
    "Quiroga",
    "Ruiz",
    "Serrano",
    "Torres",
    "Urrutia",
    "Vidal",
    "Weiss",
];

/// A first name and one or two family names.
pub fn name(rng: &mut impl RngExt) -> String {
    let mut name = (*FIRST.choose(rng).unwrap_or(&"Ana")).to_owned();
    for _ in 0..rng.random_range(1..=2) {
        name.push(' ');
        name += LAST.choose(rng).unwrap_or(&"Ruiz");
    }
    name
}

/// A character of a name as it is written in an e-mail address.
pub fn plain(letter: char) -> char {
    match letter {
        'á' => 'a',
        'é' => 'e',
        'í' => 'i',
        'ó' => 'o',
        'ú' => 'u',
        'ñ' => 'n',
        ' ' => '.',
        other => other,
    }
}
