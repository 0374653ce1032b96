//! See `terrace_fuzz::graphs::models`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| terrace_fuzz::graphs::models(data));
