//! The server, driven over its pipes as an editor drives it, and the extension for an editor

mod client;

mod extension;
mod features;
mod hostile;
mod long;
mod mutants;
mod session;
