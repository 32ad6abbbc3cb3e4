//! Describes streams for programs: the events of each, and the data of each event.

use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Schema};

/// An event called `name` with data of the type that the description calls `data`.
pub(crate) fn event(name: &str, data: &str) -> RefOr<Schema> {
    let word = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([name]));
    let event = ObjectBuilder::new()
        .schema_type(Type::Object)
        .property("event", word)
        .required("event")
        .property("data", Ref::from_schema_name(data))
        .required("data");
    event.into()
}

/// Defines a type that stands for any event of a stream in the description, and nowhere else.
macro_rules! events {
    ($(#[doc = $about:literal])* $name:ident { $($event:literal: $data:ty,)* }) => {
        $(#[doc = $about])*
        pub(crate) enum $name {}

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::OneOfBuilder::new()
                    .description(Some(concat!($($about),*).trim()))
                    $(.item(crate::wire::event($event, &<$data as utoipa::ToSchema>::name())))*
                    .into()
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn schemas(
                schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>,
            ) {
                use utoipa::{PartialSchema, ToSchema};
                $(
                    schemas.push((<$data as ToSchema>::name().into_owned(), <$data>::schema()));
                    <$data as ToSchema>::schemas(schemas);
                )*
            }
        }
    };
}
pub(crate) use events;
