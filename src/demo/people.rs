//! The people of the demo.

use rand::{RngExt, seq::IndexedRandom};

use taquilla_domain::{audit::By, person::Person, time_source::TimeSource};

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

/// The staff of the demo, who do something now.
pub fn staff(time: &TimeSource) -> By {
    By::command_line("demo", time.now())
}

/// Somebody with a name and an e-mail address.
pub fn person(rng: &mut impl RngExt) -> Person {
    let name = name(rng);
    let mailbox: String = name.to_lowercase().chars().map(plain).collect();
    let email = format!("{mailbox}{}@example.com", rng.random_range(1..100));
    Person { name, email, phone: None, identity_document: String::new() }
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
