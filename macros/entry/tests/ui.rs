//! Every error of the macros, with its place and words.
//!
//! The expected text stands next to each case; `TRYBUILD=overwrite cargo test -p terrace-macros ui::` rewrites it.

#[test]
fn errors() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
