//! Joins many experiments into one self-contained HTML page.

use super::figure::{Comparison, Figure, Verdict};
use super::findings::{Findings, Picture};
use super::folder::{Folder, FolderError};
use super::provenance::Provenance;
use super::table::Table;
use std::fmt::{self, Display, Write};

const STYLE: &str = include_str!("report.css");

/// The folders, each with its name, as one page; or which of them is none, and why.
pub fn report(folders: &[(String, Folder)]) -> Result<String, (String, FolderError)> {
    let mut parts = Vec::new();
    for (name, folder) in folders {
        let fault = |error| (name.clone(), error);
        parts.push(Part {
            name,
            findings: folder.findings().map_err(fault)?,
            specification: folder.specification().map_err(fault)?,
            provenance: folder.provenance().map_err(fault)?,
        });
    }
    let mut out = String::new();
    page(&mut out, &parts).expect("a text can always be written to");
    Ok(out)
}

struct Part<'a> {
    name: &'a str,
    findings: Findings,
    specification: &'a str,
    provenance: Provenance,
}

fn page(out: &mut String, parts: &[Part<'_>]) -> fmt::Result {
    out.write_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")?;
    out.write_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")?;
    out.write_str("<title>Reversed Reversi: the reports' experiments, run again</title>\n")?;
    write!(out, "<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n")?;
    out.write_str("<h1>The reports’ experiments, run again</h1>\n")?;
    out.write_str(
        "<p>Five student reports on Reversed Reversi made these experiments, or named them. \
         Figures stand beside theirs with 95 % intervals; what differs by more than noise is \
         marked, and explained where it stands.</p>\n</header>\n",
    )?;
    contents(out, parts)?;
    for part in parts {
        section(out, part)?;
    }
    out.write_str("</body>\n</html>\n")
}

/// All experiments with what each says.
fn contents(out: &mut String, parts: &[Part<'_>]) -> fmt::Result {
    out.write_str("<nav class=\"scroll\" aria-label=\"Experiments\">\n<table>\n<thead><tr>")?;
    out.write_str("<th>Experiment</th><th>Source</th><th>What it says</th></tr></thead>\n")?;
    out.write_str("<tbody>\n")?;
    for Part { name, findings, .. } in parts {
        let (name, title) = (Escaped(name), Escaped(&findings.title));
        let (source, first) = (Escaped(&findings.source), Words(&findings.meaning[0]));
        writeln!(
            out,
            "<tr><td><a href=\"#{name}\">{title}</a></td><td>{source}</td><td>{first}</td></tr>"
        )?;
    }
    out.write_str("</tbody>\n</table>\n</nav>\n")
}

fn section(out: &mut String, part: &Part<'_>) -> fmt::Result {
    let Part { name, findings, specification, provenance } = part;
    writeln!(out, "<section id=\"{}\">\n<h2>{}</h2>", Escaped(name), Escaped(&findings.title))?;
    let (source, question) = (Escaped(&findings.source), Words(&findings.question));
    writeln!(out, "<p class=\"source\">{source}</p>\n<p>{question}</p>")?;
    comparisons(out, &findings.comparisons)?;
    let [first, second] = findings.meaning.each_ref().map(|sentence| Words(sentence));
    writeln!(out, "<p class=\"meaning\">{first} {second}</p>")?;
    pictures(out, &findings.pictures, name)?;
    for table in &findings.tables {
        shown(out, table)?;
    }
    notes(out, &findings.notes)?;
    if let Some(timings) = &findings.timings {
        writeln!(out, "<h3>Measured with a clock</h3>")?;
        comparisons(out, &timings.comparisons)?;
        pictures(out, &timings.pictures, &format!("{name}-timings"))?;
        for table in &timings.tables {
            shown(out, table)?;
        }
        notes(out, &timings.notes)?;
    }
    let specification = Escaped(specification);
    writeln!(out, "<details><summary>Specification</summary><pre>{specification}</pre></details>")?;
    origin(out, provenance)?;
    writeln!(out, "</section>")
}

fn pictures(out: &mut String, pictures: &[Picture], name: &str) -> fmt::Result {
    writeln!(out, "<div class=\"pictures\">")?;
    for (number, picture) in pictures.iter().enumerate() {
        let svg = own_ids(&picture.svg, &format!("{name}-{number}"));
        let caption = Words(&picture.caption);
        writeln!(out, "<figure>\n{svg}\n<figcaption>{caption}</figcaption>\n</figure>")?;
    }
    writeln!(out, "</div>")
}

fn origin(out: &mut String, provenance: &Provenance) -> fmt::Result {
    let Provenance { version, commit, machine, threads, began, seconds, .. } = provenance;
    let threads = if *threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    writeln!(
        out,
        "<p class=\"origin\">isrever {}, commit {}; {}, {threads}; {}, {seconds:.1} s.</p>",
        Escaped(version),
        Escaped(commit),
        Escaped(machine),
        Escaped(began),
    )
}

fn comparisons(out: &mut String, comparisons: &[Comparison]) -> fmt::Result {
    if comparisons.is_empty() {
        return Ok(());
    }
    out.write_str("<div class=\"scroll\"><table>\n<thead><tr><th></th><th>Report</th>")?;
    out.write_str("<th>Ours, 95 %</th><th></th></tr></thead>\n<tbody>\n")?;
    for Comparison { what, report, ours, verdict } in comparisons {
        let cell = |figure: &Figure| match figure {
            Figure::Words(text) => format!("<td>{}</td>", Words(text)),
            number => format!("<td class=\"figure\">{number}</td>"),
        };
        let class = match verdict {
            Verdict::Agrees => " class=\"agrees\"",
            Verdict::Differs => " class=\"differs\"",
            Verdict::Open => "",
        };
        let (what, report, ours) = (Words(what), cell(report), cell(ours));
        writeln!(out, "<tr><td>{what}</td>{report}{ours}<td{class}>{verdict}</td></tr>")?;
    }
    out.write_str("</tbody>\n</table></div>\n")
}

fn shown(out: &mut String, table: &Table) -> fmt::Result {
    let is_long = table.is_large();
    let caption = Words(&table.caption);
    if is_long {
        let rows = table.rows.len();
        writeln!(out, "<details><summary>{caption} {rows} rows</summary>")?;
    }
    out.write_str("<div class=\"scroll\"><table>")?;
    if !is_long {
        write!(out, "<caption>{caption}</caption>")?;
    }
    let class: Vec<&str> = (0..table.columns.len())
        .map(|place| if table.is_number(place) { " class=\"number\"" } else { "" })
        .collect();
    out.write_str("\n<thead><tr>")?;
    for (head, class) in table.heads().zip(&class) {
        write!(out, "<th{class}>{}</th>", Escaped(&head))?;
    }
    out.write_str("</tr></thead>\n<tbody>\n")?;
    for row in &table.rows {
        out.write_str("<tr>")?;
        for (text, class) in table.shown(row).zip(&class) {
            write!(out, "<td{class}>{}</td>", Escaped(&text))?;
        }
        out.write_str("</tr>\n")?;
    }
    out.write_str("</tbody>\n</table></div>\n")?;
    if is_long { out.write_str("</details>\n") } else { Ok(()) }
}

fn notes(out: &mut String, notes: &[String]) -> fmt::Result {
    if notes.is_empty() {
        return Ok(());
    }
    writeln!(out, "<ul class=\"notes\">")?;
    for note in notes {
        writeln!(out, "<li>{}</li>", Words(note))?;
    }
    writeln!(out, "</ul>")
}

/// A picture whose names of parts are its own: on one page no two may share one.
fn own_ids(svg: &str, prefix: &str) -> String {
    let svg = svg.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map_or(svg, |x| x.1);
    svg.replace(" id=\"", &format!(" id=\"{prefix}-")).replace("url(#", &format!("url(#{prefix}-"))
}

/// A sentence in HTML: what stands between backticks, as in Markdown, is what is typed. No line ends
/// between a number and its per cent sign.
struct Words<'a>(&'a str);

impl Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, part) in self.0.split('`').enumerate() {
            match place % 2 {
                0 => write!(f, "{}", Escaped(&part.replace(" %", "\u{a0}%")))?,
                _ => write!(f, "<code>{}</code>", Escaped(part))?,
            }
        }
        Ok(())
    }
}

/// Text as it stands in HTML.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                letter => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(title: &str) -> Folder {
        let svg = "<svg><clipPath id=\"a\"/><g clip-path=\"url(#a)\"/></svg>".to_owned();
        let mut table = Table::new("wins", "Wins.", &[("who", 0), ("wins", 0)]);
        table.row(["<b>".into(), 3_u64.into()]);
        let findings = Findings {
            title: title.to_owned(),
            comparisons: vec![Comparison::new(
                "wins & losses",
                Figure::exact(1.0, 0),
                Figure::with_reach(3.0, 0.5, 1),
            )],
            tables: vec![table],
            pictures: vec![Picture::new("p", "62 % of `a<b %`.", svg)],
            ..Findings::default()
        };
        Folder::new("seed = 1\n", &findings, &Provenance::default())
    }

    #[test]
    fn one_page_holds_all_folders_and_nothing_from_elsewhere() {
        let folders = [("one".to_owned(), folder("One")), ("two".to_owned(), folder("Two <2>"))];
        let html = report(&folders).unwrap();
        for part in [
            "<a href=\"#two\">Two &lt;2&gt;</a>",
            "<td>wins &amp; losses</td>",
            "<figcaption>62\u{a0}% of <code>a&lt;b %</code>.</figcaption>",
            "<td class=\"differs\">differs</td>",
            "id=\"one-0-a\"",
            "url(#two-0-a)",
            "<td>&lt;b&gt;</td><td class=\"number\">3</td>",
        ] {
            assert!(html.contains(part), "{part}\n{html}");
        }
        for foreign in ["<script", "http:", "https:", "@import", "<link"] {
            assert!(!html.contains(foreign), "{foreign}");
        }
    }

    #[test]
    fn a_folder_that_is_none_is_named() {
        let folders = [("good".to_owned(), folder("One")), ("bad".to_owned(), Folder::default())];
        let (name, error) = report(&folders).unwrap_err();
        assert_eq!(
            (name.as_str(), error),
            ("bad", FolderError::Missing("results.json".to_owned()))
        );
    }
}
