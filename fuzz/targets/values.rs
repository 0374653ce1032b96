//! See `terrace_fuzz::values::values`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| terrace_fuzz::values::values(data));
