//! Scheduled loops
