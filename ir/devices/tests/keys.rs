//! Every key: what it defaults to, and what it does not take.

use terrace_devices::{Device, DeviceKind, Level, Region};

const HOST: &str = "kind = \"host\"\nunits = 4\nregisters = 16\n";
const GRID: &str = "kind = \"grid\"\nunits = 4\nregisters = 16\n";

#[track_caller]
fn read(text: &str) -> Device {
    Device::parse("own", text).unwrap_or_else(|why| panic!("{why}"))
}

/// The first line of the message
#[track_caller]
fn wrong(text: &str) -> String {
    let error = Device::parse("own", text).expect_err(text);
    error.to_string().lines().next().unwrap_or("").to_string()
}

#[test]
fn the_shortest_host() {
    let device = read(HOST);
    assert_eq!((device.name.as_str(), device.kind, device.units), ("own", DeviceKind::Host, 4));
    assert_eq!((device.vector_bytes, device.registers), (0, 16));
    assert!(device.memories.is_empty() && device.barriers.is_empty() && device.vector_widths.is_empty());
    assert!(device.levels.contains(Level::Seq) && device.levels.contains(Level::Task));
    assert!(device.fused, "without `levels` loops may be fused");
}

#[test]
fn the_shortest_grid() {
    let device = read(GRID);
    assert_eq!(device.kind, DeviceKind::Grid);
    assert_eq!((device.block_threads, device.block_max, device.warp), (1, [1, 1, 1], 1));
    assert_eq!(device.grid_max, [i64::from(i32::MAX), 65_535, 65_535]);
    assert!(!device.levels.contains(Level::Task), "a grid has no pool of threads");
}

#[test]
fn keys_that_must_be_there() {
    assert_eq!(wrong(""), "`kind` is \"host\" or \"grid\"");
    assert_eq!(wrong("kind = \"host\"\nregisters = 16\n"), "`units` is missing");
    assert_eq!(wrong("kind = \"host\"\nunits = 4\n"), "`registers` is missing");
}

#[test]
fn numbers_that_are_none() {
    for (more, key, least) in [
        ("vector_bytes = -1", "vector_bytes", 0),
        ("vector_bytes = \"16\"", "vector_bytes", 0),
        ("vector_bytes = 16.0", "vector_bytes", 0),
        ("vector_bytes = true", "vector_bytes", 0),
        ("vector_bytes = [16]", "vector_bytes", 0),
        ("private_bytes = -4", "private_bytes", 0),
        ("warp = 0", "warp", 1),
        ("block_threads = 0", "block_threads", 1),
        ("vector_widths = [2, 1]", "vector_widths", 2),
        ("vector_widths = [\"4\"]", "vector_widths", 2),
        ("grid_max = [1, 0, 1]", "grid_max", 1),
    ] {
        assert_eq!(wrong(&format!("{GRID}{more}\n")), format!("`{key}` is no number ≥ {least}"), "{more}");
    }
    for text in ["kind = \"host\"\nunits = 0\nregisters = 1", "kind = \"host\"\nunits = 1\nregisters = 0"] {
        assert!(wrong(text).ends_with("is no number ≥ 1"), "{text}");
    }
}

#[test]
fn flags_that_are_none() {
    for value in ["1", "\"yes\"", "[true]"] {
        let text = format!("{HOST}partial_vectors = {value}\n");
        assert_eq!(wrong(&text), "`partial_vectors` is true or false", "{value}");
    }
    assert!(read(&format!("{HOST}partial_vectors = true\n")).partial_vectors);
    assert!(!read(HOST).partial_vectors);
}

#[test]
fn numbers_in_every_notation_of_the_format() {
    let device =
        read("kind = \"grid\"\nunits = 0x10\nregisters = 0b11\nblock_threads = 1_024\nwarp = 0o40\n");
    assert_eq!((device.units, device.registers, device.block_threads, device.warp), (16, 3, 1024, 32));
}

#[test]
fn lists_that_are_none() {
    for key in ["levels", "barriers", "memory", "vector_widths", "block_max", "grid_max"] {
        assert_eq!(wrong(&format!("{GRID}{key} = 3\n")), format!("`{key}` is a list in brackets"));
    }
    assert_eq!(wrong(&format!("{GRID}levels = [1]\n")), "`levels` holds words in quotes");
    assert_eq!(wrong(&format!("{GRID}barriers = [\"block\", \"block\"]\n")), "`block` stands twice");
    for three in ["grid_max = [1]", "grid_max = [1, 2]", "grid_max = [1, 2, 3, 4]"] {
        assert_eq!(wrong(&format!("{GRID}{three}\n")), "`grid_max` has three numbers: x, y, z");
    }
}

#[test]
fn an_empty_list_is_like_no_list() {
    let empty =
        "levels = []\nbarriers = []\nmemory = []\nvector_widths = []\nblock_max = []\ngrid_max = []\n";
    assert_eq!(read(&format!("{GRID}{empty}")), read(GRID));
}

#[test]
fn texts_that_are_none() {
    assert_eq!(wrong("kind = 1\nunits = 4\nregisters = 16\n"), "`kind` is a text in quotes");
    assert_eq!(wrong(&format!("{HOST}description = 3\n")), "`description` is a text in quotes");
    assert_eq!(wrong("kind = \"Host\"\nunits = 4\nregisters = 16\n"), "`kind` is \"host\" or \"grid\"");
}

#[test]
fn a_block_is_as_large_as_its_threads() {
    let device = read(&format!("{GRID}block_threads = 256\n"));
    assert_eq!(device.block_max, [256; 3], "each side may have all threads");
    let device = read(&format!("{GRID}block_threads = 256\nblock_max = [256, 1, 64]\n"));
    assert_eq!(device.block_max, [256, 1, 64]);
    let text = format!("{GRID}block_threads = 256\nblock_max = [1, 1, 257]\n");
    assert_eq!(wrong(&text), "a block has 256 threads at most: `block_threads`");
}

#[test]
fn memories_of_caches_and_blocks() {
    let device = read(&format!(
        "{HOST}memory = [{{ region = \"L1\", bytes = 32768 }}, {{ region = \"L2\", bytes = 65536, ways = 4 }}]\n"
    ));
    let [l1, l2] = &device.memories[..] else { panic!("two memories") };
    assert_eq!((l1.bytes, l1.ways, l1.opt_in), (32768, 8, 32768), "8 ways where the file says nothing");
    assert_eq!((l2.bytes, l2.ways, l2.opt_in), (65536, 4, 65536));
    let region = "SM".parse::<Region>();
    let device = read(&format!("{GRID}memory = [{{ region = \"SM\", bytes = 49152, opt_in = 232448 }}]\n"));
    assert_eq!(device.memories.first().map(|memory| memory.opt_in), Some(232_448));
    assert_eq!(device.memories.first().map(|memory| memory.region), region.ok());
}

#[test]
fn memories_that_are_none() {
    let with = |memory: &str| wrong(&format!("{GRID}memory = [{memory}]\n"));
    assert!(with("32768").starts_with("`memory` is a list of tables"));
    assert_eq!(with("{ bytes = 1 }"), "a memory has a `region`");
    assert_eq!(with("{ region = \"SM\" }"), "`bytes` is missing");
    assert_eq!(with("{ region = \"SM\", bytes = -1 }"), "`bytes` is no number ≥ 1");
    assert_eq!(with("{ region = \"SM\", bytes = 1, ways = 0 }"), "`ways` is no number ≥ 1");
    assert!(with("{ region = \"SM\", bytes = 1, size = 2 }").starts_with("`size` is not known"));
    assert_eq!(with("{ region = 5, bytes = 1 }"), "`region` is a text in quotes");
    // A launch never gets less by asking.
    assert_eq!(with("{ region = \"SM\", bytes = 64, opt_in = 63 }"), "`opt_in` is no number ≥ 64");
}

#[test]
fn levels_and_fused_loops() {
    let device = read(&format!("{HOST}levels = [\"seq\", \"vector\"]\n"));
    assert!(device.levels.contains(Level::Vector) && !device.levels.contains(Level::Task));
    assert!(!device.fused, "`fused` is listed or is not");
    assert!(read(&format!("{HOST}levels = [\"fused\", \"seq\"]\n")).fused);
    assert_eq!(wrong(&format!("{HOST}levels = [\"fused\"]\n")), "loops can always be `seq`: put it first");
    for level in ["thread.x", "block.y", "global.z"] {
        let text = wrong(&format!("{HOST}levels = [\"seq\", \"{level}\"]\n"));
        assert!(text.starts_with("a host has no grid"), "{level}: {text}");
    }
    // Matrix units are chosen by marked tiles, never by a level.
    assert!(wrong(&format!("{GRID}levels = [\"seq\", \"mma\"]\n")).starts_with("`mma` is not one of"));
}

#[test]
fn a_device_is_found_by_name_or_by_path() {
    assert_eq!(Device::find("h100").map(|device| device.kind), Ok(DeviceKind::Grid));
    let missing = Device::find("/no/such/folder/own.toml").expect_err("there is no such file");
    assert!(missing.to_string().contains("/no/such/folder/own.toml"), "{missing}");
    let unknown = Device::find("h1000").expect_err("no such device");
    assert!(unknown.to_string().contains("h1000") && unknown.to_string().contains("mali-g72"), "{unknown}");
}

#[test]
fn matrix_units_are_words() {
    use terrace_devices::MatrixUnit;
    let device = read(&format!("{HOST}matrix_units = [\"amx-bf16\"]\n"));
    assert_eq!(device.matrix_units, [MatrixUnit::AmxBf16]);
    assert_eq!(Device::parse("own", &device.text("")), Ok(device));
    assert!(read(HOST).matrix_units.is_empty());
    assert_eq!(
        wrong(&format!("{HOST}matrix_units = [\"mma\"]\n")),
        "`mma` is not one of amx-int8, amx-bf16, avx512-vnni, avx-vnni, avx512-bf16, avx2-madd"
    );
    assert_eq!(wrong(&format!("{GRID}matrix_units = [\"amx-int8\"]\n")), "a grid has no `matrix_units`");
}

#[test]
fn narrow_floats_are_words() {
    let device = read(&format!("{GRID}narrow_floats = [\"f16\", \"bf16\"]\n"));
    assert_eq!(device.narrow_floats, ["f16", "bf16"]);
    assert_eq!(Device::parse("own", &device.text("")), Ok(device));
    assert!(read(HOST).narrow_floats.is_empty());
    assert_eq!(wrong(&format!("{HOST}narrow_floats = [\"f8\"]\n")), "`f8` is not one of f16, bf16");
}
