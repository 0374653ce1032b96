//! Chosen schedules: values, scatter, words

mod common;

mod campaign;
mod scatter;
mod texts;
mod tiles;
mod values;
mod words;
