//! The page of one experiment, in Markdown.

use super::figure::{Comparison, Verdict};
use super::findings::{Findings, Picture, Timings};
use super::table::Table;
use std::fmt::Write;

/// Everything that follows from the specification.
pub(super) fn page(findings: &Findings) -> String {
    let mut out = format!("# {}\n\n", findings.title);
    line(&mut out, &format!("*{}.* {}\n", findings.source, findings.question));
    comparisons(&mut out, &findings.comparisons);
    line(&mut out, &format!("{} {}\n", findings.meaning[0], findings.meaning[1]));
    pictures(&mut out, &findings.pictures);
    for table in &findings.tables {
        shown(&mut out, table);
    }
    notes(&mut out, &findings.notes);
    if findings.timings.is_some() {
        line(&mut out, "What was measured with a clock is in [timings.md](timings.md).\n");
    }
    let rerun = "`isrever lab run experiment.toml` in this folder gives the same bytes";
    line(&mut out, &format!("{rerun}, [provenance.json](provenance.json) and timings aside."));
    out
}

/// What depends on the machine.
pub(super) fn timings(title: &str, timings: &Timings) -> String {
    let mut out = format!("# {title}: timings\n\n");
    comparisons(&mut out, &timings.comparisons);
    pictures(&mut out, &timings.pictures);
    for table in &timings.tables {
        shown(&mut out, table);
    }
    notes(&mut out, &timings.notes);
    line(&mut out, "The machine is named in [provenance.json](provenance.json).");
    out
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "{text}").expect("a text can always be written to");
}

fn pictures(out: &mut String, pictures: &[Picture]) {
    for Picture { name, caption, .. } in pictures {
        line(out, &format!("![{caption}]({name}.svg)\n"));
    }
}

fn comparisons(out: &mut String, comparisons: &[Comparison]) {
    if comparisons.is_empty() {
        return;
    }
    line(out, "| | report | ours, 95 % | |\n|---|---|---|---|");
    for Comparison { what, report, ours, verdict } in comparisons {
        let verdict =
            if *verdict == Verdict::Differs { "**differs**" } else { &verdict.to_string() };
        let cells = [what, &report.to_string(), &ours.to_string(), verdict].map(cell);
        line(out, &format!("| {} |", cells.join(" | ")));
    }
    out.push('\n');
}

fn shown(out: &mut String, table: &Table) {
    let file = format!("[{name}.csv]({name}.csv)", name = table.name);
    if table.is_large() {
        line(out, &format!("{} {} rows: {file}.\n", table.caption, table.rows.len()));
        return;
    }
    line(out, &format!("{} ({file})\n", table.caption));
    let names = table.heads().map(cell).collect::<Vec<_>>();
    line(out, &format!("| {} |", names.join(" | ")));
    let sides = (0..names.len()).map(|place| if table.is_number(place) { "---:" } else { "---" });
    line(out, &format!("|{}|", sides.collect::<Vec<_>>().join("|")));
    for row in &table.rows {
        let cells = table.shown(row).map(|text| cell(&text)).collect::<Vec<_>>();
        line(out, &format!("| {} |", cells.join(" | ")));
    }
    out.push('\n');
}

fn notes(out: &mut String, notes: &[String]) {
    for note in notes {
        line(out, &format!("- {note}"));
    }
    if !notes.is_empty() {
        out.push('\n');
    }
}

/// Words that break no table.
fn cell(text: impl AsRef<str>) -> String {
    text.as_ref().replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::super::Figure;
    use super::*;

    #[test]
    fn a_page_shows_small_tables_and_names_large_ones() {
        let mut small = Table::new("small", "Few.", &[("who", 0), ("mean_discs", 1)]);
        small.row(["a|b".into(), 1_234.5.into()]);
        let mut large = Table::new("large", "Many.", &[("n", 0)]);
        for number in 0..60_u64 {
            large.row([number.into()]);
        }
        let findings = Findings {
            title: "Trial".to_owned(),
            comparisons: vec![Comparison::new(
                "it",
                Figure::exact(1.0, 0),
                Figure::with_reach(3.0, 1.0, 0),
            )],
            tables: vec![small, large],
            ..Findings::default()
        };
        let page = page(&findings);
        assert!(page.contains("| it | 1 | 3 ± 1 | **differs** |"), "{page}");
        assert!(page.contains("| who | mean discs |\n|---|---:|\n| a\\|b | 1,234.5 |"), "{page}");
        assert!(page.contains("Many. 60 rows: [large.csv](large.csv)."), "{page}");
        assert!(!page.contains("timings.md"));
    }
}
