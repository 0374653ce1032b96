//! Blocks that say what things cost: whole or not there, in their ranges, and possible next to each other.

use terrace_devices::costs::{Instructions, MatrixTiles, Source, Threads};
use terrace_devices::{Costs, Device, DeviceKind};

const HOST: &str = "kind = \"host\"\nunits = 4\nregisters = 16\n\
                    memory = [{ region = \"L1\", bytes = 32768 }, { region = \"L2\", bytes = 262144 }]\n";
const CACHES: &str = "[caches]\nsource = \"vendor\"\nline.bytes = 128\nusable.percent = 75\n\
                      from_L2.bytes_per_cycle = 48\nfrom_L3.bytes_per_cycle = 14.5\n\
                      from_memory.bytes_per_cycle = 5\nfrom_memory_all_cores.bytes_per_cycle = 10\nmissed_store.cycles = 24\nshort_run.bytes = 4096\n";
const THREADS: &str = "[threads]\nsource = \"calibrated 2026-11-30\"\nfork.cycles = 1000\n";

#[track_caller]
fn wrong(text: &str) -> String {
    let error = Device::parse("own", text).expect_err(text);
    error.to_string().lines().next().unwrap_or("").to_string()
}

/// The caches' block with one line instead of another
#[track_caller]
fn caches(line: &str, other: &str) -> String {
    assert!(CACHES.contains(line));
    wrong(&format!("{HOST}{}", CACHES.replace(line, other)))
}

#[test]
fn a_file_without_blocks_has_assumed_numbers() {
    let device = Device::parse("own", HOST).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(device.costs, Costs::default());
    assert_eq!(device.costs.threads.source.to_string(), "assumed");
    let usual: Vec<&str> = Costs::HOST.iter().copied().filter(|name| *name != MatrixTiles::NAME).collect();
    assert_eq!(device.costs.missing(device.kind), usual);
    assert_eq!(Device::parse("own", &device.text("no blocks")), Ok(device));
}

#[test]
fn blocks_are_read() {
    let device =
        Device::parse("own", &format!("{HOST}{CACHES}{THREADS}")).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((device.costs.caches.line, device.costs.caches.from_l3), (128.0, 14.5));
    assert_eq!(device.costs.caches.source, Source::Vendor);
    let own = Threads { source: Source::Calibrated("2026-11-30".into()), fork: 1000.0 };
    assert_eq!(device.costs.threads, own);
    assert_eq!(own.source.to_string(), "calibrated 2026-11-30");
    assert_eq!(device.costs.instructions, Instructions::default());
    assert_eq!(device.costs.missing(device.kind), ["instructions", "register_tiles", "code"]);
}

#[test]
fn built_in_files_have_the_blocks_of_their_kind() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../devices")).expect("a folder") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("text");
        let device = Device::parse("own", &text).unwrap_or_else(|why| panic!("{why}"));
        let blocks = match device.kind {
            DeviceKind::Host => Costs::HOST,
            DeviceKind::Grid => Costs::GRID,
        };
        // Only processors with matrix units have tiles.
        for block in blocks.iter().filter(|name| **name != MatrixTiles::NAME) {
            assert!(text.contains(&format!("\n[{block}]\n")), "{}: {block}", path.display());
        }
        assert!(device.costs.missing(device.kind).is_empty());
    }
}

#[test]
fn a_block_that_stands_is_whole() {
    assert_eq!(
        caches("from_L3.bytes_per_cycle = 14.5\n", ""),
        "`caches.from_L3.bytes_per_cycle` is missing: a number from 0.001 to 1000000"
    );
    assert_eq!(
        caches("source = \"vendor\"\n", ""),
        "`source` of `caches` is missing: \"assumed\", \"vendor\" or \"calibrated 2026-11-30\""
    );
    assert!(wrong(&format!("{HOST}[threads]\n")).starts_with("`source` of `threads` is missing"));
}

#[test]
fn numbers_have_ranges() {
    for other in ["0", "-48", "1e7", "inf", "nan", "\"48\"", "true"] {
        assert_eq!(
            caches("from_L2.bytes_per_cycle = 48", &format!("from_L2.bytes_per_cycle = {other}")),
            "`caches.from_L2.bytes_per_cycle` is no number from 0.001 to 1000000",
            "{other}"
        );
    }
    for source in ["measured", "calibrated", "calibrated 2026-13-01", "calibrated yesterday"] {
        let text = caches("\"vendor\"", &format!("\"{source}\""));
        assert!(text.starts_with("`source` of `caches` is \"assumed\","), "{text}");
    }
}

#[test]
fn numbers_that_contradict_each_other_are_named_both() {
    assert_eq!(caches("line.bytes = 128", "line.bytes = 96"), "`caches.line.bytes` = 96 is no power of two");
    assert_eq!(
        caches("line.bytes = 128", "line.bytes = 65536"),
        "`line.bytes` = 65536 is more than `bytes` = 32768 of `L1` in `memory`"
    );
    assert_eq!(
        caches("from_L3.bytes_per_cycle = 14.5", "from_L3.bytes_per_cycle = 49"),
        "`from_L3.bytes_per_cycle` = 49 is more than `from_L2.bytes_per_cycle` = 48"
    );
    assert_eq!(
        caches("from_memory_all_cores.bytes_per_cycle = 10", "from_memory_all_cores.bytes_per_cycle = 4"),
        "`from_memory.bytes_per_cycle` = 5 is more than `from_memory_all_cores.bytes_per_cycle` = 4"
    );
    assert_eq!(
        wrong(&HOST.replace("32768", "524288")),
        "`bytes` = 524288 of `L1` is more than `bytes` = 262144 of `L2`"
    );
}

#[test]
fn keys_and_blocks_that_are_not_known() {
    assert_eq!(
        wrong(&format!("{HOST}{}", THREADS.replace("fork.cycles", "fork.ns"))),
        "`fork.ns` is not known in `threads`; there are source, fork.cycles"
    );
    assert_eq!(
        wrong(&format!("{HOST}{}", THREADS.replace("fork.cycles", "fork"))),
        "`fork` is not known in `threads`; there are source, fork.cycles"
    );
    assert_eq!(
        wrong(&format!("{HOST}[occupancy]\nsource = \"assumed\"\nwarps.per_unit = 8\n")),
        "a host has no `occupancy`; it has instructions, caches, register_tiles, matrix_tiles, code, threads"
    );
    assert_eq!(
        wrong(&format!("kind = \"grid\"\nunits = 4\nregisters = 16\n{THREADS}")),
        "a grid has no `threads`; it has occupancy, grid, grid_latency"
    );
    assert_eq!(wrong(&format!("threads = 3\n{HOST}")), "`threads` is a table: [threads]");
}
