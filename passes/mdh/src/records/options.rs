//! Options of the pass.

use super::{ApplyRecords, Opened};
use std::sync::Arc;
use terrace_devices::{Device, MatrixUnit};
use terrace_pass::{OptionError, OptionKind, OptionSpec, PassInfo, Scope};
use terrace_search_records::{Here, Relaxed, Store, Target};

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "mdh-apply-records",
    aliases: &[],
    summary: "Give computations the schedules that searches found for them",
    docs: "Looks up each computation without a schedule in a store of records (`terrace-tune --records=DIR` writes it), and attaches the \
           schedule of the fastest record that the rules allow. A record is of the same computation, whatever its names are, for the same device, back end and threads, by the same \
           compiler, from the same machine; `from` relaxes the last two. A remark names the record, or states why there is none. \
           Without a store nothing is done. Nothing is measured, and values are those of any other schedule.",
    scope: Scope::Tree,
    anchor: None,
    options: &[
        OptionSpec {
            name: "store",
            kind: OptionKind::Text,
            default: "",
            docs: "folder of the store; nothing is done without one",
        },
        OptionSpec {
            name: "from",
            kind: OptionKind::Text,
            default: "",
            docs: "whose records are taken, too: any-machine, any-compiler, or both with `+` between them",
        },
        OptionSpec {
            name: "target",
            kind: OptionKind::Text,
            default: "host",
            docs: "device, as of `mdh-schedule`",
        },
        OptionSpec {
            name: "matrix-units",
            kind: OptionKind::Text,
            default: "all",
            docs: "units for products of narrow types, as of `mdh-schedule`",
        },
        OptionSpec {
            name: "on",
            kind: OptionKind::Text,
            default: "host",
            docs: "back end that the program is for",
        },
        OptionSpec {
            name: "threads",
            kind: OptionKind::Int,
            default: "0",
            docs: "on processors, threads that the program runs with; 0: as many as this process may use",
        },
        OptionSpec {
            name: "units",
            kind: OptionKind::Int,
            default: "0",
            docs: "on processors, threads that `mdh-schedule` chooses for; 0: as many as the device's file has",
        },
    ],
    stats: &["records applied"],
    make: |options| {
        let text = |name: &str| options.text(&INFO, name);
        let mut device = Device::find(&text("target")).map_err(OptionError::because)?;
        let words = text("matrix-units");
        let units = MatrixUnit::of_words(&words).ok_or_else(|| {
            OptionError::value("matrix-units", "all, none, or words with `+` between them", &words)
        })?;
        device.matrix_units.retain(|unit| units.contains(unit));
        let [threads, units] = ["threads", "units"].map(|name| options.int(&INFO, name));
        for (name, count) in [("threads", threads), ("units", units)] {
            if !(0..=MOST_THREADS).contains(&count) {
                return Err(OptionError::value(name, "0 to 1024", &count.to_string()));
            }
        }
        let from = text("from");
        let relaxed = relaxed(&from).ok_or_else(|| {
            OptionError::value("from", "any-machine, any-compiler, or both with `+` between them", &from)
        })?;
        if text("store").is_empty() {
            return Ok(Box::new(ApplyRecords { opened: None }));
        }
        let store = Arc::new(Store::open(text("store")).map_err(OptionError::because)?);
        let here = Here::now();
        let threads = match u32::try_from(threads) {
            Ok(0) | Err(_) => u32::try_from(here.machine.cores).unwrap_or(u32::MAX),
            Ok(threads) => threads,
        };
        let target = Target { device, on: text("on"), threads };
        let judge = vec![("target", text("target")), ("matrix-units", words), ("units", units.to_string())];
        Ok(Box::new(ApplyRecords { opened: Some(Opened { store, target, relaxed, here, judge }) }))
    },
};

/// Most threads of one program, as of `terrace-run --threads`
const MOST_THREADS: i64 = 1024;

fn relaxed(words: &str) -> Option<Relaxed> {
    let mut relaxed = Relaxed::default();
    for word in words.split('+').filter(|word| !word.is_empty()) {
        match word {
            "any-machine" => relaxed.machine = true,
            "any-compiler" => relaxed.compiler = true,
            _ => return None,
        }
    }
    Some(relaxed)
}
