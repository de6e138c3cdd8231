//! House rules that the compiler does not check.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use syn::{Item, UseTree, visit::Visit};
use taquilla_store::migrate::MIGRATIONS;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The rooms (top modules) of crates that have several, by rank, lowest first. Each may import from lower ranks, but not
/// from others of its own rank. Cargo keeps the direction between crates.
const RANKS: &[(&str, &[&[&str]])] = &[
    (
        "crates/rules",
        &[
            &["task", "rounds"],
            &["boxoffice", "import", "backup"],
            &["waiting_lines"],
            &["admin", "webhooks", "housekeeping", "indexing", "on_sale", "paying", "watching", "work"],
        ],
    ),
    ("", &[&["tls", "demo"], &["routes", "monitor"], &["server"], &["cli"]]),
];

/// Files longer than 400 lines, and why each is still one idea.
const LONG_FILES: &[(&str, &str)] = &[
    ("crates/store/src/check.rs", "what must hold of every database, as one list"),
    ("crates/store/src/sales/orders.rs", "an order's columns, which are read and written in one sequence"),
    ("crates/wire/src/api.rs", "the shapes of every answer, in one place to be read as documentation"),
    ("src/routes.rs", "every route of the program, one below the other"),
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

/// The folders of all crates: the program's own, whose name is empty, and those in `crates/`.
fn crates() -> Vec<String> {
    let inner = fs::read_dir(format!("{ROOT}/crates")).unwrap();
    let mut found: Vec<String> = inner.map(|entry| name_of(&entry.unwrap().path())).collect();
    found.push(String::new());
    found.sort();
    found
}

/// The source folder of a crate.
fn src_of(folder: &str) -> PathBuf {
    Path::new(ROOT).join(folder).join("src")
}

/// Every Rust file of every crate.
fn rust_files() -> Vec<PathBuf> {
    crates().iter().flat_map(|folder| files_below(&src_of(folder), ".rs")).collect()
}

/// A file of a crate, parsed.
struct Source {
    /// Its module's path, such as `store::door::links`; empty for `lib.rs`.
    module: Vec<String>,
    syntax: syn::File,
}

/// Every file of a crate except `main.rs`.
fn sources(folder: &str) -> Vec<Source> {
    let src = src_of(folder);
    let files = files_below(&src, ".rs");
    let parsed = files.iter().filter(|path| !path.ends_with("main.rs")).map(|path| {
        let relative = path.strip_prefix(&src).unwrap().with_extension("");
        let mut module: Vec<String> =
            relative.iter().map(|part| part.to_str().unwrap().to_owned()).filter(|part| part != "lib").collect();
        if module.last().is_some_and(|last| last == "mod") {
            module.pop();
        }
        Source { module, syntax: syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap() }
    });
    parsed.collect()
}

/// Collects every path that a file names, in `use` items and in the code, absolute from the crate's root.
struct Paths<'a> {
    module: &'a [String],
    /// What each name that the file has imported stands for.
    names: BTreeMap<String, Vec<String>>,
    found: Vec<Vec<String>>,
}

impl<'a> Paths<'a> {
    fn of(module: &'a [String]) -> Self {
        Self { module, names: BTreeMap::new(), found: Vec::new() }
    }

    fn absolute(&self, segments: &[String]) -> Option<Vec<String>> {
        let mut base = match segments.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => self.module.to_vec(),
            "super" => self.module[..self.module.len().checked_sub(1)?].to_vec(),
            name => return self.names.get(name).map(|path| [path.as_slice(), &segments[1..]].concat()),
        };
        let mut rest = &segments[1..];
        while rest.first().is_some_and(|segment| segment == "super") {
            base.pop();
            rest = &rest[1..];
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    fn walk(&mut self, tree: &UseTree, before: &[String]) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.walk(&path.tree, &with(&path.ident)),
            UseTree::Name(name) if name.ident == "self" => self.bind(before, before.last()),
            UseTree::Name(name) => self.bind(&with(&name.ident), Some(&name.ident.to_string())),
            UseTree::Rename(rename) if rename.ident == "self" => self.bind(before, Some(&rename.rename.to_string())),
            UseTree::Rename(rename) => self.bind(&with(&rename.ident), Some(&rename.rename.to_string())),
            UseTree::Glob(_) => self.note(before),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.walk(tree, before)),
        }
    }

    /// Notes an import, and what its name stands for from here on.
    fn bind(&mut self, segments: &[String], name: Option<&String>) {
        let Some(path) = self.absolute(segments) else { return };
        self.names.extend(name.map(|name| (name.clone(), path.clone())));
        self.found.push(path);
    }

    fn note(&mut self, segments: &[String]) {
        self.found.extend(self.absolute(segments));
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.walk(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.note(&segments);
        syn::visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        // Unit tests may look at anything.
        if item.ident != "tests" {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        // A macro's tokens are not parsed, so the paths in them are searched in its text.
        let text = call.tokens.to_string().replace(" :: ", "::");
        for path in text.split(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter)) {
            let segments: Vec<String> = path.split("::").map(str::to_owned).collect();
            if segments.len() > 1 {
                self.note(&segments);
            }
        }
    }
}

/// The modules of one crate that each of its modules imports, as far as they have files. A name that a table of contents re-exports is
/// followed to its definition.
fn imports(folder: &str) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let sources = sources(folder);
    let files: BTreeSet<&[String]> = sources.iter().map(|source| source.module.as_slice()).collect();
    let mut handed_on: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for source in &sources {
        for item in &source.syntax.items {
            if let Item::Use(item) = item
                && !matches!(item.vis, syn::Visibility::Inherited)
            {
                let mut paths = Paths::of(&source.module);
                paths.walk(&item.tree, &[]);
                for (name, path) in paths.names {
                    handed_on.insert([source.module.as_slice(), &[name]].concat(), path);
                }
            }
        }
    }
    let defined_in = |path: &[String]| {
        let mut path = path.to_vec();
        while let Some((length, origin)) =
            (1..=path.len()).rev().find_map(|length| Some((length, handed_on.get(&path[..length])?)))
            // If a function has the name of its file, the path means the file.
            && !files.contains(&path[..length])
        {
            path = [origin.as_slice(), &path[length..]].concat();
        }
        (0..=path.len()).rev().map(|length| path[..length].to_vec()).find(|module| files.contains(module.as_slice()))
    };
    let mut imports = BTreeMap::new();
    for source in &sources {
        let mut paths = Paths::of(&source.module);
        // Imports come first: they say what the names in the code stand for.
        for item in &source.syntax.items {
            if let Item::Use(item) = item {
                paths.visit_item_use(item);
            }
        }
        paths.visit_file(&source.syntax);
        let found: BTreeSet<Vec<String>> = paths
            .found
            .iter()
            .filter_map(|path| defined_in(path))
            // An exported macro is at the crate's root, which does not count as an import.
            .filter(|module| *module != source.module && !module.is_empty())
            .collect();
        imports.insert(source.module.clone(), found);
    }
    imports
}

#[test]
fn imports_point_one_way() {
    for (folder, ranks) in RANKS {
        let rank_of = |room: &str| {
            let rank = ranks.iter().position(|rooms| rooms.contains(&room));
            rank.unwrap_or_else(|| panic!("give the room {room} of {folder:?} a rank"))
        };
        for (module, imported) in imports(folder) {
            let Some(room) = module.first() else { continue };
            for other in imported.iter().map(|path| &path[0]) {
                assert!(
                    other == room || rank_of(other) < rank_of(room),
                    "{} imports {other}: imports point from the command line down to the box office",
                    module.join("::")
                );
            }
        }
    }
}

/// The domain is values and rules: whoever reads it need know nothing of databases, networks or JSON.
#[test]
fn the_domain_knows_no_database_no_network_and_no_json() {
    let manifest = fs::read_to_string(format!("{ROOT}/crates/domain/Cargo.toml")).unwrap();
    for foreign in ["tokio", "serde", "rusqlite", "axum", "hyper", "reqwest", "futures", "taquilla-store"] {
        assert!(!manifest.contains(foreign), "the domain depends on {foreign}");
    }
}

/// A `mod.rs` or `lib.rs` lists modules and re-exports names; it has no imports and no code.
#[test]
fn a_mod_file_is_a_table_of_contents() {
    let is_contents = |path: &PathBuf| path.ends_with("mod.rs") || path.ends_with("lib.rs");
    for path in rust_files().into_iter().filter(is_contents) {
        let syntax = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
        for item in &syntax.items {
            let listed = matches!(item, Item::Mod(item) if item.content.is_none());
            let handed_on = matches!(item, Item::Use(item) if !matches!(item.vis, syn::Visibility::Inherited));
            assert!(listed || handed_on, "{} has code of its own; give it a file with a name", name_of(&path));
        }
    }
}

#[test]
fn no_two_files_import_each_other() {
    crates().iter().for_each(|folder| no_circle_in(folder));
}

fn no_circle_in(folder: &str) {
    let imports = imports(folder);
    let is_file = |module: &[String]| !module.is_empty();
    // Remove, again and again, every module that imports none of the remaining ones. What remains is a circle, or leads
    // into one.
    let mut left: BTreeSet<&Vec<String>> = imports.keys().filter(|module| is_file(module)).collect();
    loop {
        let free: Vec<&Vec<String>> = left
            .iter()
            .copied()
            .filter(|module| {
                let contents = imports.keys().any(|other| other.len() > module.len() && other.starts_with(module));
                contents || imports[*module].iter().all(|imported| !left.contains(imported))
            })
            .collect();
        if free.is_empty() {
            break;
        }
        free.iter().for_each(|module| {
            left.remove(*module);
        });
    }
    let circle: Vec<String> = left
        .iter()
        .map(|module| {
            let others = imports[*module].iter().filter(|imported| left.contains(imported));
            format!("{} -> {}", module.join("::"), others.map(|other| other.join("::")).collect::<Vec<_>>().join(", "))
        })
        .collect();
    assert!(circle.is_empty(), "these files import each other:\n{}", circle.join("\n"));
}

/// Only the box office, the import, staff's changes and bookkeeping begin transactions; faces call them.
#[test]
fn faces_begin_no_transaction() {
    for path in rust_files() {
        let name = name_of(&path);
        let text = fs::read_to_string(&path).unwrap();
        let face = ["crates/api/", "crates/shop/", "crates/door/", "crates/dashboard/", "src/cli/"]
            .iter()
            .any(|room| name.starts_with(room));
        assert!(!face || !text.contains(".begin_"), "{name} begins a transaction: that is for boxoffice/ and admin/");
        // The read API gets its connection from a checked key and from nowhere else.
        assert!(!name.starts_with("crates/api/") || !text.contains("store.read()"), "{name} reads without a key");
        let asks_owners = text.contains("owners::") && !name.starts_with("crates/store/");
        assert!(!asks_owners || name.starts_with("src/cli/"), "{name} asks whose something is; only an operator may");
    }
}

/// What staff did can be added to, and neither changed nor deleted.
#[test]
fn the_history_is_only_added_to() {
    for path in rust_files() {
        let text = fs::read_to_string(&path).unwrap();
        for change in ["UPDATE audit", "DELETE FROM audit", "INTO audit"] {
            let allowed = change == "INTO audit" && name_of(&path) == "crates/store/src/staff/audit.rs";
            assert!(allowed || !text.contains(change), "{} changes what was written down", name_of(&path));
        }
    }
}

#[test]
fn a_long_file_has_a_reason() {
    let mut long = BTreeSet::new();
    for path in rust_files() {
        if fs::read_to_string(&path).unwrap().lines().count() > 400 {
            long.insert(name_of(&path));
        }
    }
    let excused: BTreeSet<String> = LONG_FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(long, excused, "left: files over 400 lines; right: those with a reason in tidy.rs");
}

/// What stands in a migration's file for SQLite where it changes what imports wait in.
const OF_IMPORTS: &str = "-- An import makes its tables by itself (crates/store/src/import/temporary.rs).\n";

#[test]
fn every_migration_file_is_run_on_both_engines() {
    let expected: BTreeSet<String> = MIGRATIONS.iter().map(|migration| migration.name.to_owned()).collect();
    let mut shared = BTreeSet::new();
    let mut sqlite = BTreeSet::new();
    let mut postgres = BTreeSet::new();
    for path in files_below(&Path::new(ROOT).join("crates/store/migrations"), "") {
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
    assert!(sqlite.is_subset(&shared), "what the engines write differently runs after what they share");
    assert_eq!(shared, expected);
    // Imports wait in temporary tables on SQLite, which each makes for itself. It would have to write tables anew to let their rows
    // refer to another table.
    let differs = |name: &str| name.ends_with("_import_staging") || name.ends_with("_clocks");
    for name in sqlite.iter().filter(|name| !differs(name)) {
        let text = |own: &str| fs::read_to_string(format!("{ROOT}/crates/store/migrations/{name}.{own}.sql")).unwrap();
        let (sqlite, postgres) = (text("sqlite"), text("postgres"));
        let is_staging = |statement: &str| statement.trim().is_empty() || statement.contains(" import_");
        if sqlite == OF_IMPORTS && postgres.split(';').all(is_staging) {
            continue;
        }
        // SQLite compares texts byte by byte by itself.
        let postgres = postgres.replace(" COLLATE \"C\"", "");
        assert_eq!(sqlite.replace(" WITHOUT ROWID", ""), postgres, "{name}: only what must differ does");
    }
    for (at, migration) in MIGRATIONS.iter().enumerate() {
        assert_eq!(migration.version, at as i64 + 1);
        assert!(migration.name.starts_with(&format!("{:04}_", migration.version)));
    }
}

#[test]
fn documents_link_to_files_and_headings_that_exist() {
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
            if target.contains("://") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            let there = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(there.exists(), "{} links to {target}", name_of(&path));
            if !heading.is_empty() {
                let headings = anchors(&fs::read_to_string(&there).unwrap());
                assert!(
                    headings.contains(heading),
                    "{} links to {target}, and there is no such heading",
                    name_of(&path)
                );
            }
        }
    }
}

/// The headings of a document, as links name them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut is_example = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        is_example ^= line.trim_start().starts_with("```");
        let title = line.trim_start_matches('#');
        if !is_example && title.len() < line.len() && title.starts_with(' ') {
            let kept = title.trim().to_lowercase().replace(' ', "-");
            found.insert(kept.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect());
        }
    }
    found
}

/// docs/guarantees.md names the tests that would notice the loss of a guarantee; each of them exists.
#[test]
fn the_tests_behind_the_guarantees_exist() {
    let text = fs::read_to_string(format!("{ROOT}/docs/guarantees.md")).unwrap();
    let mut found = 0;
    for (file, test) in text.split('`').filter_map(|name| name.split_once("::")) {
        let Ok(source) = fs::read_to_string(format!("{ROOT}/tests/it/{file}.rs")) else { continue };
        let there = source.contains(&format!("fn {test}(")) || source.contains(&format!("mod {test} {{"));
        assert!(there, "docs/guarantees.md names {file}::{test}, which is not there");
        found += 1;
    }
    assert!(found > 30, "{found} tests are named");
    for number in 1..=10 {
        assert!(text.contains(&format!("\n## G{number} ")), "G{number} is not described");
    }
}
