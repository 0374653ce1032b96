//! See `terrace_fuzz::graphs::graphs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| terrace_fuzz::graphs::graphs(data));
