//! The tuning parameters of the MDH approach that a schedule decides, under the names of its formalism (Rasch, TOPLAS 2024; art.
//! table of 15 parameters).
//!
//! 0 is the number of parts per layer and dimension, whose product over the layers is the dimension's extent. Orders and cores
//! of de-composition (D), scalar phase (S) and re-composition (R) are one value each: on imperative targets the three phases share
//! their loops.

use crate::document::{Buffer, Document};
use std::fmt::Write;
use terrace_dialect_mdh::schedule::{Entry, Field, Schedule};

/// As lines; sizes that do not divide are counted as whole tiles
pub fn text(document: &Document, schedule: &Schedule) -> String {
    let mut out = String::new();
    let steps = &schedule.steps;
    for (d, dim) in document.dims.iter().enumerate() {
        let (mut above, mut product, mut parts) = (dim.size.max(1), 1_i64, Vec::new());
        for step in steps.iter().filter(|step| step.label > 0) {
            let size = step.sizes.get(d).and_then(|size| size.value).unwrap_or(above).max(1);
            let count = (above.unsigned_abs()).div_ceil(size.unsigned_abs()) as i64;
            parts.push(count.to_string());
            product = product.saturating_mul(count);
            above = size;
        }
        let whole = if product == dim.size { "=" } else { "≥" };
        let _ = writeln!(out, "0        #PRT({})   {} {whole} {}", dim.name, parts.join(" · "), dim.size);
    }
    let line = |out: &mut String, name: &str, values: Vec<String>| {
        let _ = writeln!(out, "{name:<8} {}", values.join("   "));
    };
    let draft = &document.draft.steps;
    line(&mut out, "D1 S1 R1", draft.iter().map(|step| step.label.to_string()).collect());
    let cores = draft.iter().map(|step| {
        let cores: Vec<String> = step.cores.iter().map(Field::to_string).collect();
        cores.join(",")
    });
    line(&mut out, "D2 S2 R2", cores.collect());
    let buffers = |side: &[Buffer], entries: &dyn Fn(usize) -> Vec<Entry>, layout: bool| {
        let one = |n: usize| {
            let all = side.iter().zip(entries(n)).map(|(buffer, entry)| {
                let parts: Vec<String> = entry.layout.iter().map(Field::to_string).collect();
                let layout_text = if parts.is_empty() { "^".to_owned() } else { parts.join(",") };
                format!("{}:{}", buffer.name, if layout { layout_text } else { entry.region.to_string() })
            });
            all.collect::<Vec<_>>().join(",")
        };
        (0..draft.len()).map(one).collect::<Vec<_>>()
    };
    let ins = |n: usize| draft[n].ins.clone();
    let outs = |n: usize| draft[n].outs.clone();
    line(&mut out, "D3 S3", buffers(&document.ins, &ins, false));
    line(&mut out, "D4 S4", buffers(&document.ins, &ins, true));
    line(&mut out, "S5 R3", buffers(&document.outs, &outs, false));
    line(&mut out, "S6 R4", buffers(&document.outs, &outs, true));
    out
}
