//! The reports' agents by name, and the players they are measured against.

use crate::agents::{Depth3, FourStage, Genetic, Maximax, ThreeStage};
use crate::combination::Combination;
use crate::greedy::{Greedy, Measure};
use crate::invincible::{ENDING, Invincible};
use isrever_agent::{
    Catalogue, Entry, Key, Kind, Limited, Mcts, Needs, Random, Settings, SpecError,
};

const BY: Key = Key::new("by", "discs, mobility, squares or combination");
const ENDING_KEY: Key = Key::count("ending");
const INVINCIBLE: [Key; 4] = [ENDING_KEY, Key::TIME, Key::DEPTH, Key::NODES];
const GREEDY_INVINCIBLE: [Key; 5] = [BY, ENDING_KEY, Key::TIME, Key::DEPTH, Key::NODES];

/// The agents of this crate and the simplest ones, roughly the weakest first.
pub fn catalogue() -> Catalogue {
    Catalogue::new([Random::entry()].into_iter().chain(entries()).chain([Mcts::entry()]))
}

/// The agents of this crate, roughly the weakest first.
fn entries() -> [Entry; 8] {
    [
        Entry::new(
            "greedy",
            "looks one move ahead: by=discs (the default), mobility, squares or combination",
            |spec, seed| {
                let mut settings = Settings::new(spec)?;
                let measure = measure(&mut settings, "discs")?;
                settings.finish()?;
                Ok(Box::new(Greedy::by(measure, seed)))
            },
        )
        .with_keys(&[BY])
        .with_parameters(|settings| Ok(measure(settings, "discs")?.into_parameters()))
        .with_presets(Combination::presets()),
        Entry::new(
            "random-invincible",
            "random, and perfect with 12 empty squares or ending=N",
            |spec, seed| {
                let mut settings = Settings::new(spec)?;
                let before = Box::new(Random::new(seed));
                let ending = settings.count(&ENDING_KEY)?.unwrap_or(ENDING);
                Limited::wrap(
                    Box::new(Invincible::new("random-invincible", before, ending)),
                    settings,
                )
            },
        )
        .with_keys(&INVINCIBLE),
        Entry::new(
            "greedy-invincible",
            "greedy by=squares or another measure, and perfect with 12 empty squares or ending=N",
            |spec, seed| {
                let mut settings = Settings::new(spec)?;
                let before = Box::new(Greedy::by(measure(&mut settings, "squares")?, seed));
                let ending = settings.count(&ENDING_KEY)?.unwrap_or(ENDING);
                Limited::wrap(
                    Box::new(Invincible::new("greedy-invincible", before, ending)),
                    settings,
                )
            },
        )
        .with_keys(&GREEDY_INVINCIBLE)
        .with_parameters(|settings| Ok(measure(settings, "squares")?.into_parameters()))
        .with_presets(Combination::presets()),
        Entry::of_parameters(
            "depth3",
            "report 001: three plies; squares, mobility and discs",
            |settings| settings.table(Depth3::table(), &[]).map(Some),
            Depth3::new,
        )
        .of_kind(Kind::Report),
        Entry::of_parameters(
            "threestage",
            "report 004: three, then four plies, and the end; squares, mobility and edges",
            |settings| settings.table(ThreeStage::table(), &[]).map(Some),
            ThreeStage::new,
        )
        .of_kind(Kind::Report),
        Entry::of_parameters(
            "fourstage",
            "report 002: deepens for 5 s; squares, and mobility, frontier or stability by stage",
            |settings| settings.table(FourStage::table(), &[]).map(Some),
            FourStage::new,
        )
        .of_kind(Kind::Report),
        Entry::of_parameters(
            "genetic",
            "report 003: deepens for 4 s, a final search at the end; weights of a genetic algorithm",
            |settings| settings.table(Genetic::table(), Genetic::presets()).map(Some),
            Genetic::new,
        )
        .of_kind(Kind::Report)
        .with_presets(Genetic::presets()),
        Entry::of_parameters(
            "maximax",
            "report 000: deepens for 5 s by a rule for time; a table, tuned weights of squares",
            |settings| settings.table(Maximax::table(), Combination::presets()).map(Some),
            Maximax::new,
        )
        .of_kind(Kind::Report)
        .with_needs(|_| Ok(Needs { memory_bytes: Some(Maximax::MEMORY_BYTES), ..Needs::default() }))
        .with_presets(Combination::presets()),
    ]
}

/// Reads the measure of a greedy agent, with its parameters if it has some.
fn measure(settings: &mut Settings<'_>, default: &str) -> Result<Measure, SpecError> {
    let measure = settings.read(&BY, Measure::by_name)?;
    let measure = measure.or_else(|| Measure::by_name(default));
    let mut measure = measure.expect("the default is the name of a measure");
    if let Measure::Combination(parameters) = &mut measure {
        settings.parameters(parameters)?;
    }
    Ok(measure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_answer_to_their_names() {
        let catalogue = catalogue();
        for entry in catalogue.entries() {
            assert_eq!(catalogue.make(entry.name(), 1).unwrap().name(), entry.name());
            assert!(!entry.about().is_empty() && !entry.about().contains('\n'));
        }
    }

    #[test]
    fn specs_that_are_understood() {
        let catalogue = catalogue();
        for spec in [
            "greedy:by=mobility",
            "greedy:by=squares,b2=0.5",
            "random-invincible:ending=8",
            "greedy-invincible:by=combination,late_mobility=0.3,nodes=5000",
            "depth3:depth=4,mobility=7",
            "threestage:depth=2,middle_edge=-3",
            "fourstage:time=250ms,end=1000",
            "genetic:nodes=1000,end_move_d4=-36",
            "maximax:time=5s,q=0.5",
        ] {
            assert!(catalogue.make(spec, 1).is_ok(), "{spec}");
        }
    }

    #[test]
    fn presets_are_read_and_single_values_changed_beside_them() {
        let catalogue = catalogue();
        let mut count = 0;
        for entry in catalogue.entries() {
            for preset in entry.presets() {
                let plain = match entry.name() {
                    "greedy" => "greedy:by=squares,",
                    name => &format!("{name}:"),
                };
                let spec = format!("{plain}preset={}", preset.name);
                let [tuned, plain] = [&spec, plain.trim_end_matches(',')]
                    .map(|spec| catalogue.parameters(spec).unwrap().unwrap());
                assert_ne!(tuned.values(), plain.values(), "{spec}");
                assert!(catalogue.make(&spec, 1).is_ok(), "{spec}");
                count += 1;
            }
        }
        assert_eq!(count, 7, "two for three agents, and one");
        let own = catalogue.parameters("maximax:preset=tuned-squares,a1=0.25").unwrap().unwrap();
        let preset = catalogue.parameters("maximax:preset=tuned-squares").unwrap().unwrap();
        assert_eq!((own.get("a1"), own.get("b1")), (0.25, preset.get("b1")));
        let unknown = catalogue.make("maximax:preset=luck", 1).err().unwrap().to_string();
        let expected = "expected tuned-squares or tuned-combination";
        assert_eq!(unknown, format!("maximax was given preset=luck; {expected}"));
    }

    #[test]
    fn what_is_wrong_with_a_spec_is_named() {
        let catalogue = catalogue();
        for (spec, message) in [
            (
                "greedy:by=luck",
                "greedy was given by=luck; expected discs, mobility, squares or combination",
            ),
            ("greedy:b2=1", "greedy has no key \"b2\"; expected by"),
            ("random-invincible:ending=x", "random-invincible was given ending=x; expected a"),
            ("depth3:depth=99", "depth3: depth cannot be 99; expected a whole number from 1 to 12"),
            ("depth3:b2=two", "depth3 was given b2=two; expected a number"),
            (
                "depth3:depht=3",
                "depth3 has no key \"depht\" (did you mean depth?); expected depth, ending, squares,",
            ),
            (
                "gredy",
                "no agent is called \"gredy\" (did you mean greedy?); expected random, greedy,",
            ),
        ] {
            let error = catalogue.make(spec, 1).err().unwrap().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
