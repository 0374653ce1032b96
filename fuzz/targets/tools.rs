//! See `terrace_fuzz::tools::tools`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| terrace_fuzz::tools::tools(data));
