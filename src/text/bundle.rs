use fluent_bundle::FluentResource;
use fluent_bundle::concurrent::FluentBundle;

use super::{Language, Message};

/// The texts of one language, ready to be filled in.
///
/// The files are part of the program and tested whole: what cannot be read or filled in is a fault
/// of this release. It is logged, and what is left of the text is said.
pub(super) struct Bundle {
    language: Language,
    texts: FluentBundle<FluentResource>,
}

impl Bundle {
    pub(super) fn new(language: Language) -> Self {
        let tag = language.tag();
        let resource = FluentResource::try_new(language.source().to_owned()).unwrap_or_else(|(resource, errors)| {
            log::error!("the texts in {tag} are not all readable: {errors:?}");
            resource
        });
        let mut texts = FluentBundle::new_concurrent(vec![language.identifier()]);
        // The arguments are numbers and names of fields: they need no marks of direction.
        texts.set_use_isolating(false);
        if let Err(errors) = texts.add_resource(resource) {
            log::error!("the texts in {tag} contradict each other: {errors:?}");
        }
        Self { language, texts }
    }

    pub(super) fn say(&self, message: &Message) -> String {
        let (id, tag) = (message.id(), self.language.tag());
        let Some(pattern) = self.texts.get_message(id).and_then(|message| message.value()) else {
            log::error!("{id} in {tag} is missing");
            return id.to_owned();
        };
        let mut errors = Vec::new();
        let text = self.texts.format_pattern(pattern, Some(&message.arguments()), &mut errors).into_owned();
        if !errors.is_empty() {
            log::error!("{id} in {tag} is not whole: {errors:?}");
        }
        text
    }
}
