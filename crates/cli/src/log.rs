//! The log of the web board and of judges: one line for each fault, on standard error.

use std::panic::{self, PanicHookInfo};
use tracing::level_filters::LevelFilter;

/// How much is logged.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum LogLevel {
    Off,
    Error,
    #[default]
    Warn,
    Info,
    Debug,
}

impl LogLevel {
    /// The level as one types it.
    #[cfg(target_os = "linux")]
    pub(crate) const fn word(self) -> &'static str {
        match self {
            LogLevel::Off => "off",
            LogLevel::Error => "error",
            LogLevel::Warn => "warn",
            LogLevel::Info => "info",
            LogLevel::Debug => "debug",
        }
    }
}

impl From<LogLevel> for LevelFilter {
    fn from(level: LogLevel) -> LevelFilter {
        match level {
            LogLevel::Off => LevelFilter::OFF,
            LogLevel::Error => LevelFilter::ERROR,
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Debug => LevelFilter::DEBUG,
        }
    }
}

/// Logs everything up to `level` from now on, panics included.
pub(crate) fn start(level: LogLevel) {
    let lines = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::from(level))
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_target(false);
    // Another log may have been started, by a test that calls several commands.
    if lines.try_init().is_ok() {
        panic::set_hook(Box::new(tell));
    }
}

/// Logs a panic in one line.
fn tell(panic: &PanicHookInfo<'_>) {
    let thread = std::thread::current();
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let message = panic.payload_as_str().unwrap_or_default();
    tracing::error!(thread = thread.name(), place, message, "a fault of the program");
}
