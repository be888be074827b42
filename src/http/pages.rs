//! Pages of `docs/` that people read beside the document: the rules and the contract.

use std::fmt::Write as _;
use std::future::ready;
use std::sync::LazyLock;

use actix_web::{HttpRequest, web};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};

use super::files::File;
use super::routes;

/// Where each page is, and what it shows: made once, for all threads that serve.
#[expect(clippy::expect_used, reason = "they are texts")]
static PAGES: LazyLock<[(&str, File); 2]> = LazyLock::new(|| {
    let pages = [
        ("/docs/rules", include_str!("../../docs/rules.md")),
        ("/docs/contract", include_str!("../../docs/contract.md")),
    ];
    pages.map(|(path, markdown)| {
        let file = File::new("text/html; charset=utf-8", page(markdown)).expect("a page can be packed");
        (path, file.under(POLICY))
    })
});

/// A page may do nothing but look as its own style says.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

const STYLE: &str = "body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 sans-serif}\
                     pre{overflow-x:auto;padding:.75rem;background:#f4f4f4}\
                     table{display:block;overflow-x:auto;border-collapse:collapse}\
                     th,td{padding:.25rem .5rem;border:1px solid #ccc;text-align:left}";

/// Mounts the pages.
pub(super) fn mount(config: &mut web::ServiceConfig) {
    for (path, page) in &*PAGES {
        config.service(routes::file(path, web::to(|request: HttpRequest| ready(page.serve(&request)))));
    }
}

/// A page of the repository as one of the server, where other pages have no `.md` at their end.
fn page(markdown: &str) -> String {
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).map(|mut event| {
        if let Event::Start(Tag::Link { dest_url, .. }) = &mut event {
            *dest_url = CowStr::from(dest_url.replace(".md", ""));
        }
        event
    });
    let title = markdown.lines().next().unwrap_or_default().trim_start_matches("# ");
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style>\n"
    );
    html::push_html(&mut page, events);
    page.push_str("</html>\n");
    page
}

/// Has each rule that a description of the document cites lead to its text.
///
/// The links are good from Swagger UI, which shows them below `/docs/`, and from the document itself.
pub(super) fn link_rules(document: &str) -> String {
    let mut linked = String::with_capacity(document.len());
    for line in document.split_inclusive('\n') {
        if !line.trim_start().starts_with("\"description\": \"") {
            linked.push_str(line);
            continue;
        }
        let mut rest = line;
        while let Some((before, number, after)) = next_rule(rest) {
            // Writing to a text cannot fail.
            let _ = write!(linked, "{before}[R{number}](../docs/rules#r{number})");
            rest = after;
        }
        linked.push_str(rest);
    }
    linked
}

/// The text before the first rule that is cited, its number, and the text after it.
fn next_rule(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices('R').find_map(|(at, _)| {
        let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
        let digits = after.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len());
        let (number, after) = after.split_at(digits);
        let stands_alone = !before.ends_with(|letter: char| letter.is_alphanumeric())
            && !after.starts_with(|letter: char| letter.is_alphanumeric());
        (stands_alone && !number.is_empty()).then_some((before, number, after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_tables_its_anchors_and_links_without_the_names_of_files() {
        let page = page("# Rules & more\n\n<a id=\"r1\"></a>\n\n| a |\n| --- |\n| [b](rules.md#r1) |\n");

        for part in ["<h1>Rules &amp; more</h1>", "<a id=\"r1\"></a>", "<td><a href=\"rules#r1\">b</a></td>"] {
            assert!(page.contains(part), "{part} is not in {page}");
        }
    }

    #[test]
    fn a_rule_is_linked_in_descriptions_alone() {
        let linked = link_rules("  \"description\": \"By R2 (R17), not ER5 or R5a\"\n  \"example\": \"R2\"\n");

        assert_eq!(
            linked,
            "  \"description\": \"By [R2](../docs/rules#r2) ([R17](../docs/rules#r17)), not ER5 or R5a\"\n  \"example\": \"R2\"\n"
        );
    }
}
