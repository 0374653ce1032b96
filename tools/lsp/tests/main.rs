//! The server, driven over its pipes as an editor drives it

mod client;

mod features;
mod hostile;
mod long;
mod mutants;
mod session;
