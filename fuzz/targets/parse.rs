//! See `terrace_fuzz::parse`. With `TERRACE_FUZZ_MATERIAL=DIR` it writes what all targets start with and ends.

#![no_main]

libfuzzer_sys::fuzz_target!(
    init: {
        if let Some(folder) = std::env::var_os("TERRACE_FUZZ_MATERIAL") {
            let written = terrace_fuzz::write_material(folder.as_ref());
            std::process::exit(i32::from(written.is_err()));
        }
    },
    |data: &[u8]| terrace_fuzz::parse(data)
);
