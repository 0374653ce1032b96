//! The parser on a dialect of its own: what it reads, what it reports

mod toy;

mod errors;
mod parse;
mod partial;
mod random_text;
