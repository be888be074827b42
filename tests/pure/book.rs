//! The book of rules: what is cited stands in it, and what stands in it is shown by a game.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use testing::game_file::first_game;
use testing::referee::all_games;

const BOOK: &str = include_str!("../../docs/rules.md");
const CONTRACT: &str = include_str!("../../docs/contract.md");

/// The rules of the book: each one's number, and what stands below its heading.
fn rules() -> Vec<(u8, &'static str)> {
    let below = BOOK.split("\n### R").skip(1);
    below.map(|text| (text.split(' ').next().unwrap().parse().expect("a number"), text)).collect()
}

#[test]
fn the_rules_are_counted_from_one_and_each_has_an_anchor() {
    let numbers: Vec<u8> = rules().into_iter().map(|(number, _)| number).collect();

    assert_eq!(numbers, (1..=30).collect::<Vec<_>>());
    for number in numbers {
        assert!(BOOK.contains(&format!("\n<a id=\"r{number}\"></a>\n\n### R{number} ")), "R{number}");
    }
}

#[test]
fn every_rule_shows_the_first_game_of_its_file() {
    for (number, text) in rules() {
        let file = fs::read_to_string(root().join(format!("tests/games/r{number:02}.game"))).expect("its games");
        let shown = text.split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next());

        assert_eq!(shown, Some(first_game(&file)), "R{number}");
        assert!(first_game(&file).starts_with(&format!("# R{number} ")), "R{number}");
    }
}

#[test]
fn every_game_shows_rules_of_the_book() {
    let in_book: BTreeSet<u8> = rules().into_iter().map(|(number, _)| number).collect();

    let shown: BTreeSet<u8> = all_games().into_iter().flat_map(|(_, game)| game.rules).collect();

    assert_eq!(shown, in_book);
}

#[test]
fn every_rule_that_is_cited_stands_in_the_book() {
    let in_book: BTreeSet<u8> = rules().into_iter().map(|(number, _)| number).collect();
    let (mut cited, mut unknown) = (BTreeSet::new(), Vec::new());

    for file in texts_below(root()) {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        for (index, line) in text.lines().enumerate() {
            for number in cited_in(line) {
                cited.insert(number);
                if !in_book.contains(&number) {
                    unknown.push(format!("{}:{}: R{number}", file.display(), index + 1));
                }
            }
        }
    }

    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert_eq!(cited, in_book);
}

#[test]
fn a_rule_is_cited_in_comments_and_in_names() {
    assert_eq!(cited_in("/// By R2 and (R17): R18, `R9`."), [2, 17, 18, 9]);
    assert_eq!(cited_in("fn r1_r29_a_name() -> R"), [1, 29]);
    assert!(cited_in("ER5, R5a, R, r7, xr8_, RFC 9457, R005").is_empty());
}

#[test]
fn the_pages_lead_to_headings_that_are_there() {
    for page in [BOOK, CONTRACT] {
        for target in page.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(page.contains(&format!("<a id=\"{target}\"></a>")), "#{target}");
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rules that a line cites: `R17`, or `r17_` at the beginning of a name or after another such number.
fn cited_in(line: &str) -> Vec<u8> {
    let mut cited = Vec::new();
    for word in line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_') {
        let in_name = word.split('_').map_while(|part| number_after('r', part));
        // `r7` alone may be anything.
        let in_name = in_name.take(word.matches('_').count());
        cited.extend(number_after('R', word).into_iter().chain(in_name));
    }
    cited
}

fn number_after(letter: char, text: &str) -> Option<u8> {
    text.strip_prefix(letter).filter(|digits| !digits.starts_with('0')).and_then(|digits| digits.parse().ok())
}

/// The files of the repository, without what is built, downloaded or hidden.
fn texts_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_file() {
            files.push(path);
        } else if !name.starts_with('.') && !["target", "node_modules", "golden", "corpus"].contains(&name.as_str()) {
            files.extend(texts_below(&path));
        }
    }
    files
}
