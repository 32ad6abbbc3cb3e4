//! Draws results as SVG. The only place that knows the plotting library.

use crate::experiment::digits;
use crate::fit::PhaseReport;
use isrever_arena::Elo;
use kuva::backend::svg::SvgBackend;
use kuva::plot::{ForestPlot, LinePlot, ScatterPlot};
use kuva::render::figure::Figure;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Scene, render_multiple};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// How the library calls what it clips by; a number follows.
const CLIP: &str = "kuva-clip-";

/// A picture as SVG.
///
/// The library numbers clips through all pictures of a process. Here each
/// picture counts its own, so that its bytes do not depend on those before it.
fn drawn(scene: &Scene) -> String {
    let svg = scalable(&SvgBackend.render_scene(scene));
    let mut parts = svg.split(CLIP);
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut seen: Vec<&str> = Vec::new();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (number, rest) = part.split_at(end);
        let place = seen.iter().position(|&other| other == number).unwrap_or(seen.len());
        if place == seen.len() {
            seen.push(number);
        }
        out.extend([CLIP, &place.to_string(), rest]);
    }
    out
}

/// A picture that shrinks with the page: without a view box what has no room is cut off.
fn scalable(svg: &str) -> String {
    let side = |name: &str| {
        let (_, rest) = svg.split_once(&format!(" {name}=\""))?;
        rest.split_once('"').map(|(length, _)| length)
    };
    match (svg.strip_prefix("<svg"), side("width"), side("height")) {
        (Some(rest), Some(width), Some(height)) => {
            format!("<svg viewBox=\"0 0 {width} {height}\"{rest}")
        }
        _ => unreachable!("the library says how large its pictures are"),
    }
}

/// The errors on the samples held out, by the number of discs, before and after.
pub fn errors(title: &str, reports: &[PhaseReport]) -> String {
    let seen = reports.iter().filter(|report| report.held_out > 0);
    let line = |name: &str, color: &str, error: fn(&PhaseReport) -> f64| {
        let points = seen.clone().map(|report| ((4 + 2 * report.phase) as f64, error(report)));
        let points: Vec<(f64, f64)> = points.collect();
        Plot::Line(LinePlot::new().with_data(points).with_color(color).with_legend(name))
    };
    let plots = vec![
        line("all worth nothing, root mean square", "#bbbbbb", |report| report.before.rmse),
        line("fitted, root mean square", "#4477aa", |report| report.after.rmse),
        line("fitted, mean distance", "#ee6677", |report| report.after.mae),
    ];
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label("discs on the board")
        .with_y_label("error on boards held out (discs)");
    drawn(&render_multiple(plots, layout))
}

/// Colours that are told apart by everybody, in turn.
const COLORS: [&str; 7] =
    ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#888888"];

/// What one generation of weights is like.
#[derive(Clone, Debug)]
pub struct Generation {
    /// Its number.
    pub number: u32,
    /// How its phases were fitted.
    pub reports: Vec<PhaseReport>,
    /// Its strength, all generations on one scale, if it was measured.
    pub elo: Option<Elo>,
}

/// The errors on boards held out by the number of discs, a line for each generation, and beside
/// them the strength of the generations with its bounds, as far as they are not infinite.
pub fn generations(title: &str, elo_label: &str, generations: &[Generation]) -> String {
    let errors = generations.iter().zip(COLORS.iter().cycle()).map(|(generation, &color)| {
        let seen = generation.reports.iter().filter(|report| report.held_out > 0);
        let points = seen.map(|report| ((4 + 2 * report.phase) as f64, report.after.rmse));
        let points: Vec<(f64, f64)> = points.collect();
        let name = format!("generation {}", generation.number);
        Plot::Line(LinePlot::new().with_data(points).with_color(color).with_legend(name))
    });
    let errors: Vec<Plot> = errors.collect();
    let measured = generations.iter().filter_map(|generation| {
        let elo = generation.elo?;
        elo.difference.is_finite().then_some((f64::from(generation.number), elo))
    });
    let line = |end: fn(&Elo) -> f64| {
        let ends = measured.clone().map(|(at, elo)| (at, end(&elo)));
        // What has no bound is drawn without one.
        let ends = ends.filter(|(_, elo)| elo.is_finite()).collect::<Vec<(f64, f64)>>();
        LinePlot::new().with_data(ends)
    };
    let bound = |end| Plot::Line(line(end).with_color("#bbbbbb").with_dashed());
    let strength = vec![
        Plot::Line(line(|elo| elo.difference).with_color(COLORS[0])),
        bound(|elo| elo.low),
        bound(|elo| elo.high),
    ];
    let layouts = vec![
        Layout::auto_from_plots(&errors)
            .with_x_label("discs on the board")
            .with_y_label("root mean square error on boards held out (discs)"),
        Layout::auto_from_plots(&strength).with_x_label("generation").with_y_label(elo_label),
    ];
    let figure = Figure::new(1, 2).with_title(title).with_keep_panel_legends();
    let figure = figure.with_plots(vec![errors, strength]).with_layouts(layouts);
    drawn(&figure.render())
}

/// Deviations by a formula against those that were measured; a good one lies on the diagonal.
pub fn deviations(title: &str, kinds: &[(&str, Vec<(f64, f64)>)]) -> String {
    let most = kinds.iter().flat_map(|(_, points)| points).map(|&(x, y)| x.max(y));
    let most = most.fold(1.0, f64::max);
    let diagonal = LinePlot::new().with_data([(0.0, 0.0), (most, most)]).with_color("#bbbbbb");
    let mut plots = vec![Plot::Line(diagonal)];
    for ((name, points), &color) in kinds.iter().zip(COLORS.iter().cycle()) {
        let points = ScatterPlot::new().with_data(points.iter().copied());
        let points = points.with_color(color).with_size(2.0).with_legend(*name);
        plots.push(Plot::Scatter(points));
    }
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label("deviation by the formula (discs)")
        .with_y_label("deviation measured (discs)");
    drawn(&render_multiple(plots, layout))
}

/// Points with error bars that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    name: String,
    /// Places, values, and how far the interval reaches to either side.
    points: Vec<(f64, f64, f64)>,
    is_line: bool,
}

impl Series {
    /// Points joined by a line, the intervals a band around it.
    pub fn line(name: &str, points: Vec<(f64, f64, f64)>) -> Series {
        Series { name: name.to_owned(), points, is_line: true }
    }

    /// Points by themselves, with error bars.
    pub fn dots(name: &str, points: Vec<(f64, f64, f64)>) -> Series {
        Series { name: name.to_owned(), points, is_line: false }
    }

    fn plot(&self, color: &str) -> Plot {
        let points = || self.points.iter().filter(|(_, value, _)| value.is_finite());
        let reach = |&(_, _, reach): &(f64, f64, f64)| if reach.is_finite() { reach } else { 0.0 };
        let data: Vec<(f64, f64)> = points().map(|&(at, value, _)| (at, value)).collect();
        if self.is_line {
            let low: Vec<f64> = points().map(|point| point.1 - reach(point)).collect();
            let high: Vec<f64> = points().map(|point| point.1 + reach(point)).collect();
            let line = LinePlot::new().with_data(data).with_color(color).with_band(low, high);
            return Plot::Line(line.with_legend(self.name.as_str()));
        }
        let dots = ScatterPlot::new().with_data(data).with_y_err(points().map(reach));
        Plot::Scatter(dots.with_color(color).with_size(3.0).with_legend(self.name.as_str()))
    }
}

/// Series over one axis: what is along it, and what goes up.
pub fn series(title: &str, axes: [&str; 2], series: &[Series]) -> String {
    drawn(&lines(title, axes, series, None, [false, false]))
}

/// The same with a line at 0, which is always in sight.
pub fn series_about_zero(title: &str, axes: [&str; 2], series: &[Series]) -> String {
    let places = || series.iter().flat_map(|one| &one.points).map(|point| point.0);
    let ends = [places().reduce(f64::min), places().reduce(f64::max)];
    let zero = LinePlot::new().with_data(ends.into_iter().flatten().map(|at| (at, 0.0)));
    let zero = Plot::Line(zero.with_color("#888888").with_dashed());
    drawn(&lines(title, axes, series, Some(zero), [false, false]))
}

/// The same with every ten times as much a step further along; nothing below 1 is shown.
pub fn series_along_tens(title: &str, axes: [&str; 2], series: &[Series]) -> String {
    let is_shown = |&(at, ..): &(f64, f64, f64)| at >= 1.0;
    let series: Vec<Series> = series
        .iter()
        .map(|one| {
            let points = one.points.iter().copied().filter(is_shown).collect();
            Series { points, ..one.clone() }
        })
        .collect();
    drawn(&lines(title, axes, &series, None, [has_points(&series), false]))
}

/// The same with every ten times as much a step further up; nothing below 1 is shown.
pub fn series_by_tens(title: &str, axes: [&str; 2], series: &[Series]) -> String {
    let above = |&(at, value, reach): &(f64, f64, f64)| {
        // A band that reaches down to nothing has no place on this axis.
        (value >= 1.0).then_some((at, value, reach.min(value - 0.9)))
    };
    let series: Vec<Series> = series
        .iter()
        .map(|one| Series { points: one.points.iter().filter_map(above).collect(), ..one.clone() })
        .collect();
    drawn(&lines(title, axes, &series, None, [false, has_points(&series)]))
}

/// Whether there is anything to draw; nothing has no place on an axis by tens.
fn has_points(series: &[Series]) -> bool {
    series.iter().any(|one| !one.points.is_empty())
}

/// A picture of series in colours of their own and of one more line. Its axes, along and up, may go
/// by steps of ten times as much.
fn lines(
    title: &str,
    [along, up]: [&str; 2],
    series: &[Series],
    more: Option<Plot>,
    by_tens: [bool; 2],
) -> Scene {
    let plots = series.iter().zip(COLORS.iter().cycle()).map(|(one, color)| one.plot(color));
    let plots: Vec<Plot> = plots.chain(more).collect();
    let layout = Layout::auto_from_plots(&plots).with_title(title);
    let layout = layout.with_x_label(along).with_y_label(up);
    let layout = if by_tens[0] { layout.with_log_x() } else { layout };
    let layout = if by_tens[1] { layout.with_log_y() } else { layout };
    let layout = layout.with_tick_format(TickFormat::Custom(Arc::new(tick)));
    let layout = within(layout, along, series, by_tens);
    render_multiple(plots, layout)
}

/// Axes that begin where they should: plies are whole, and what cannot be less than nothing is drawn
/// from nothing up.
fn within(layout: Layout, along: &str, series: &[Series], by_tens: [bool; 2]) -> Layout {
    let points = || series.iter().flat_map(|one| &one.points).filter(|point| point.1.is_finite());
    let least =
        |value: fn(&(f64, f64, f64)) -> f64| points().map(value).fold(f64::INFINITY, f64::min);
    let [first, lowest] = [least(|point| point.0), least(|point| point.1)];
    let last = points().map(|point| point.0).fold(f64::NEG_INFINITY, f64::max);
    if points().next().is_none() {
        return layout;
    }
    let is_plies = along.contains("plies") && !by_tens[0] && first < last;
    let layout = match is_plies {
        true => layout.with_x_axis_min(first).with_x_axis_max(last).with_x_tick_step(1.0),
        false => layout,
    };
    if lowest >= 0.0 && !by_tens[1] { layout.with_y_axis_min(0.0) } else { layout }
}

/// A number beside a tick, as pages write numbers: no more digits behind the point than it has.
fn tick(value: f64) -> String {
    let is_enough = |&decimals: &u8| {
        let scale = 10_f64.powi(decimals.into());
        ((value * scale).round() / scale - value).abs() < 1e-9 * value.abs().max(1.0)
    };
    digits(value, (0..4).find(is_enough).unwrap_or(4).into())
}

/// Values with their intervals, one below the other, and a line at what would be level.
pub fn forest(title: &str, along: &str, level: f64, rows: &[(String, f64, f64)]) -> String {
    forest_within(title, along, level, f64::NEG_INFINITY..=f64::INFINITY, rows)
}

/// The same for shares in per cent: no interval is drawn beyond none and all.
pub fn shares(title: &str, along: &str, rows: &[(String, f64, f64)]) -> String {
    forest_within(title, along, 50.0, 0.0..=100.0, rows)
}

fn forest_within(
    title: &str,
    along: &str,
    level: f64,
    bounds: RangeInclusive<f64>,
    rows: &[(String, f64, f64)],
) -> String {
    let mut plot = ForestPlot::new().with_color(COLORS[0]).with_null_value(level);
    for (name, value, reach) in rows {
        let reach = if reach.is_finite() { *reach } else { 0.0 };
        let ends =
            [value - reach, value + reach].map(|end| end.clamp(*bounds.start(), *bounds.end()));
        plot = plot.with_row(name.as_str(), *value, ends[0], ends[1]);
    }
    let plots = vec![Plot::Forest(plot)];
    let layout = Layout::auto_from_plots(&plots).with_title(title).with_x_label(along);
    // From none to all no number is long enough to look otherwise.
    let layout = match bounds.end().is_finite() {
        true => layout,
        false => layout.with_tick_format(TickFormat::Custom(Arc::new(tick))),
    };
    drawn(&render_multiple(plots, layout))
}

/// The best and the mean of each generation of a tuning; `label` says of what.
pub fn tuning(title: &str, label: &str, generations: &[(f64, f64)]) -> String {
    let line = |name: &str, color: &str, value: fn(&(f64, f64)) -> f64| {
        let points = generations.iter().enumerate();
        let points: Vec<(f64, f64)> = points.map(|(at, pair)| (at as f64, value(pair))).collect();
        Plot::Line(LinePlot::new().with_data(points).with_color(color).with_legend(name))
    };
    let plots = vec![
        line("best", COLORS[0], |(best, _)| *best),
        line("mean", COLORS[1], |(_, mean)| *mean),
    ];
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label("generation")
        .with_y_label(label);
    drawn(&render_multiple(plots, layout))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::Errors;

    fn report(phase: usize) -> PhaseReport {
        PhaseReport {
            phase,
            samples: 100,
            held_out: 2,
            iterations: 3,
            before: Errors { mae: 5.0, rmse: 7.0 },
            after: Errors { mae: 2.0, rmse: 3.0 },
        }
    }

    #[test]
    fn a_picture_is_drawn_of_many_phases_and_of_none() {
        let reports: Vec<PhaseReport> = (0..30).map(report).collect();
        for reports in [&reports[..], &reports[..1], &[]] {
            let svg = errors("Fit", reports);
            assert!(svg.starts_with("<svg") && svg.contains("discs on the board"), "{svg}");
        }
    }

    #[test]
    fn a_picture_is_drawn_of_generations_whatever_was_measured() {
        let endless = f64::INFINITY;
        let elos = [
            None,
            Some(Elo { difference: 0.0, low: 0.0, high: 0.0 }),
            Some(Elo { difference: 40.0, low: 10.0, high: endless }),
            Some(Elo { difference: endless, low: 10.0, high: endless }),
        ];
        let generation = |(elo, number)| Generation {
            number,
            reports: (0..10 * number as usize).map(report).collect(),
            elo,
        };
        let all: Vec<Generation> = elos.into_iter().zip(0..).map(generation).collect();
        for count in 1..=all.len() {
            let svg = generations("Weights", "Elo", &all[..count]);
            assert!(svg.starts_with("<svg") && svg.contains("discs on the board"), "{svg}");
            assert!(!svg.contains("inf") && !svg.contains("NaN"), "{svg}");
            assert_eq!(svg.contains("generation 2"), count > 2);
        }
    }

    #[test]
    fn a_picture_is_drawn_of_a_tuning_from_its_first_generation_on() {
        for count in 1..4 {
            let svg = tuning("Squares", "share of the points", &vec![(0.5, 0.25); count]);
            assert!(svg.starts_with("<svg") && svg.contains("share of the points"), "{svg}");
            assert!(!svg.contains("NaN"), "{svg}");
        }
    }

    #[test]
    fn a_picture_is_the_same_however_many_were_drawn_before() {
        let once =
            || generations("Weights", "Elo", &[]) + &tuning("Squares", "share", &[(1.0, 0.5)]);
        let first = once();
        assert!(first.contains(CLIP), "the library calls its clips otherwise: see to them");
        assert_eq!(first, once());
    }

    #[test]
    fn a_picture_is_drawn_of_deviations() {
        for points in [vec![(1.0, 1.2), (3.0, 2.5)], Vec::new()] {
            let svg =
                deviations("Deviations", &[("midgame", points), ("ending", vec![(2.0, 2.0)])]);
            assert!(svg.starts_with("<svg") && svg.contains("midgame"), "{svg}");
        }
    }

    #[test]
    fn series_and_forests_are_drawn_whatever_was_measured() {
        let points = vec![(1.0, 2.0, 0.5), (2.0, 300.0, f64::INFINITY), (3.0, f64::NAN, 1.0)];
        let all = [Series::line("ours", points.clone()), Series::dots("report", points)];
        let pictures = [
            series("T", ["rounds", "moves"], &all),
            series_by_tens("T", ["rounds", "nodes"], &all),
            series_along_tens("T", ["playouts", "Elo"], &all),
            series("T", ["rounds", "moves"], &[]),
            series_about_zero("T", ["rounds", "discs"], &all),
            series_about_zero("T", ["rounds", "discs"], &[]),
            forest(
                "T",
                "points",
                50.0,
                &[("a".to_owned(), 60.0, 5.0), ("b".to_owned(), 40.0, f64::INFINITY)],
            ),
        ];
        for svg in pictures {
            assert!(
                svg.starts_with("<svg") && !svg.contains("NaN") && !svg.contains("inf"),
                "{svg}"
            );
        }
    }

    #[test]
    fn ticks_are_whole_plies_from_nothing_up_and_numbers_are_those_of_pages() {
        let points = (2..=6).map(|depth| (f64::from(depth), 1_500.0 * f64::from(depth), 10.0));
        let svg =
            series("T", ["depth (plies)", "boards"], &[Series::dots("ours", points.collect())]);
        for depth in 2..=6 {
            assert!(svg.contains(&format!(">{depth}<")), "{svg}");
        }
        assert!(svg.contains(">0<") && svg.contains(",000<") && !svg.contains(">2.5<"), "{svg}");
        assert_eq!([0.0, 0.25, 12_500.0, -3.0].map(tick), ["0", "0.25", "12,500", "−3"]);
        let row = ("bare".to_owned(), 80_000.0, 30_000.0);
        let svg = forest("T", "boards", 0.0, &[row]);
        assert!(svg.contains(">bare<") && svg.contains(",000<"), "{svg}");
        assert!(!svg.contains(">50000<") && !svg.contains(">100000<"), "{svg}");
    }

    #[test]
    fn a_picture_shrinks_with_the_page_and_its_parts_keep_their_places() {
        let svg = tuning("Squares", "share", &[(1.0, 0.5)]);
        let side = |name: &str| {
            let (_, rest) = svg.split_once(&format!(" {name}=\"")).unwrap();
            rest.split_once('"').unwrap().0
        };
        assert_eq!(side("viewBox"), format!("0 0 {} {}", side("width"), side("height")));
        assert_eq!(svg.matches("viewBox").count(), 1);
    }

    #[test]
    fn no_share_is_drawn_beyond_all() {
        let rows = [("a".to_owned(), 99.0, 20.0), ("b".to_owned(), 40.0, 5.0)];
        let is_beyond = |svg: String| svg.contains(">120<");
        assert!(is_beyond(forest("T", "points", 50.0, &rows)));
        assert!(!is_beyond(shares("T", "points", &rows)));
    }
}
