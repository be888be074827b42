//! The texts: each language has them all, whole and in its own words.

use std::collections::{BTreeMap, BTreeSet};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser::parse;

use naval_battle::text::{Language, Message};
use unic_langid::LanguageIdentifier;

/// Every message, each of its arguments being this number.
fn samples(number: &str) -> Vec<Message> {
    Message::samples(number).expect("a number is read as each argument")
}

/// The names of all arguments that a text has, wherever they stand.
fn arguments<'a>(pattern: &Pattern<&'a str>, found: &mut BTreeSet<&'a str>) {
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { .. } => {}
            PatternElement::Placeable { expression: Expression::Inline(inline) } => variable(inline, found),
            PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
                variable(selector, found);
                for variant in variants {
                    arguments(&variant.value, found);
                }
            }
        }
    }
}

fn variable<'a>(inline: &InlineExpression<&'a str>, found: &mut BTreeSet<&'a str>) {
    let InlineExpression::VariableReference { id } = inline else {
        panic!("the texts need nothing but arguments: {inline:?}")
    };
    found.insert(id.name);
}

/// Each message of a language with its arguments.
fn written(language: Language) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let resource = parse(language.source()).unwrap_or_else(|(_, errors)| panic!("{language:?}: {errors:?}"));
    let mut messages = BTreeMap::new();
    for entry in resource.body {
        match entry {
            Entry::Message(message) => {
                assert!(message.attributes.is_empty(), "{language:?}: {}", message.id.name);
                let mut found = BTreeSet::new();
                arguments(&message.value.expect("a message has a text"), &mut found);
                let doubled = messages.insert(message.id.name, found);
                assert!(doubled.is_none(), "{language:?}: {} stands twice", message.id.name);
            }
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => {}
            Entry::Term(_) | Entry::Junk { .. } => panic!("{language:?}: {entry:?}"),
        }
    }
    messages
}

#[test]
fn every_language_has_every_message_with_its_arguments_and_no_other() {
    let samples = samples("1");
    let mut asked: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let arguments: Vec<_> = samples.iter().map(Message::arguments).collect();
    for (message, arguments) in samples.iter().zip(&arguments) {
        asked.insert(message.id(), arguments.iter().map(|(name, _)| name).collect());
    }
    assert_eq!(asked.len(), Message::NAMES.len(), "two messages have one name");

    for language in Language::ALL {
        let written = written(*language);

        for (id, arguments) in &written {
            assert_eq!(asked.get(id), Some(arguments), "{language:?}: {id} is asked for with other arguments");
        }
        for id in asked.keys() {
            assert!(written.contains_key(id), "{language:?}: {id} is missing");
        }
    }
}

#[test]
fn every_message_can_be_filled_in() {
    for language in Language::ALL {
        for number in ["0", "1", "2", "5", "11", "21", "101", "255"] {
            for message in samples(number) {
                let text = language.say(&message);

                assert!(!text.trim().is_empty() && !text.contains(['{', '}', '$']), "{language:?}: {text}");
            }
        }
    }
}

#[test]
fn what_stands_for_itself_is_the_same_in_every_language() {
    let literals = |text: &str| -> BTreeSet<String> {
        let quoted = text.split('`').skip(1).step_by(2);
        let values = text.split(|letter: char| !letter.is_alphanumeric());
        quoted.chain(values.filter(|word| ["null", "true", "false"].contains(word))).map(str::to_owned).collect()
    };
    for message in samples("3") {
        let english = Language::English.say(&message);
        for language in Language::ALL {
            let text = language.say(&message);

            assert_eq!(literals(&text), literals(&english), "{language:?}: {text}");
            for word in ["Idempotency-Key", "Content-Type", "Content-Encoding", "/docs/", "/openapi.json"] {
                assert_eq!(text.contains(word), english.contains(word), "{language:?}: {text}");
            }
        }
    }
}

#[test]
fn no_other_language_speaks_english() {
    // Words that the languages share, and what is made of signs alone.
    let shared = ["columns", "answer-mine", "option-mines"];
    for message in samples("7").iter().filter(|message| !shared.contains(&message.id())) {
        let english = Language::English.say(message);
        for language in Language::ALL.iter().filter(|language| **language != Language::English) {
            assert_ne!(language.say(message), english, "{language:?}: {}", message.id());
        }
    }
}

#[test]
fn numbers_have_the_forms_of_their_language() {
    let shots = |language: Language, expected, sent| language.say(&Message::ShotsDue { expected, sent });
    for (number, shot) in [(1, "выстрел"), (2, "выстрела"), (4, "выстрела"), (5, "выстрелов"), (11, "выстрелов")]
    {
        assert_eq!(shots(Language::Russian, number, 1), format!("в этом ходу ровно {number} {shot}, а прислан 1"));
    }
    for (number, shot) in [(21, "выстрел"), (22, "выстрела"), (25, "выстрелов"), (101, "выстрел"), (111, "выстрелов")]
    {
        assert_eq!(shots(Language::Russian, number, 0), format!("в этом ходу ровно {number} {shot}, а прислано 0"));
    }
    assert_eq!(shots(Language::Finnish, 1, 2), "tällä vuorolla on tasan 1 laukaus, ja lähetettiin 2");
    assert_eq!(shots(Language::Finnish, 5, 1), "tällä vuorolla on tasan 5 laukausta, ja lähetettiin 1");
    assert_eq!(shots(Language::German, 1, 2), "dieser Zug hat genau 1 Schuss, gesendet wurden 2");
    assert_eq!(shots(Language::German, 5, 1), "dieser Zug hat genau 5 Schüsse, gesendet wurde 1");
    assert_eq!(shots(Language::Italian, 1, 2), "questo turno ha esattamente 1 colpo, e ne sono stati inviati 2");
    assert_eq!(shots(Language::Italian, 5, 1), "questo turno ha esattamente 5 colpi, e ne è stato inviato 1");
    assert_eq!(shots(Language::English, 1, 2), "this turn has exactly 1 shot, and 2 were sent");
    assert_eq!(shots(Language::English, 5, 1), "this turn has exactly 5 shots, and 1 was sent");

    let mines = |language: Language, expected| language.say(&Message::MinesDue { expected });
    assert_eq!(mines(Language::Russian, 1), "нужна ровно 1 мина");
    assert_eq!(mines(Language::Russian, 3), "нужны ровно 3 мины");
    assert_eq!(mines(Language::Russian, 0), "нужно ровно 0 мин");
    assert_eq!(mines(Language::Finnish, 2), "tarvitaan tasan 2 miinaa");
}

#[test]
fn a_column_has_a_letter_in_every_language() {
    for language in Language::ALL {
        let columns = language.say(&Message::Columns);

        let letters: BTreeSet<char> = columns.split(' ').map(|letter| letter.parse().unwrap()).collect();
        assert_eq!(letters.len(), 15, "{language:?}");
        assert!(letters.iter().all(|letter| letter.is_uppercase()), "{language:?}");
    }
    assert!(!Language::Russian.say(&Message::Columns).contains(['Ё', 'Й', 'A', 'B']), "Latin letters and rare ones");
}

#[test]
fn every_tag_is_a_language_identifier() {
    for language in Language::ALL {
        let identifier: LanguageIdentifier = language.tag().parse().unwrap();
        assert_eq!(identifier.to_string(), language.tag());
        assert_eq!(Language::accepted([language.tag()].into_iter(), &[]), *language);
    }
}
