//! Report 000's "SEGA", the strengthened elitist genetic algorithm, on numbers.
//!
//! Parents and children together compete for the parents' places. The report
//! names the algorithm and no settings; the operators here are the usual ones of
//! it: parents chosen by tournaments of two, two-point crossover, and the
//! breeder's mutation, mostly small and sometimes half the range. Unlike there,
//! parents are judged again together with their children, in the same games: a
//! lucky day is not remembered for ever.

use super::super::history::Generation;
use super::super::space::Space;
use isrever_agent::Rng;

/// The breeder's mutation moves a number by half its range over a power of two, at most this one.
const MOST_HALVINGS: u32 = 12;

/// The parents that `last` leaves, and as many children.
pub(super) fn next(
    space: &Space,
    last: &Generation,
    population: usize,
    [crossover, mutation]: [f64; 2],
    rng: &mut Rng,
) -> Vec<Vec<f64>> {
    let ranked = last.ranked();
    let parents: Vec<Vec<f64>> =
        ranked.iter().take(population).map(|&place| last.values[place].clone()).collect();
    let mut children = Vec::new();
    while children.len() < population {
        // The parents are in order: the better of two is the first.
        let mut chosen = || {
            let place = rng.index(parents.len()).min(rng.index(parents.len()));
            space.point(&parents[place])
        };
        let (mut child, other) = (chosen(), chosen());
        if rng.happens(crossover) {
            let cuts = [rng.index(child.len() + 1), rng.index(child.len() + 1)];
            let (from, to) = (cuts[0].min(cuts[1]), cuts[0].max(cuts[1]));
            child[from..to].copy_from_slice(&other[from..to]);
        }
        for x in &mut child {
            if rng.happens(mutation) {
                let reach = 0.5 * 0.5_f64.powi(rng.below(MOST_HALVINGS + 1).cast_signed());
                *x += if rng.happens(0.5) { reach } else { -reach };
            }
        }
        children.push(space.at(&child));
    }
    parents.into_iter().chain(children).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_parents_stay_and_children_take_after_them() {
        let catalogue = isrever_reports::catalogue();
        let space = Space::new(&catalogue, "greedy:by=squares", None).unwrap();
        let values: Vec<Vec<f64>> =
            (0..6).map(|number| vec![f64::from(number) / 10.0; 16]).collect();
        let fitness = vec![0.0, 0.1, 0.9, 0.2, 0.8, 0.3];
        let last = Generation::new(0, 0, values.clone(), fitness);
        let rng = &mut Rng::stream(1, 1);
        let plain = next(&space, &last, 3, [1.0, 0.0], rng);
        assert_eq!(plain[..3], [values[2].clone(), values[4].clone(), values[5].clone()]);
        assert_eq!(plain.len(), 6);
        for child in &plain[3..] {
            assert!(child.iter().all(|value| [0.2, 0.4, 0.5].contains(value)), "{child:?}");
        }
        let changed = next(&space, &last, 3, [0.0, 1.0], rng);
        assert!(changed[3..].iter().all(|child| !values.contains(child)));
        assert!(changed.iter().flatten().all(|value| (-1.0..=1.0).contains(value)));
    }
}
