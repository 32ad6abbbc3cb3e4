//! Report 003's genetic algorithm: bits, a tournament of all, half survive.
//!
//! A value is a gene, a number in binary (algorithm 14); it is the place of
//! the value between the least and the most its parameter can have, so that
//! every gene means something. Children take each gene from one of two
//! survivors (algorithm 19), and each bit changes with a small probability
//! (algorithm 20). The report leaves that probability open.

use super::super::history::Generation;
use super::super::space::Space;
use isrever_agent::Parameter;
use isrever_agent::Rng;

/// Bits of a number that has no step.
const REAL_BITS: u32 = 15;

/// The survivors of `last`, and their children.
pub(super) fn next(
    space: &Space,
    last: &Generation,
    population: usize,
    mutation: f64,
    rng: &mut Rng,
) -> Vec<Vec<f64>> {
    let ranked = last.ranked();
    let survivors: Vec<&Vec<f64>> =
        ranked.iter().take(population / 2).map(|&place| &last.values[place]).collect();
    let mut children = Vec::new();
    for place in 0..population - survivors.len() {
        let one = place % survivors.len();
        let mut other = rng.index(survivors.len());
        while other == one && survivors.len() > 1 {
            other = rng.index(survivors.len());
        }
        let child = space.parameters().enumerate().map(|(gene, parameter)| {
            let parent = if rng.happens(0.5) { one } else { other };
            let bits = bits(parameter);
            let mut code = encode(parameter, survivors[parent][gene]);
            for bit in 0..bits {
                if rng.happens(mutation) {
                    code ^= 1 << bit;
                }
            }
            f64::from(code) / f64::from((1_u32 << bits) - 1)
        });
        let point: Vec<f64> = child.collect();
        children.push(space.at(&point));
    }
    survivors.into_iter().cloned().chain(children).collect()
}

/// The length of a gene.
fn bits(parameter: &Parameter) -> u32 {
    if parameter.step == 0.0 {
        return REAL_BITS;
    }
    let steps = (parameter.most - parameter.least) / parameter.step;
    (1..REAL_BITS).find(|&bits| f64::from((1_u32 << bits) - 1) >= steps).unwrap_or(REAL_BITS)
}

/// The gene of a value, or of one next to it where there are more values than genes.
fn encode(parameter: &Parameter, value: f64) -> u32 {
    let part = (value - parameter.least) / (parameter.most - parameter.least);
    #[expect(clippy::cast_sign_loss, reason = "a value is not less than the least")]
    let code = (part * f64::from((1_u32 << bits(parameter)) - 1)).round() as u32;
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_whole_number_has_a_gene() {
        let catalogue = isrever_reports::catalogue();
        let names = ["period", "final", "stability"].map(str::to_owned);
        let space = Space::new(&catalogue, "genetic", Some(&names)).unwrap();
        for (place, parameter) in space.parameters().enumerate() {
            let most = f64::from((1_u32 << bits(parameter)) - 1);
            let mut value = parameter.least;
            while value <= parameter.most {
                let mut point = vec![0.0; 3];
                point[place] = f64::from(encode(parameter, value)) / most;
                assert_eq!(space.at(&point)[place], value, "{}", parameter.name);
                value += parameter.step;
            }
        }
        assert_eq!(space.parameters().map(bits).collect::<Vec<_>>(), [6, 5, 9]);
    }

    #[test]
    fn half_survive_and_genes_are_inherited_whole() {
        let catalogue = isrever_reports::catalogue();
        let space = Space::new(&catalogue, "genetic", None).unwrap();
        let width = space.width();
        let values: Vec<Vec<f64>> =
            (0..8).map(|number| vec![f64::from(number + 4); width]).collect();
        let fitness = (0..8).map(f64::from).collect();
        let last = Generation::new(0, 0, values, fitness);
        let plain = next(&space, &last, 8, 0.0, &mut Rng::stream(1, 2));
        assert_eq!(plain.len(), 8);
        assert_eq!(plain.iter().take(4).map(|v| v[0]).collect::<Vec<_>>(), [11.0, 10.0, 9.0, 8.0]);
        for (child, parent) in plain[4..].iter().zip([11.0, 10.0, 9.0, 8.0]) {
            assert!(child.iter().all(|value| (8.0..=11.0).contains(value)));
            let mut kinds = child.clone();
            kinds.dedup();
            assert!(child.contains(&parent) && kinds.len() > 1, "{child:?}");
        }
        let changed = next(&space, &last, 8, 0.5, &mut Rng::stream(1, 2));
        let strange = |value: &&f64| !(8.0..=11.0).contains(*value);
        assert!(changed[4..].iter().flatten().filter(strange).count() > width);
    }
}
