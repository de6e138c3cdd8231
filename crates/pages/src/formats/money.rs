//! Money, in whole units of its currency.

use crate::texts::Language;

use Place::{After, Apart, Before};

/// A space at which no line breaks.
const SPACE: char = '\u{a0}';

/// Where the sign of a currency stands.
#[derive(Clone, Copy)]
enum Place {
    /// "€25".
    Before,
    /// "$ 25".
    Apart,
    /// "25 €".
    After,
}

/// How one currency is written.
struct Written<'a> {
    sign: &'a str,
    place: Place,
    /// What stands between groups of three digits.
    group: char,
    /// How many digits a number has at least that is written in groups: Spain writes 1250, and 12.500.
    grouped_from: usize,
}

/// An amount of a currency, such as "€25" in English and "25 €" in Spanish.
pub fn money(language: Language, amount: i64, currency: &str) -> String {
    let written = written(language, currency);
    let (before, after) = written.around();
    let minus = if amount < 0 { "-" } else { "" };
    format!("{minus}{before}{}{after}", grouped(amount.unsigned_abs(), &written))
}

/// How a script writes amounts of a currency, so that it needs no table of its own (`web/src/dashboard/money.ts`): what stands
/// before the number, what after it, what between groups of digits, and how many digits a number has that is grouped.
pub fn money_pattern(language: Language, currency: &str) -> String {
    let written = written(language, currency);
    let (before, after) = written.around();
    format!("{before}|{after}|{}|{}", written.group, written.grouped_from)
}

fn written(language: Language, currency: &str) -> Written<'_> {
    match language {
        Language::English => in_english(currency),
        Language::Spanish => in_spanish(currency),
    }
}

impl Written<'_> {
    /// What stands before a number, and what after it.
    fn around(&self) -> (String, String) {
        let sign = self.sign;
        match self.place {
            Before => (sign.to_owned(), String::new()),
            Apart => (format!("{sign}{SPACE}"), String::new()),
            After => (String::new(), format!("{SPACE}{sign}")),
        }
    }
}

/// English has signs of their own for some currencies; the others are written with their codes.
fn in_english(currency: &str) -> Written<'_> {
    let sign = match currency {
        "AUD" => "A$",
        "BRL" => "R$",
        "CAD" => "CA$",
        "CNY" => "CN¥",
        "EUR" => "€",
        "GBP" => "£",
        "HKD" => "HK$",
        "ILS" => "₪",
        "INR" => "₹",
        "JPY" => "¥",
        "KRW" => "₩",
        "MXN" => "MX$",
        "NZD" => "NZ$",
        "PHP" => "₱",
        "TWD" => "NT$",
        "USD" => "$",
        "VND" => "₫",
        "XCD" => "EC$",
        code => return Written { sign: code, place: Apart, group: ',', grouped_from: 4 },
    };
    Written { sign, place: Before, group: ',', grouped_from: 4 }
}

/// Each country that speaks Spanish writes its currency in its own way, and a page follows it: "$12.500" are twelve thousand
/// in Chile, and twelve and a half in Mexico. The others are written as in Spain.
fn in_spanish(currency: &str) -> Written<'_> {
    let (sign, place, group) = match currency {
        "ARS" | "COP" | "UYU" => ("$", Apart, '.'),
        "BOB" => ("Bs", Apart, '.'),
        "CLP" => ("$", Before, '.'),
        "CRC" => ("₡", Before, SPACE),
        "CUP" | "MXN" => ("$", Before, ','),
        "DOP" => ("RD$", Before, ','),
        "GTQ" => ("Q", Apart, ','),
        "HNL" => ("L", Apart, ','),
        "NIO" => ("C$", Before, ','),
        "PAB" => ("B/.", Apart, ','),
        "PEN" => ("S/", Apart, ','),
        "PYG" => ("Gs.", Apart, '.'),
        "VES" => ("Bs.S", Apart, '.'),
        "EUR" => return in_spain("€"),
        "USD" => return in_spain("US$"),
        code => return in_spain(code),
    };
    Written { sign, place, group, grouped_from: 4 }
}

fn in_spain(sign: &str) -> Written<'_> {
    Written { sign, place: After, group: '.', grouped_from: 5 }
}

fn grouped(number: u64, written: &Written<'_>) -> String {
    let digits = number.to_string();
    let is_grouped = digits.len() >= written.grouped_from;
    let mut text = String::with_capacity(2 * digits.len());
    for (at, digit) in digits.chars().enumerate() {
        if is_grouped && at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(written.group);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use taquilla_domain::currencies::CURRENCIES;

    use super::*;

    /// What the script's test reads, too: each currency with its patterns, and amounts that are written by them.
    const FOR_SCRIPTS: &str = include_str!("../../../../web/tests/unit/money.json");

    const AMOUNTS: [i64; 6] = [0, 25, 1_250, -12_500, 1_000_000, 999_999_999_999_999];

    /// A currency, and 12500 of it in English and in Spanish. A `~` is a space at which no line breaks.
    const CASES: [(&str, &str, &str); 20] = [
        ("EUR", "€12,500", "12.500~€"),
        ("USD", "$12,500", "12.500~US$"),
        ("ARS", "ARS~12,500", "$~12.500"),
        ("MXN", "MX$12,500", "$12,500"),
        ("COP", "COP~12,500", "$~12.500"),
        ("CLP", "CLP~12,500", "$12.500"),
        ("BRL", "R$12,500", "12.500~BRL"),
        ("GBP", "£12,500", "12.500~GBP"),
        ("JPY", "¥12,500", "12.500~JPY"),
        ("UYU", "UYU~12,500", "$~12.500"),
        ("PEN", "PEN~12,500", "S/~12,500"),
        ("PYG", "PYG~12,500", "Gs.~12.500"),
        ("BOB", "BOB~12,500", "Bs~12.500"),
        ("CRC", "CRC~12,500", "₡12~500"),
        ("DOP", "DOP~12,500", "RD$12,500"),
        ("GTQ", "GTQ~12,500", "Q~12,500"),
        ("CHF", "CHF~12,500", "12.500~CHF"),
        ("CAD", "CA$12,500", "12.500~CAD"),
        ("AUD", "A$12,500", "12.500~AUD"),
        ("XXX", "XXX~12,500", "12.500~XXX"),
    ];

    fn both(amount: i64, currency: &str) -> [String; 2] {
        [Language::English, Language::Spanish].map(|language| money(language, amount, currency).replace(SPACE, "~"))
    }

    #[test]
    fn each_currency_is_written_as_its_readers_do() {
        for (currency, english, spanish) in CASES {
            assert_eq!(both(12_500, currency), [english, spanish], "{currency}");
        }
    }

    #[test]
    fn digits_are_grouped_where_readers_group_them() {
        for (amount, english, spanish) in [
            (0, "€0", "0~€"),
            (25, "€25", "25~€"),
            (999, "€999", "999~€"),
            (1_250, "€1,250", "1250~€"),
            (-1_250, "-€1,250", "-1250~€"),
            (1_000_000_000_000, "€1,000,000,000,000", "1.000.000.000.000~€"),
        ] {
            assert_eq!(both(amount, "EUR"), [english, spanish]);
        }
        assert_eq!(both(1_250, "ARS"), ["ARS~1,250", "$~1.250"]);
        assert_eq!(both(-250, "CLP"), ["-CLP~250", "-$250"]);
        assert_eq!(both(i64::MIN, "EUR")[0], "-€9,223,372,036,854,775,808");
    }

    #[test]
    fn scripts_write_what_pages_do() {
        let of = |currency: &&str| {
            let lines = [Language::English, Language::Spanish].map(|language| {
                let texts = AMOUNTS.map(|amount| money(language, amount, currency));
                serde_json::json!({"pattern": money_pattern(language, currency), "texts": texts}).to_string()
            });
            lines.join(",\n")
        };
        let currencies: Vec<String> = CURRENCIES.iter().map(of).collect();
        let expected = format!(
            "{{\"amounts\": {},\n\"written\": [\n{}\n]}}\n",
            serde_json::json!(AMOUNTS),
            currencies.join(",\n")
        );
        if std::env::var_os("TAQUILLA_WRITE_CONTRACT").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/tests/unit/money.json"), expected).unwrap();
            return;
        }
        assert!(FOR_SCRIPTS == expected, "write it with TAQUILLA_WRITE_CONTRACT=1");
    }
}
