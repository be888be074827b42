use utoipa::openapi::path::Operation as Description;
use utoipa::openapi::schema::Components;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use super::headers;
use crate::http::operation::Operation;
use crate::http::operations::OPERATIONS;
use crate::schema::Code;
use crate::text::Language;
use record::type_name;

/// A reply of one status that refuses: which codes it may have.
#[derive(PartialEq, Eq)]
struct Refusal {
    status: u16,
    codes: Vec<Code>,
}

impl Refusal {
    /// The most codes that its name has room for.
    const NAMED: usize = 2;

    /// Those of an operation.
    fn all_of(operation: &Operation) -> Vec<Self> {
        let mut refusals: Vec<Self> = Vec::new();
        for code in Code::ALL.iter().copied().filter(|code| operation.can_answer(*code)) {
            match refusals.iter_mut().find(|refusal| refusal.status == code.status()) {
                Some(refusal) => refusal.codes.push(code),
                None => refusals.push(Self { status: code.status(), codes: vec![code] }),
            }
        }
        refusals
    }

    /// What it is called among the components, such as `GameOverOrInFlight`; none where it stands beside its operation.
    fn name(&self) -> Option<String> {
        let words: Vec<_> = self.codes.iter().map(|code| type_name(code.word())).collect();
        (words.len() <= Self::NAMED).then(|| words.join("Or"))
    }

    fn response(&self) -> Response {
        let meaning = |code: &Code| format!("`{}`: {}", code.word(), Language::English.say(&code.meaning()));
        let lines: Vec<_> = self.codes.iter().map(meaning).collect();
        let examples = self.codes.iter().map(|code| {
            let word = code.word();
            (word, RefOr::Ref(Ref::new(format!("#/components/examples/{word}"))))
        });
        let body =
            ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).examples_from_iter(examples).build();
        let mut response =
            ResponseBuilder::new().description(lines.join("\n\n")).content("application/problem+json", body).build();
        headers::add_to_refusal(&self.status.to_string(), &mut response);
        response
    }
}

/// Describes once what several operations may refuse.
pub(super) fn define(components: &mut Components) {
    for refusal in OPERATIONS.iter().flat_map(|operation| Refusal::all_of(operation)) {
        if let Some(name) = refusal.name() {
            components.responses.entry(name).or_insert_with(|| RefOr::T(refusal.response()));
        }
    }
}

/// Adds what an operation may refuse.
pub(super) fn add(operation: &Operation, description: &mut Description) {
    for refusal in Refusal::all_of(operation) {
        let response = match refusal.name() {
            Some(name) => RefOr::Ref(Ref::from_response_name(name)),
            None => RefOr::T(refusal.response()),
        };
        description.responses.responses.insert(refusal.status.to_string(), response);
    }
}
