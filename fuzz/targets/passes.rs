//! See `terrace_fuzz::passes`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| terrace_fuzz::passes(data));
