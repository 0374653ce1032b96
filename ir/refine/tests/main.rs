//! What is seen of a call, what refines what, and which calls are made

mod inputs;
mod seen;
