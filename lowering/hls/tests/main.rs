//! Stages, banks and intervals.
