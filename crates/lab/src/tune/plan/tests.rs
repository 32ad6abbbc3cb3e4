//! What a specification becomes, and why it is refused.

use super::*;

fn plan(text: &str) -> Result<Plan, SpecError> {
    Spec::read(text)?.settle(&isrever_reports::catalogue())
}

#[test]
fn what_is_settled_means_the_same_when_it_is_read_again() {
    for text in [
        "agent = \"greedy:by=squares\"",
        "agent = \"genetic\"\nalgorithm = \"binary\"\nobjective = \"round-robin\"\nnodes = 50",
        "agent = \"maximax\"\nalgorithm = \"elitist\"\nobjective = \"neighbours\"\nradius = 0.2",
        "agent = \"depth3\"\nparameters = [\"b2\"]\nobjective = \"minimax-loss\"\nempties = [6, 8]",
    ] {
        let first = plan(text).unwrap();
        let again = first.spec.settle(&isrever_reports::catalogue()).unwrap();
        assert_eq!(again.spec, first.spec, "{text}");
        assert_eq!((again.algorithm, &again.objective), (first.algorithm, &first.objective));
        let quick = first.spec.clone().quick().settle(&isrever_reports::catalogue()).unwrap();
        assert!(quick.generations == 3 && quick.objective.matchups(6) <= 30, "{quick:?}");
    }
}

#[test]
fn what_is_wrong_is_named_with_what_was_expected() {
    let refusal = |text: &str| plan(text).unwrap_err().to_string();
    let agent = "agent = \"greedy:by=squares\"\n";
    for (more, words) in [
        ("speed = 3", "line 2: speed: no such key (did you mean seed?); expected name, agent,"),
        (
            "pairs = \"many\"",
            "line 2: pairs: cannot be \"many\"; expected a whole number from 1 to 10000000",
        ),
        (
            "population = -4",
            "line 2: population: cannot be -4; expected a whole number from 2 to 10000",
        ),
        ("seed = 1.5", "line 2: seed: cannot be 1.5; expected a whole number from 0 up"),
        ("sigma = [1]", "line 2: sigma: cannot be [1]; expected a number from 0.001 to 1"),
        ("algorithm = 3", "line 2: algorithm: cannot be 3; expected elitist, binary or cma-es"),
        ("proof = \"random\"", "line 2: proof: cannot be \"random\"; expected a list of agents"),
        ("parameters = []", "parameters: none; expected some of a1, b1"),
        ("parameters = [\"a1\", \"a1\"]", "parameters: a1 is named twice; expected each once"),
        ("target = 3", "target: cannot be 3; expected a fitness from 0 to 1"),
        (
            "against = \"genetic:time=1s\"",
            "against: genetic:time=1s is limited by time, so no two runs need be alike; expected",
        ),
        (
            "algorithm = \"luck\"",
            "line 2: algorithm: cannot be \"luck\"; expected elitist, binary or cma-es",
        ),
        (
            "objective = \"luck\"",
            "line 2: objective: cannot be \"luck\"; expected win-rate, round-robin,",
        ),
        ("start = \"here\"", "line 2: start: cannot be \"here\"; expected random or values"),
        (
            "population = 1",
            "line 2: population: cannot be 1; expected a whole number from 2 to 10000",
        ),
        ("population = 3", "population: cannot be 3; expected at least 4 for cma-es"),
        ("mutation = 0.1", "mutation: means nothing to cma-es; expected it with elitist or binary"),
        ("radius = 0.1", "radius: means nothing to win-rate; expected it with neighbours"),
        (
            "parameters = [\"a1\", \"z9\"]",
            "parameters: no parameter is called \"z9\"; expected some of a1, b1",
        ),
        ("against = \"nobody\"", "against: no agent is called \"nobody\""),
        ("proof = [\"nobody\"]", "proof: no agent is called \"nobody\""),
        ("size = 10", "size: cannot be 10 where endings are proved; expected 4, 6 or 8"),
        ("rule = \"odd\"", "line 2: rule: cannot be \"odd\"; expected reversed or normal"),
        ("openings = \"book.txt\"", "openings: cannot be the file \"book.txt\"; expected start or"),
        ("depth = 0", "line 2: depth: cannot be 0; expected a whole number from 1 to 64"),
        ("sigma = nan", "line 2: sigma: cannot be NaN; expected a number from 0.001 to 1"),
        ("target = inf", "line 2: target: cannot be inf; expected a number"),
    ] {
        let found = refusal(&format!("{agent}{more}"));
        assert!(found.starts_with(words), "{found}");
    }
    assert!(refusal("seed = 1").starts_with("agent: not said; expected one such as greedy"));
    assert!(refusal("agent = \"random\"").starts_with("agent: random has no parameters; expected"));
    let loss = format!("{agent}objective = \"minimax-loss\"\nempties = [12, 10]");
    assert!(refusal(&loss).starts_with("line 3: empties: cannot be [12, 10]; expected the fewest"));
    let solved = format!("{agent}objective = \"minimax-loss\"\nempties = [20, 21]");
    assert_eq!(
        refusal(&solved),
        "empties: cannot be 21; expected at most 20 where they are solved"
    );
    let nodes = format!("{agent}objective = \"effort\"\nnodes = 10");
    assert!(
        refusal(&nodes).starts_with("nodes: means nothing to effort; expected it with win-rate")
    );
    let other = "greedy:by=squares has other parameters than the search; expected engine";
    assert_eq!(refusal(&format!("{agent}objective = \"effort\"")), format!("agent: {other}"));
}

#[test]
fn options_are_held_to_the_table() {
    let refusal = |spec: Spec| {
        let spec = Spec { agent: Some("greedy:by=squares".to_owned()), ..spec };
        spec.settle(&isrever_reports::catalogue()).unwrap_err().to_string()
    };
    let found = refusal(Spec { pairs: Some(0), ..Spec::default() });
    assert_eq!(found, "pairs: cannot be 0; expected a whole number from 1 to 10000000");
    let found = refusal(Spec { seed: Some(u64::MAX), ..Spec::default() });
    assert_eq!(found, "seed: cannot be 18446744073709551615; expected at most 9223372036854775807");
}
