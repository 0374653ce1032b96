//! What is shown: values, and times as JSON.

use serde_json::json;
use terrace_target_api::{Array, Cycles, Outcome};

/// Elements of an array that are shown
const SHOWN: usize = 16;

/// One line per array: name, sizes, first elements
pub(crate) fn values(arrays: &[Array]) -> String {
    let mut out = String::new();
    for array in arrays {
        let buffer = &array.buffer;
        let sizes: String = buffer.shape().iter().map(|size| format!("{size}x")).collect();
        let element = |n: usize| match (array.undefined.binary_search(&n), buffer.get(n)) {
            (Err(_), Some(value)) => value.to_string(),
            _ => "undefined".to_string(),
        };
        let elements: Vec<String> = (0..buffer.len().min(SHOWN)).map(element).collect();
        let more = if buffer.len() > SHOWN { ", …" } else { "" };
        out.push_str(&format!("{} : {sizes}{} = {}{more}\n", array.name, buffer.elem(), elements.join(", ")));
    }
    out
}

/// Cycles of simulated hardware
pub(crate) fn cycles(on: &str, cycles: Cycles) -> String {
    let Cycles { total, computing, reading, writing, passing } = cycles;
    format!(
        "{on}: {total} cycles, {computing} of them computing, {reading} reading, {writing} writing, {passing} doing both\n"
    )
}

/// Times of a back end as one line of JSON
pub(crate) fn times(
    on: &str,
    entry: &str,
    outcome: &Outcome,
    flops: Option<u64>,
    lowering_ns: u64,
) -> String {
    let mut sorted = outcome.times_ns.clone();
    sorted.sort_unstable();
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0);
    let mut line = json!({
        "on": on,
        "entry": entry,
        "runs": sorted.len(),
        "median_ns": median,
        "min_ns": sorted.first().copied().unwrap_or(0),
        "max_ns": sorted.last().copied().unwrap_or(0),
        "times_ns": outcome.times_ns,
    });
    let (mean, half) = crate::measure::interval(&sorted);
    line["mean_ns"] = json!(mean.round());
    line["ci99_ns"] = json!(half.round());
    line["lowering_ns"] = json!(lowering_ns);
    // Once for all calls, outside of the times.
    if let Some(prepared) = outcome.prepared {
        line["prepared_bytes"] = json!(prepared.bytes);
        line["prepared_ns"] = json!(prepared.ns);
    }
    // Of the run that has the median: what its kernels took, which is all of it.
    let run = outcome.times_ns.iter().zip(&outcome.launches).find(|(time, _)| **time == median);
    if let Some((_, launches)) = run {
        let kernel = |(name, ns): &(String, u64)| json!({ "kernel": name, "ns": ns });
        line["kernels"] = launches.iter().map(kernel).collect();
    }
    if let (Some(flops), true) = (flops, median > 0) {
        line["gflops"] = json!((flops as f64 / median as f64 * 1000.0).round() / 1000.0);
    }
    format!("{line}\n")
}
