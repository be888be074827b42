use utoipa::openapi::path::{Operation as Description, Parameter};
use utoipa::openapi::schema::{Components, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};

use super::headers;
use super::written::Item;
use record::type_name;

/// Has the parameters of an operation say all that they take.
pub(super) fn complete(description: &mut Description) {
    for parameter in description.parameters.iter_mut().flatten() {
        cannot_be_null(parameter);
        is_written_as_entity_tags(parameter);
    }
}

/// Describes once each parameter that several operations take.
pub(super) fn share(items: &mut [Item], components: &mut Components) {
    let operations = || items.iter().flat_map(Item::operations);
    let all: Vec<_> = operations().filter_map(|operation| operation.parameters.as_ref()).flatten().cloned().collect();
    for (index, parameter) in all.iter().enumerate() {
        if let RefOr::T(described) = parameter
            && all.iter().skip(index + 1).any(|other| other == parameter)
        {
            components.parameters.entry(name_of(described)).or_insert_with(|| parameter.clone());
        }
    }
    for parameter in items.iter_mut().flat_map(Item::operations_mut).filter_map(|one| one.parameters.as_mut()).flatten()
    {
        if let RefOr::T(described) = parameter
            && let name = name_of(described)
            && components.parameters.get(&name) == Some(parameter)
        {
            *parameter = RefOr::Ref(Ref::new(format!("#/components/parameters/{name}")));
        }
    }
}

/// What a parameter is called among the components: `If-Match` is `IfMatch`.
fn name_of(parameter: &Parameter) -> String {
    type_name(&parameter.name.replace('-', "_"))
}

/// A parameter that may be left out is a text or a number where it is there.
fn cannot_be_null(parameter: &mut RefOr<Parameter>) {
    if let RefOr::T(parameter) = parameter
        && let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema
        && let SchemaType::Array(types) = &schema.schema_type
        && let [one] = types.iter().filter(|one| **one != Type::Null).collect::<Vec<_>>().as_slice()
    {
        schema.schema_type = SchemaType::Type((*one).clone());
    }
}

fn is_written_as_entity_tags(parameter: &mut RefOr<Parameter>) {
    if let RefOr::T(parameter) = parameter
        && ["If-Match", "If-None-Match"].contains(&parameter.name.as_str())
        && let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema
    {
        schema.pattern = Some(headers::ENTITY_TAGS.to_owned());
    }
}
