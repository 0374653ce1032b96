//! A table of layers from their logs: best rate and memory of each, the average, the most memory, and all layers of the
//! network together (LIFT, CC 2022, §5.2 and Fig. 4).
//!
//! A log stands for one configuration; a network may have several layers of it (VGG-16: nine for thirteen). Rows are layers.
//! The average and the most memory are over configurations; "all" counts each layer: operations of all by time of all.

use crate::curves::Curve;
use crate::errors::NoReport;
use crate::report::mb;
use serde_json::json;
use std::fmt::Write;
use terrace_search_explore::log::Entry;

/// A configuration: the layers that have it, and what was found
pub(crate) struct Layer<'a> {
    /// Names of the layers, at least one
    pub names: Vec<String>,
    pub curve: &'a Curve,
}

/// Best of a log
struct Best {
    seconds: f64,
    gflops: Option<f64>,
    bytes: Option<u64>,
    least: Option<u64>,
    number: usize,
    tried: usize,
    ran: usize,
}

/// `NAMES=FILE`: the layers with `/` between and the file; else the layer is called like the file
pub(crate) fn named(text: &str) -> (Vec<String>, &str) {
    if let Some((names, file)) = text.split_once('=').filter(|(names, _)| !names.contains('\\')) {
        return (names.split('/').map(str::to_string).collect(), file);
    }
    let stem = std::path::Path::new(text).file_stem().and_then(|stem| stem.to_str());
    (vec![stem.unwrap_or(text).to_string()], text)
}

fn best(curve: &Curve) -> Option<Best> {
    let ran = curve.entries.iter().filter_map(|entry| entry.cost().map(|seconds| (entry, seconds)));
    let (entry, seconds): (&Entry, f64) = ran.clone().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let gflops = curve.flops().map(|flops| flops / seconds / 1e9);
    let least = curve.header.least;
    let (number, tried) = (entry.number, curve.entries.len());
    Some(Best { seconds, gflops, bytes: entry.bytes, least, number, tried, ran: ran.count() })
}

/// What the table says
struct Table {
    /// Layer, and the best of its configuration
    rows: Vec<(String, usize)>,
    found: Vec<Best>,
    /// Mean of rates, over configurations
    average: Option<f64>,
    /// Mean of memory
    memory: Option<f64>,
    most: Option<u64>,
    /// Operations and seconds of all layers
    all: (Option<f64>, f64),
}

fn table(layers: &[Layer<'_>]) -> Result<Table, NoReport> {
    let mut rows = Vec::new();
    let mut found = Vec::new();
    let mut all = (Some(0.0), 0.0);
    for layer in layers {
        let best = best(layer.curve).ok_or_else(|| NoReport::NotRan(layer.curve.name.clone()))?;
        let count = layer.names.len() as f64;
        all.1 += count * best.seconds;
        all.0 = all.0.zip(layer.curve.flops()).map(|(sum, flops): (f64, f64)| sum + count * flops);
        rows.extend(layer.names.iter().map(|name| (name.clone(), found.len())));
        found.push(best);
    }
    if found.is_empty() {
        return Err(NoReport::NoLogs);
    }
    // As a network counts its layers, where all names are numbers.
    if let Ok(mut numbers) =
        rows.iter().map(|(name, of)| name.parse::<u64>().map(|n| (n, *of))).collect::<Result<Vec<_>, _>>()
    {
        numbers.sort_by_key(|(n, _)| *n);
        rows = numbers.into_iter().map(|(n, of)| (n.to_string(), of)).collect();
    }
    let count = found.len() as f64;
    let rates: Option<Vec<f64>> = found.iter().map(|best| best.gflops).collect();
    let bytes: Option<Vec<u64>> = found.iter().map(|best| best.bytes).collect();
    let memory = bytes.as_ref().map(|all| all.iter().map(|bytes| *bytes as f64).sum::<f64>() / count);
    Ok(Table {
        rows,
        average: rates.map(|all| all.iter().sum::<f64>() / count),
        memory,
        most: bytes.and_then(|all| all.into_iter().max()),
        all,
        found,
    })
}

fn or_dash<T>(value: Option<T>, text: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "–".to_string(), text)
}

impl Table {
    /// Cells: layer, GFLOP/s, ms, MB, of the least, points
    fn cells(&self) -> Vec<[String; 6]> {
        let rate = |rate: Option<f64>| or_dash(rate, |rate| format!("{rate:.1}"));
        let mega = |bytes: f64| mb(bytes as u64).trim_end_matches(" MB").to_string();
        let mut cells = vec![["layer", "GFLOP/s", "ms", "MB", "× least", "ran of"].map(String::from)];
        for (name, of) in &self.rows {
            let best = &self.found[*of];
            let times = best.bytes.zip(best.least.filter(|least| *least > 0));
            cells.push([
                name.clone(),
                rate(best.gflops),
                format!("{:.3}", best.seconds * 1e3),
                or_dash(best.bytes, |bytes| mega(bytes as f64)),
                or_dash(times, |(bytes, least)| format!("{:.2}", bytes as f64 / least as f64)),
                format!("{} of {}", best.ran, best.tried),
            ]);
        }
        let empty = String::new;
        cells.push([
            "average".into(),
            rate(self.average),
            empty(),
            or_dash(self.memory, mega),
            empty(),
            empty(),
        ]);
        let most = or_dash(self.most, |bytes| mega(bytes as f64));
        cells.push(["most".into(), empty(), empty(), most, empty(), empty()]);
        let (flops, seconds) = self.all;
        let whole = rate(flops.map(|flops| flops / seconds / 1e9));
        cells.push(["all".into(), whole, format!("{:.3}", seconds * 1e3), empty(), empty(), empty()]);
        cells
    }
}

/// The table in columns
pub(crate) fn text(layers: &[Layer<'_>]) -> Result<String, NoReport> {
    let cells = table(layers)?.cells();
    let width = |n: usize| cells.iter().map(|row| row[n].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let mut text = String::new();
    for row in &cells {
        let mut line = format!("{:<w$}", row[0], w = widths[0]);
        for (cell, w) in row.iter().zip(&widths).skip(1) {
            let _ = write!(line, "  {cell:>w$}");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    Ok(text)
}

/// The table for a page
pub(crate) fn markdown(layers: &[Layer<'_>]) -> Result<String, NoReport> {
    let cells = table(layers)?.cells();
    let mut text = String::new();
    for (n, row) in cells.iter().enumerate() {
        let _ = writeln!(text, "| {} |", row.join(" | "));
        if n == 0 {
            text.push_str("|---|---:|---:|---:|---:|---:|\n");
        }
    }
    Ok(text)
}

/// All numbers
pub(crate) fn json(layers: &[Layer<'_>]) -> Result<String, NoReport> {
    let table = table(layers)?;
    let rows: Vec<_> = table
        .rows
        .iter()
        .map(|(name, of)| {
            let best = &table.found[*of];
            json!({"layer": name, "gflops": best.gflops, "seconds": best.seconds, "bytes": best.bytes, "least": best.least,
                   "point": best.number, "ran": best.ran, "tried": best.tried})
        })
        .collect();
    let (flops, seconds) = table.all;
    let whole = json!({
        "layers": rows,
        "average": {"gflops": table.average, "bytes": table.memory},
        "most": {"bytes": table.most},
        "all": {"gflops": flops.map(|flops| flops / seconds / 1e9), "flops": flops, "seconds": seconds},
    });
    Ok(format!("{whole:#}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::tests::curve;

    /// VGG-16: nine configurations for thirteen layers
    const NAMES: [&str; 9] = ["0", "2", "5", "7", "10", "12/14", "17", "19/21", "24/26/28"];

    #[test]
    fn thirteen_layers_of_nine_logs() {
        // The n-th takes n seconds of 2 GFLOP, and n MB.
        let curves: Vec<Curve> = (1..=9u32)
            .map(|n| curve("log", &[(None, None), (Some(n.into()), Some(u64::from(n) * 1_000_000))]))
            .collect();
        let layers: Vec<Layer<'_>> = NAMES
            .iter()
            .zip(&curves)
            .map(|(names, curve)| Layer { names: named(&format!("{names}=file")).0, curve })
            .collect();
        let text = text(&layers).expect("all ran");
        let wanted = "\
layer    GFLOP/s         ms   MB  × least  ran of
0            2.0   1000.000  1.0     1.00  1 of 2
2            1.0   2000.000  2.0     2.00  1 of 2
5            0.7   3000.000  3.0     3.00  1 of 2
7            0.5   4000.000  4.0     4.00  1 of 2
10           0.4   5000.000  5.0     5.00  1 of 2
12           0.3   6000.000  6.0     6.00  1 of 2
14           0.3   6000.000  6.0     6.00  1 of 2
17           0.3   7000.000  7.0     7.00  1 of 2
19           0.2   8000.000  8.0     8.00  1 of 2
21           0.2   8000.000  8.0     8.00  1 of 2
24           0.2   9000.000  9.0     9.00  1 of 2
26           0.2   9000.000  9.0     9.00  1 of 2
28           0.2   9000.000  9.0     9.00  1 of 2
average      0.6             5.0
most                         9.0
all          0.3  77000.000
";
        assert_eq!(text, wanted);
        // 13 layers of 2 GFLOP in 77 s; the average is over nine.
        let json: serde_json::Value = serde_json::from_str(&json(&layers).expect("ran")).expect("is JSON");
        assert_eq!(json["layers"].as_array().map(Vec::len), Some(13));
        assert_eq!(json["all"]["gflops"].as_f64(), Some(26.0 / 77.0));
        let mean = (1..=9).map(|n| 2.0 / f64::from(n)).sum::<f64>() / 9.0;
        assert!((json["average"]["gflops"].as_f64().expect("a number") - mean).abs() < 1e-12);
        assert_eq!(json["most"]["bytes"], 9_000_000);
        assert!(markdown(&layers).expect("ran").starts_with("| layer | GFLOP/s |"));
    }

    #[test]
    fn names_of_layers() {
        assert_eq!(named("12/14=logs/a.jsonl"), (vec!["12".into(), "14".into()], "logs/a.jsonl"));
        assert_eq!(named("logs/conv5.jsonl"), (vec!["conv5".into()], "logs/conv5.jsonl"));
    }

    #[test]
    fn a_layer_that_never_ran_is_an_error() {
        let curve = curve("conv5", &[(None, None)]);
        let error = text(&[Layer { names: vec!["5".into()], curve: &curve }]).expect_err("did not run");
        assert_eq!(error.to_string(), "no point of `conv5` ran");
    }
}
