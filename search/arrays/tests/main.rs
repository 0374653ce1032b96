//! Spaces of array programs: layers of networks, rounds

mod common;

mod layers;
mod model;
mod rounds;
