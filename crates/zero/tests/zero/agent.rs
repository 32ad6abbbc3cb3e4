//! The agent `zero`: legal within any limits, the same from the same game, right where it can prove.

use isrever_agent::{Agent, AgentSpec, Catalogue, Limits};
use isrever_board::{Game, Move, Position, Rule, Size};
use isrever_testkit::{brute_force, positions};
use isrever_zero::{FloatNetwork, Network, Shape, Zero, ZeroSettings};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// A network that has learned nothing.
fn network(size: Size) -> &'static Network {
    let shape = Shape::new(size, 2, 16).unwrap();
    let float = FloatNetwork::random(Rule::Reversed, shape, 7);
    Box::leak(Box::new(Network::quantize(&float, &[])))
}

fn settings(size: Size, playouts: u64) -> ZeroSettings {
    let playouts = Some(playouts);
    ZeroSettings { network: network(size), playouts, threads: 1, tree_bytes: 1 << 20, ending: None }
}

/// Plays a game against itself; returns its moves.
fn play(agent: &mut Zero, size: Size, limits: &Limits) -> Vec<Move> {
    let mut game = Game::new(Rule::Reversed, size);
    let mut moves = Vec::new();
    while !game.position().is_over() {
        let mv = match game.position().must_pass() {
            true => Move::Pass,
            false => Move::Place(agent.choose(&game, limits).unwrap().square),
        };
        game.play(mv).expect("a legal move");
        moves.push(mv);
    }
    moves
}

#[test]
fn the_same_game_gives_the_same_moves() {
    for size in Size::BITS {
        for playouts in [1, 2, 40] {
            let settings = settings(size, playouts);
            let first = play(&mut Zero::new(settings), size, &Limits::default());
            let second = play(&mut Zero::new(settings), size, &Limits::default());
            assert_eq!(first, second);
        }
    }
}

#[test]
fn threads_share_a_tree_and_its_limits() {
    let settings = ZeroSettings { threads: 3, ..settings(Size::SIX, 200) };
    let mut agent = Zero::new(settings);
    let game = Game::new(Rule::Reversed, Size::SIX);
    let choice = agent.choose(&game, &Limits::default()).unwrap();
    assert_eq!(choice.nodes, 200);
    assert_eq!(agent.edges().iter().map(|edge| edge.visits).sum::<u32>(), 199);
    play(&mut agent, Size::SIX, &Limits::of_nodes(20));
}

#[test]
fn it_answers_within_any_limits() {
    let game = Game::new(Rule::Reversed, Size::EIGHT);
    let mut agent = Zero::new(ZeroSettings { playouts: None, ..settings(Size::EIGHT, 1) });
    let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    assert_eq!(agent.choose(&game, &late).unwrap().nodes, 1, "the network's opinion, no more");
    let stopped = Limits::default();
    stopped.stop.store(true, Relaxed);
    assert!(agent.choose(&game, &stopped).is_ok());
    assert_eq!(agent.choose(&game, &Limits::of_nodes(30)).unwrap().nodes, 30);
    let timed = Limits::of_time(Duration::from_millis(200));
    assert!(agent.choose(&game, &timed).unwrap().nodes > 0);
}

#[test]
fn memory_is_bounded_however_many_playouts_there_are() {
    let settings =
        ZeroSettings { tree_bytes: 20_000, ending: Some(0), ..settings(Size::FOUR, 20_000) };
    let mut agent = Zero::new(settings);
    let game = Game::new(Rule::Reversed, Size::FOUR);
    agent.choose(&game, &Limits::default()).unwrap();
    assert!(agent.tree_bytes() <= 20_000, "{}", agent.tree_bytes());
}

#[test]
fn endings_are_played_perfectly() {
    let mut agent = Zero::new(settings(Size::SIX, 4));
    let mut asked = 0;
    for position in positions(Size::SIX, 6, 3) {
        if position.empties() > 9 || position.moves().len() < 2 {
            continue;
        }
        let score = |position: &Position| {
            let board = position.board().unwrap();
            brute_force(board, Size::SIX, Rule::Reversed)
        };
        let wanted = score(&position);
        let game = Game::from_position(Rule::Reversed, position);
        let square = agent.choose(&game, &Limits::default()).unwrap().square;
        assert_eq!(-score(&game.position().play(square).unwrap()), wanted);
        asked += 1;
    }
    assert!(asked > 10, "{asked}");
}

#[test]
fn the_solver_helps_no_earlier_than_it_may() {
    let game = Game::new(Rule::Reversed, Size::FOUR);
    let nodes = |ending| {
        let settings = ZeroSettings { ending, ..settings(Size::FOUR, 3) };
        Zero::new(settings).choose(&game, &Limits::default()).unwrap().nodes
    };
    assert_eq!(nodes(Some(0)), 3, "playouts");
    assert!(nodes(None) > 100, "boards of a proof");
}

#[test]
fn another_rule_or_size_is_refused() {
    let mut agent = Zero::new(settings(Size::SIX, 4));
    for (rule, size) in [(Rule::Normal, Size::SIX), (Rule::Reversed, Size::EIGHT)] {
        let forfeit = agent.choose(&Game::new(rule, size), &Limits::default()).unwrap_err();
        assert!(forfeit.to_string().contains("its network plays 6x6"), "{forfeit}");
    }
}

#[test]
fn a_spec_names_a_file_with_a_network() {
    let catalogue = Catalogue::new([Zero::entry()]);
    let path = std::env::temp_dir().join(format!("isrever-zero-{}.bin", std::process::id()));
    std::fs::write(&path, network(Size::SIX).to_bytes()).unwrap();
    let spec =
        AgentSpec::new("zero:playouts=9,threads=2,hash=3").with("weights", path.to_str().unwrap());
    let needs = catalogue.needs(&spec).unwrap();
    assert_eq!(needs.only, Some((Rule::Reversed, Size::SIX)));
    assert_eq!(needs.memory_bytes, Some(3 << 20));
    let mut agent = catalogue.make(spec, 1).unwrap();
    let game = Game::new(Rule::Reversed, Size::SIX);
    assert_eq!(agent.choose(&game, &Limits::default()).unwrap().nodes, 9);
    std::fs::write(&path, b"something else").unwrap();
    let spec = AgentSpec::new("zero").with("weights", path.to_str().unwrap());
    let error = catalogue.make(spec, 1).err().unwrap().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(error.contains("not a"), "{error}");
    let error = catalogue.make("zero:weights=no.bin", 1).err().unwrap().to_string();
    assert_eq!(error, "zero: weights=no.bin: no such file; expected a file");
}

#[test]
fn without_a_file_it_plays_by_the_embedded_network() {
    let catalogue = Catalogue::new([Zero::entry()]);
    let spec = AgentSpec::new("zero:playouts=1");
    assert_eq!(catalogue.needs(&spec).unwrap().only, Some((Rule::Reversed, Size::EIGHT)));
    let game = Game::new(Rule::Reversed, Size::EIGHT);
    let choice = catalogue.make(spec, 1).unwrap().choose(&game, &Limits::default()).unwrap();
    assert_eq!(choice.nodes, 1);
    let network = Network::embedded();
    let mut said = Vec::new();
    network.evaluate(&[game.position().board().unwrap()], &mut said);
    let liked = |square: isrever_board::Square| said[0].policy[square.index() as usize];
    let moves = game.position().board().unwrap().moves(Size::EIGHT);
    let most = isrever_board::squares(moves).map(liked).fold(f32::MIN, f32::max);
    assert_eq!(liked(choice.square), most, "a single playout plays what the network likes best");
}

#[test]
fn candidates_are_the_moves_of_the_last_search() {
    let mut agent = Zero::new(settings(Size::SIX, 50));
    assert_eq!(agent.candidates(), []);
    let mut game = Game::new(Rule::Reversed, Size::SIX);
    let choice = agent.choose(&game, &Limits::default()).unwrap();
    let candidates = agent.candidates();
    let squares: Vec<_> = candidates.iter().map(|candidate| candidate.square).collect();
    assert_eq!(squares, game.position().moves());
    assert_eq!(candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 49);
    let priors: f64 = candidates.iter().filter_map(|candidate| candidate.prior).sum();
    assert!((priors - 1.0).abs() < 1e-3, "{priors}");
    let most = candidates.iter().map(|candidate| candidate.visits).max();
    let chosen = candidates.iter().find(|candidate| candidate.square == choice.square).unwrap();
    assert_eq!((Some(chosen.visits), chosen.value), (most, choice.value));
    // A proof weighs no moves.
    while game.position().empties() > 8 || game.position().moves().len() < 2 {
        let moves = game.position().moves();
        game.play(moves.first().map_or(Move::Pass, |&square| Move::Place(square))).unwrap();
    }
    agent.choose(&game, &Limits::default()).unwrap();
    assert_eq!(agent.candidates(), []);
}
