//! A TOML file with the line of each value.

use crate::error::line;
use crate::{Error, Key, Keys, Kind, typed};
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// A TOML file, parsed.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    text: &'a str,
    table: Table,
    spans: DeTable<'a>,
}

impl<'a> Document<'a> {
    /// Parses a text.
    pub fn parse(text: &'a str) -> Result<Document<'a>, Error> {
        let wrong = |error: toml::de::Error| Error::of_toml(&error, text);
        let table = text.parse().map_err(wrong)?;
        let spans = DeTable::parse(text).map_err(wrong)?.into_inner();
        Ok(Document { text, table, spans })
    }

    /// Its values.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// An error of one of its keys, with the line of the key.
    pub fn locate(&self, key: &str, error: Error) -> Error {
        let place = self.spans.iter().find(|(name, _)| name.get_ref() == key);
        match place {
            Some((name, _)) => error.at(line(self.text, name.span().start)),
            None => error,
        }
    }

    /// Refuses the first key or value that `keys` do not allow.
    pub fn check(&self, keys: Keys<'_>) -> Result<(), Error> {
        self.check_table(keys, &self.table, &self.spans)
    }

    fn check_table(&self, keys: Keys<'_>, table: &Table, spans: &DeTable<'_>) -> Result<(), Error> {
        let mut entries: Vec<_> = spans.iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        for (name, spans) in entries {
            let value = &table[name.get_ref().as_ref()];
            let checked =
                keys.find(name.get_ref()).and_then(|key| self.check_value(key, value, spans));
            checked.map_err(|error| error.at(line(self.text, name.span().start)))?;
        }
        Ok(())
    }

    fn check_value(
        &self,
        key: &Key,
        value: &Value,
        spans: &Spanned<DeValue<'_>>,
    ) -> Result<(), Error> {
        match (&key.kind, value, spans.get_ref()) {
            (Kind::Table(inner), Value::Table(table), DeValue::Table(spans)) => {
                self.check_table(Keys(inner), table, spans)
            }
            (Kind::Items(_, inner), Value::Array(values), DeValue::Array(spans)) => {
                for (value, spans) in values.iter().zip(spans) {
                    match (value, spans.get_ref()) {
                        (Value::String(_), _) => {}
                        (Value::Table(table), DeValue::Table(spans)) => {
                            self.check_table(Keys(inner), table, spans)?;
                        }
                        _ => {
                            return Err(key
                                .refusal(typed(value))
                                .at(line(self.text, spans.span().start)));
                        }
                    }
                }
                Ok(())
            }
            (kind, ..) if kind.allows(value) => Ok(()),
            _ => Err(key.refusal(typed(value))),
        }
    }
}
