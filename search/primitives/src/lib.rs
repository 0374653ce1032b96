//! Spaces of schedules that are generated from the loops of a computation, with nothing given (paper: Zheng and others,
//! FlexTensor, ASPLOS 2020, §4.2).
//!
//! - [`primitive`]: the primitives of Table 2, and what each is in a schedule;
//! - [`layout`]: into how many parts each loop is split, and what a target decides once for all points;
//! - [`vector`]: a point as the vector of Figure 3e;
//! - [`decode`](decode()) and [`encode`](encode()): a vector as a schedule, and back;
//! - [`space`]: all vectors as a space that can be searched, with its size;
//! - [`design`]: buffers, pipelines and banks of an FPGA;
//! - [`graph`]: all nodes of a mini-graph together, with which are inlined, and how deep they are computed;
//! - [`orders`]: in which order the choices of a mini-graph are made (Algorithm 1).
//!
//! **Invariant:** a vector of a space is one schedule, and that schedule is that vector. What a schedule means is the business of
//! `mdh-to-sched`, as of any other schedule.

pub mod design;
pub mod graph;
pub mod layout;
pub mod orders;
pub mod primitive;
pub mod space;
pub mod vector;

mod decode;
mod encode;
mod probe;

pub use decode::decode;
pub use design::{Chosen, DesignSpace};
pub use encode::encode;
pub use graph::{GraphSpace, Plan};
pub use layout::{Fixed, Layout, Loop, Misfit, Parts, Sub};
pub use orders::{Order, Phase};
pub use primitive::Primitive;
pub use space::{PrimitiveSpace, Size};
pub use vector::{Value, Vector};
