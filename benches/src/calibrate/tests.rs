//! What is written without measuring: dates, names, programs, and files from times that were made up.

use super::*;
use terrace_devices::{Memory, Region};

fn system() -> System {
    let cache = |n, bytes| Memory { region: Region::Cache(n), bytes, ways: 8, opt_in: bytes };
    let caches = vec![cache(1, 32 << 10), cache(2, 1 << 20), cache(3, 32 << 20)];
    System { cores: 2, line: 64, caches, free: 1 << 34 }
}

fn host() -> Device {
    Device { units: 2, ..Device::find("x86-64-v4").expect("built in") }
}

/// Times of a machine at 1 GHz whose caches are as large as the system says
fn times(shape: &Shape, system: &System) -> Times {
    let ns = |probe: Probe| match probe {
        Probe::Reads(bytes) if bytes <= system.bytes(0) => 0.01,
        Probe::Reads(bytes) if bytes <= system.bytes(1) => 0.03,
        Probe::Reads(_) => 0.08,
        Probe::Memory(threads) => 0.3 / threads as f64,
        Probe::Runs => 0.355,
        Probe::Tiles(tiles, _) => match tiles {
            probes::Tiles::Whole => 13.0,
            probes::Tiles::Rows => 6.0,
            probes::Tiles::Columns => 4.0,
            probes::Tiles::WithRows => 20.5,
            probes::Tiles::WithColumns => 17.5,
        },
        Probe::Clock | Probe::Loops => 1.0,
        Probe::Peak | Probe::Loads | Probe::Long(_) => 0.5,
        Probe::Spills(_) => 0.6,
        Probe::Forks => 1500.0,
        _ => 4.0,
    };
    let mut times = Times { rounds: 3, ..Times::default() };
    for round in 0..3 {
        probes::plan(shape, system).into_iter().for_each(|probe| times.add(probe, round, ns(probe)));
    }
    times
}

#[test]
fn days_are_those_of_the_calendar() {
    let day = |days: u64| date(SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400 + 3600));
    assert_eq!(
        [day(0), day(59), day(11_016), day(20_780)],
        ["1970-01-01", "1970-03-01", "2000-02-29", "2026-11-23"]
    );
}

#[test]
fn names_of_built_in_files_are_taken() {
    assert_eq!(place("a/b.toml"), Ok("a/b.toml".into()));
    for name in ["host", "cuda", "x86-64-v4", "../up", ""] {
        assert_eq!(place(name), Err(Refusal::Name { name: name.into() }));
    }
}

#[test]
fn a_file_that_is_written_is_found_by_its_path() {
    let (system, host) = (system(), host());
    let shape = Shape::of(&host);
    let times = times(&shape, &system);
    assert_eq!(times.steady(), Ok(()));
    let fit = Fit { times: &times, system: &system, shape, date: "2026-11-30" };
    assert_eq!(fit.sizes(), Ok(()));
    let device = fit.device(&host, Part::All);
    let file = std::env::temp_dir().join(format!("terrace-calibrate-test-{}/own.toml", std::process::id()));
    write(&file, &device).expect("it can be written");
    let found = Device::find(&file.to_string_lossy()).expect("it is a device");
    fs::remove_dir_all(file.parent().expect("a folder")).expect("it was made");
    assert_eq!(found, Device { name: found.name.clone(), ..device });
    assert_eq!(found.costs.instructions.operations, 2.0);
    assert_eq!((found.costs.caches.from_l2, found.costs.caches.from_l3), (50.0, 20.0));
    // A quarter longer than 0.22 cycles, by which memory is slower than the third cache.
    assert_eq!(found.costs.caches.short_run, 4100.0);
    assert_eq!((found.costs.tiles.remainder, found.costs.tiles.remaining_columns), (1.5, 1.03));
    assert_eq!(found.costs.threads.fork, 1500.0);
    assert_eq!(found.costs.caches.source.to_string(), "calibrated 2026-11-30");
}

#[test]
fn a_cache_of_another_size_is_refused() {
    let (system, host) = (system(), host());
    let shape = Shape::of(&host);
    let mut times = times(&shape, &system);
    // Half of the second cache is already as slow as the third.
    let part = |eighths| Probe::Reads(system.bytes(1) * eighths / 8);
    for series in &mut times.all {
        if (5..=8).any(|eighths| series.probe == part(eighths)) {
            series.ns.iter_mut().for_each(|(_, ns)| *ns = 0.08);
        }
    }
    let fit = Fit { times: &times, system: &system, shape, date: "2026-11-30" };
    let error = fit.sizes().expect_err("it is smaller");
    assert_eq!(
        error.to_string(),
        "`L2` seems to have 512 KiB, and 1024 KiB by the system; nothing is written"
    );
}

#[test]
fn numbers_that_no_device_has_are_refused() {
    let mut device = host();
    device.costs.threads.fork = 1e13;
    let error = write(Path::new("/nowhere/own.toml"), &device).expect_err("out of range");
    let first = error.to_string();
    assert!(first.contains("`threads.fork.cycles` is no number from 0 to 1000000000000"), "{first}");
}

#[test]
fn programs_use_what_they_name() {
    let (system, host) = (system(), host());
    let shape = Shape::of(&host);
    for probe in probes::plan(&shape, &system) {
        let program = probe.program(&shape, &system);
        for (name, _) in program.arguments {
            assert!(program.text.contains(&format!("%{name}: memref<")), "{probe}: {name}");
        }
        assert!(program.count > 0.0, "{probe}");
    }
}
