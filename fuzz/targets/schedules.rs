//! See `terrace_fuzz::schedules::schedules`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| terrace_fuzz::schedules::schedules(data));
