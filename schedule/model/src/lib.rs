//! Schedules and loop nests as plain typed values, open fields included
//!
//! **Invariant:** nothing here knows IR or a dialect. Only the modules that read and write text know how a word is spelled.
