//! Tests of schedules and nests as values

mod applied;
mod fields;
mod nests;
mod random_texts;
mod refusals;
mod ruled_out;
mod sinking;
mod small;
mod texts;
