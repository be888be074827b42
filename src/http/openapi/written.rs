use std::borrow::Cow;

use serde::Serialize;
use serde::ser::Error as _;
use serde_json::Serializer;
use serde_json::ser::PrettyFormatter;
use utoipa::openapi::path::Operation as Description;
use utoipa::openapi::tag::Tag;
use utoipa::openapi::{Components, ExternalDocs, Info, OpenApiVersion, Server};

use crate::http::operation::Operation;

/// The document in the order in which it is written, and shown by those who read it: that of the operations. The type of
/// the library writes what reads before what creates.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub openapi: OpenApiVersion,
    pub info: Info,
    pub external_docs: ExternalDocs,
    pub servers: Vec<Server>,
    pub tags: Option<Vec<Tag>>,
    pub paths: Paths,
    pub components: Components,
}

/// The paths with what stands at each.
pub(super) struct Paths(pub Vec<Item>);

/// The operations of one path.
pub(super) struct Item {
    path: &'static str,
    operations: Vec<(String, Description)>,
}

impl Item {
    /// What the document says of operations of one path; none where there are no operations.
    pub(super) fn of(operations: &[&Operation]) -> Option<Self> {
        let described = |one: &&Operation| (one.method().as_str().to_lowercase(), super::describe(one));
        Some(Self { path: operations.first()?.path, operations: operations.iter().map(described).collect() })
    }

    pub(super) fn operations(&self) -> impl Iterator<Item = &Description> {
        self.operations.iter().map(|(_, operation)| operation)
    }

    pub(super) fn operations_mut(&mut self) -> impl Iterator<Item = &mut Description> {
        self.operations.iter_mut().map(|(_, operation)| operation)
    }
}

impl Serialize for Paths {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.0.iter().map(|item| (item.path, item)))
    }
}

impl Serialize for Item {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.operations.iter().map(|(method, operation)| (method, operation)))
    }
}

/// JSON of many lines. A space is enough for a level: of what lies deep there is much.
pub(super) fn indented(value: &impl Serialize) -> serde_json::Result<String> {
    let mut text = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut text, PrettyFormatter::with_indent(b" ")))?;
    String::from_utf8(text).map_err(serde_json::Error::custom)
}

/// How wide a line may become.
const WIDTH: usize = 120;

/// Indented JSON with each object and list on one line that has room there.
pub(super) fn folded(indented: &str) -> String {
    let mut lines: Vec<Cow<str>> = Vec::new();
    let mut open = Vec::new();
    for line in indented.lines() {
        lines.push(line.into());
        if line.ends_with(['{', '[']) {
            open.push(lines.len() - 1);
        } else if line.trim_start().starts_with(['}', ']'])
            && let Some(begin) = open.pop()
            && let Some(line) = lines.get(begin..).and_then(on_one_line)
        {
            lines.truncate(begin);
            lines.push(line.into());
        }
    }
    lines.join("\n")
}

/// A whole object or list on one line; none where that has no room for it.
fn on_one_line(lines: &[Cow<str>]) -> Option<String> {
    let [begin, within @ .., end] = lines else { return None };
    let within = within.iter().map(|line| line.trim_start()).collect::<Vec<_>>().join(" ");
    let end = end.trim_start();
    let space = if end.starts_with('}') { " " } else { "" };
    let line = format!("{begin}{space}{within}{space}{end}");
    (line.chars().count() <= WIDTH).then_some(line)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_has_room_on_a_line_stands_there_and_nothing_else_changes() {
        let long = "x".repeat(110);
        let value = json!({"few": [1, [], {"a": {}}], "long": {"one": long, "other": "] }"}, "text": "a {"});

        let text = folded(&indented(&value).unwrap());

        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        let lines = [
            "{",
            " \"few\": [1, [], { \"a\": {} }],",
            " \"long\": {",
            &format!("  \"one\": \"{long}\","),
            "  \"other\": \"] }\"",
            " },",
            " \"text\": \"a {\"",
            "}",
        ];
        assert_eq!(text, lines.join("\n"));
    }
}
