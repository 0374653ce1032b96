//! Rewriting: rules as data, patterns, the greedy driver, strategies
