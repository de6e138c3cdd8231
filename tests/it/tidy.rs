//! The house rules that a compiler does not check.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use taquilla::store::migrate::MIGRATIONS;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Each module may import from those before it, and from those beside it only where the rank is shared plumbing.
/// Features of one rank do not import each other.
const RANKS: &[(&str, u8)] = &[
    ("config", 0),
    ("domain", 1),
    ("wire", 2),
    ("store", 3),
    ("error", 4),
    ("params", 4),
    ("strict_json", 4),
    ("body", 4),
    ("page", 4),
    ("rate", 4),
    ("known_keys", 4),
    ("last_used", 4),
    ("app", 4),
    ("auth", 4),
    ("api", 5),
    ("boxoffice", 5),
    ("import", 5),
    ("demo", 5),
    ("shop", 6),
    ("door", 6),
    ("webhooks", 6),
    ("edge", 7),
    ("server", 7),
    ("cli", 8),
];
/// Ranks whose modules are parts of one thing and may know each other.
const TOGETHER: &[u8] = &[4, 7];

/// Longer than 400 lines, and why that is still one idea.
const LONG_FILES: &[(&str, &str)] = &[
    ("src/wire.rs", "the shapes of every answer, in one place to be read as documentation"),
    (
        "src/import/line.rs",
        "one line of an import: its shapes and the checks of their fields, which share one vocabulary",
    ),
    ("src/store/import.rs", "the statements of an import, told in the order in which they run"),
];

fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path, ending));
        } else if path.to_str().unwrap().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn name_of(path: &Path) -> String {
    path.strip_prefix(ROOT).unwrap().to_str().unwrap().to_owned()
}

fn rank(module: &str) -> u8 {
    RANKS.iter().find(|(name, _)| *name == module).unwrap_or_else(|| panic!("give the module {module} a rank")).1
}

#[test]
fn imports_point_one_way() {
    for path in files_below(&Path::new(ROOT).join("src"), ".rs") {
        let name = name_of(&path);
        let module = name.trim_start_matches("src/").split(['/', '.']).next().unwrap().to_owned();
        if ["main", "lib"].contains(&module.as_str()) {
            continue;
        }
        for imported in imports(&fs::read_to_string(&path).unwrap()) {
            let (from, to) = (rank(&module), rank(&imported));
            let allowed = imported == module || to < from || (to == from && TOGETHER.contains(&from));
            assert!(allowed, "{name} imports {imported}: imports point from the server down to the domain");
        }
    }
}

/// The modules that a file names in `use crate::…` or `crate::…` paths.
fn imports(text: &str) -> BTreeSet<String> {
    let known: BTreeSet<&str> = RANKS.iter().map(|(name, _)| *name).collect();
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            // The names at the first level of a braced list.
            let mut depth = 0;
            let mut word = String::new();
            for letter in list.chars() {
                match letter {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    letter if depth == 0 && (letter.is_alphanumeric() || letter == '_') => word.push(letter),
                    _ if depth == 0 => {
                        if known.contains(word.as_str()) {
                            found.insert(word.clone());
                        }
                        word.clear();
                        if letter == ':' {
                            word.push(':');
                        }
                    }
                    _ => {}
                }
            }
        } else {
            let word: String = rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            if known.contains(word.as_str()) {
                found.insert(word);
            }
        }
    }
    found
}

#[test]
fn a_long_file_has_a_reason() {
    let mut long = BTreeSet::new();
    for path in files_below(&Path::new(ROOT).join("src"), ".rs") {
        if fs::read_to_string(&path).unwrap().lines().count() > 400 {
            long.insert(name_of(&path));
        }
    }
    let excused: BTreeSet<String> = LONG_FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(long, excused, "left: files over 400 lines; right: those with a reason in tidy.rs");
}

#[test]
fn every_migration_file_is_run_on_both_engines() {
    let expected: BTreeSet<String> = MIGRATIONS.iter().map(|migration| migration.name.to_owned()).collect();
    let mut shared = BTreeSet::new();
    let mut sqlite = BTreeSet::new();
    let mut postgres = BTreeSet::new();
    for path in files_below(&Path::new(ROOT).join("migrations"), "") {
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        let (name, kind) = file.split_once('.').unwrap();
        match kind {
            "sql" => shared.insert(name.to_owned()),
            "sqlite.sql" => sqlite.insert(name.to_owned()),
            "postgres.sql" => postgres.insert(name.to_owned()),
            _ => panic!("{file} is no migration"),
        };
    }
    assert_eq!(sqlite, postgres, "where the engines differ there are two files");
    assert_eq!(shared.union(&sqlite).cloned().collect::<BTreeSet<_>>(), expected);
    for (at, migration) in MIGRATIONS.iter().enumerate() {
        assert_eq!(migration.version, at as i64 + 1);
        assert!(migration.name.starts_with(&format!("{:04}_", migration.version)));
    }
}

#[test]
fn documents_link_to_files_that_exist() {
    let documents = [
        files_below(&Path::new(ROOT).join("docs"), ".md"),
        fs::read_dir(ROOT)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
            .collect(),
    ]
    .concat();
    assert!(documents.len() >= 4);
    for path in documents {
        let text = fs::read_to_string(&path).unwrap();
        for (at, _) in text.match_indices("](") {
            let target: String = text[at + 2..].chars().take_while(|letter| *letter != ')').collect();
            let file = target.split('#').next().unwrap();
            if !file.is_empty() && !file.contains("://") {
                assert!(path.parent().unwrap().join(file).exists(), "{} links to {target}", name_of(&path));
            }
        }
    }
}
