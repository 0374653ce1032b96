//! Ops for tests: universal value sources and sinks
