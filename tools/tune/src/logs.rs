//! Reports from logs alone: pictures, the Pareto set, a table of layers, a page. Nothing runs.

use crate::curves::{self, Curve};
use crate::errors::NoWord;
use crate::layers::{self, Layer};
use crate::{figures, page, pareto};
use terrace_diag::Diagnostic;
use terrace_view::program::fail;

/// Questions to logs
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Logs {
    /// Search nothing: draw these logs as SVG
    #[arg(long, value_name = "LOGS", value_delimiter = ',', conflicts_with_all = ["files", "log"])]
    pub plot: Vec<String>,
    /// What to draw of them: the best point after so many tries, by time with the time of stages, as it is to be expected, or
    /// time against memory
    #[arg(long, value_name = "FIGURE", value_enum, default_value = "tries", requires = "plot")]
    pub figure: Figure,
    /// Search nothing: the points of these logs that no other beats in time and memory at once
    #[arg(long, value_name = "LOGS", value_delimiter = ',', conflicts_with_all = ["files", "log", "plot"])]
    pub pareto: Vec<String>,
    /// With --pareto, or --plot and --figure=memory: the fastest that holds no more than so much, `13MB,1GiB`
    #[arg(long, value_name = "BYTES", value_delimiter = ',', value_parser = bytes)]
    pub within: Vec<u64>,
    /// Search nothing: a table of layers, rate and memory of the best point of each log; `12/14=conv.jsonl` is one log for two layers
    #[arg(long, value_name = "LOGS", value_delimiter = ',', conflicts_with_all = ["files", "log", "plot", "pareto"])]
    pub report: Vec<String>,
    /// Search nothing: a page about the search of this log, one HTML file that needs nothing else
    #[arg(long, value_name = "LOG", conflicts_with_all = ["files", "log", "plot", "pareto", "report"])]
    pub page: Option<String>,
    /// Form of a table or set
    #[arg(long, value_name = "FORM", value_enum, default_value = "text")]
    pub form: Form,
}

/// A picture
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Figure {
    Tries,
    Time,
    Expectancy,
    Memory,
}

/// A form of text
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Text,
    Markdown,
    Json,
}

fn bytes(text: &str) -> Result<u64, NoWord> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let number = text[..unit].trim().parse::<f64>().ok().filter(|n| (0.0..1e15).contains(n));
    let scale = match text[unit..].trim() {
        "" | "B" => 1.0,
        "kB" | "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => 0.0,
    };
    match number {
        Some(number) if scale > 0.0 => Ok((number * scale) as u64),
        _ => Err(NoWord::Bytes(text.to_owned())),
    }
}

fn read(file: &str) -> Result<Curve, Diagnostic> {
    curves::read(file, &terrace_opt::read_input(file)?).map_err(fail)
}

impl Logs {
    /// The answer, to a file or standard output
    pub(crate) fn answer(&self, output: Option<&str>) -> Result<(), Diagnostic> {
        let text = match &self.page {
            Some(file) => page::write(file, &terrace_opt::read_input(file)?).map_err(fail)?,
            None if self.report.is_empty() => self.points()?,
            None => self.table()?,
        };
        terrace_opt::write_output(output, text.as_bytes())
    }

    /// The files that are read
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        let named = self.report.iter().map(|text| layers::named(text).1);
        self.plot.iter().chain(&self.pareto).chain(&self.page).map(String::as_str).chain(named)
    }

    fn points(&self) -> Result<String, Diagnostic> {
        let drawn = self.pareto.is_empty();
        let files = if drawn { &self.plot } else { &self.pareto };
        let all: Vec<Curve> = files.iter().map(|file| read(file)).collect::<Result<_, _>>()?;
        let text = match (drawn, self.figure, self.form) {
            (false, _, Form::Json) => pareto::json(&all, &self.within),
            (false, ..) => pareto::text(&all, &self.within),
            (true, Figure::Tries, _) => figures::tries(&all),
            (true, Figure::Time, _) => figures::time(&all),
            (true, Figure::Expectancy, _) => figures::expected(&all),
            (true, Figure::Memory, _) => figures::front(&all, &self.within),
        };
        text.map_err(fail)
    }

    fn table(&self) -> Result<String, Diagnostic> {
        let named: Vec<_> = self.report.iter().map(|text| layers::named(text)).collect();
        let all: Vec<Curve> = named.iter().map(|(_, file)| read(file)).collect::<Result<_, _>>()?;
        let rows: Vec<Layer<'_>> =
            named.into_iter().zip(&all).map(|((names, _), curve)| Layer { names, curve }).collect();
        let text = match self.form {
            Form::Text => layers::text(&rows),
            Form::Markdown => layers::markdown(&rows),
            Form::Json => layers::json(&rows),
        };
        text.map_err(fail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_bytes() {
        assert_eq!(bytes("13MB"), Ok(13_000_000));
        assert_eq!(bytes("0.5 KiB"), Ok(512));
        assert_eq!(bytes("77"), Ok(77));
        for wrong in ["", "MB", "-1MB", "3 apples", "1e99"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
