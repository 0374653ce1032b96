//! The test runner, as a library and a binary
