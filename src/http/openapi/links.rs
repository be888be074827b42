use utoipa::openapi::link::LinkBuilder;
use utoipa::openapi::path::Operation as Description;
use utoipa::openapi::schema::Components;
use utoipa::openapi::{Ref, RefOr};

use crate::http::operation::Operation;
use crate::http::operations::OPERATIONS;

/// The parameter of a game's path, and where a reply that seats somebody has its value.
const GAME: (&str, &str) = ("game_id", "$response.body#/game/id");

/// The status of a reply that seats somebody.
const SEATED: &str = "201";

/// Describes once how each operation on a game follows from a reply that seats somebody in it.
pub(super) fn define(components: &mut Components) {
    for operation in OPERATIONS {
        if let Some((id, description)) = followed(operation) {
            let (name, value) = GAME;
            let summary = description.summary.unwrap_or_default();
            let link = LinkBuilder::new().operation_id(&id).parameter(name, value).description(summary);
            components.links.insert(id, RefOr::T(link.build()));
        }
    }
}

/// Names what can be done with a game in which the reply of an operation seats somebody.
pub(super) fn add(operation: &Operation, description: &mut Description) {
    let Some(RefOr::T(seated)) = description.responses.responses.get_mut(SEATED) else { return };
    for (id, _) in OPERATIONS.iter().filter(|other| other.path != operation.path).filter_map(|other| followed(other)) {
        let reference = Ref::new(format!("#/components/links/{id}"));
        seated.links.insert(id, RefOr::Ref(reference));
    }
}

/// An operation on a game by its id, where that says all that its path asks for.
fn followed(operation: &Operation) -> Option<(String, Description)> {
    let asked = operation.path.matches('{').count();
    let description = (operation.attribute.description)();
    let id = description.operation_id.clone().filter(|_| operation.subject.is_a_game() && asked == 1)?;
    Some((id, description))
}
