//! Passes, pipelines, options, statistics, the pass manager
