//! A spec is taken or refused in one line; it reads as it was written, and a key that is set in it
//! can be read back.

#![no_main]

use isrever_agent::{AgentSpec, Catalogue, duration};
use isrever_board::{Rule, Size};
use isrever_fuzz::is_one_line;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(isrever_players::catalogue);

fuzz_target!(|text: &str| {
    if let Err(error) = duration(text) {
        is_one_line(&error.to_string());
    }
    let spec = AgentSpec::new(text);
    assert_eq!(spec.to_string(), text);
    let again = spec.with("level", 7);
    assert_eq!(AgentSpec::new(again.as_str()).get("level"), Some("7"));
    match CATALOGUE.check(&spec, Rule::Reversed, Size::EIGHT) {
        Ok(()) => assert!(CATALOGUE.needs(&spec).is_ok()),
        Err(error) => is_one_line(&error.to_string()),
    }
});
