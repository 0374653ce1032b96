//! See `terrace_fuzz::round_trip`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| terrace_fuzz::round_trip(data));
