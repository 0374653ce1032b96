//! See `terrace_fuzz::pipeline`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| terrace_fuzz::pipeline(data));
