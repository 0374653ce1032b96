//! Numbers that no machine has are numbers all the same: read as they are, or refused, never wrapped.

use terrace_devices::Device;

#[test]
fn the_largest_numbers_are_kept() {
    let most = i64::MAX;
    let text = format!(
        "kind = \"grid\"\nunits = {most}\nregisters = {most}\nblock_threads = {most}\nwarp = {most}\n\
         grid_max = [{most}, {most}, {most}]\nmemory = [{{ region = \"SM\", bytes = {most} }}]\n"
    );
    let device = Device::parse("own", &text).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((device.units, device.block_threads, device.warp), (most, most, most));
    assert_eq!((device.grid_max, device.block_max), ([most; 3], [most; 3]));
    assert_eq!(device.memories.first().map(|memory| (memory.bytes, memory.opt_in)), Some((most, most)));
}

#[test]
fn numbers_that_need_more_bits_are_refused() {
    for number in
        ["9223372036854775808", "18446744073709551616", "0xffffffffffffffff", "-9223372036854775809"]
    {
        let text = format!("kind = \"host\"\nunits = {number}\nregisters = 16\n");
        let error = Device::parse("own", &text).expect_err(number);
        assert!(error.to_string().contains("own.toml:2:9"), "{number}: {error}");
    }
}

#[test]
fn numbers_that_are_no_integers_are_refused() {
    for number in ["inf", "nan", "1e3", "4.0", "2024-01-01", "''"] {
        let text = format!("kind = \"host\"\nunits = {number}\nregisters = 16\n");
        let error = Device::parse("own", &text).expect_err(number);
        assert!(error.to_string().starts_with("`units` is no number ≥ 1\n"), "{number}: {error}");
    }
}

#[test]
fn caches_as_large_as_each_other_are_possible() {
    let text = "kind = \"host\"\nunits = 1\nregisters = 1\n\
                memory = [{ region = \"L1\", bytes = 4096 }, { region = \"L2\", bytes = 4096 }]\n";
    let device = Device::parse("own", text).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(device.memories.iter().map(|memory| memory.bytes).collect::<Vec<_>>(), [4096, 4096]);
}
