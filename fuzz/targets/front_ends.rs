//! See `terrace_fuzz::front_ends`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| terrace_fuzz::front_ends(data));
