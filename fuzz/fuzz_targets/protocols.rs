//! A line of GTP or NBoard is a command, a refusal in one line, or nothing; an answer in GTP ends
//! where the protocol says it does.

#![no_main]

#[path = "../../crates/cli/src/commands/gtp/command.rs"]
mod gtp;
#[path = "../../crates/cli/src/commands/nboard/order.rs"]
mod nboard;

use isrever_board::Size;
use isrever_fuzz::is_one_line;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for line in text.lines() {
        if let Some(Err(offence)) = nboard::Order::read(line, Size::EIGHT) {
            is_one_line(&offence.replace(char::is_control, " "));
        }
        if let Some(command) = gtp::Command::read(line) {
            assert!(command.number.is_none_or(|number| number.parse::<f64>().is_ok()));
            assert!(!command.words.iter().any(|word| word.contains(char::is_whitespace)));
        }
    }
    let answer = gtp::Command::answer(Some("1"), &Ok(text.to_owned()));
    assert!(answer.starts_with("=1") && !answer.contains("\n\n"), "{answer:?}");
});
