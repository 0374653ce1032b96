//! A schedule applied to a computation: which loops there are, in which order, over which tiles.
//!
//! - [`plan`](plan()): steps become loops in the order of code; `steps` reads their entries, `nesting` says which loops stand in which,
//!   `words` what is stated of buffers, `order` what computations in the order of their source allow;
//! - [`geometry`]: where a walk through the loops stands; [`pieces`] what a loop becomes where tiles do not divide, `masks` what lanes become
//!   where conditions leave some out;
//! - [`footprint`]: what buffers hold; `tiles` which of them a step may own, `indices` where their elements are, `turn` how their rows are stored;
//! - `symmetric`: which tiles of symmetric results are copies;
//! - `results`: what becomes of values; `walk` goes through all of it, `state` is where it stands.
//! - [`apply`](apply()): all of it as one nest.
//!
//! **Invariant:** nothing is chosen here. What a schedule leaves out is one sequential loop per dimension.

mod cut;
pub mod footprint;
pub mod geometry;
mod indices;
pub mod launch;
mod loops;
mod masks;
mod nesting;
mod order;
pub mod pieces;
mod plan;
mod results;
mod state;
mod steps;
mod symmetric;
mod tiles;
mod turn;
mod walk;
mod words;

pub use loops::{Ahead, Item, Loop, Plan};
pub use order::check as check_order;
pub use plan::{naive, plan};
pub use state::{Event, Happenings};
pub use symmetric::Reflection;
pub use tiles::stated;
pub use walk::{Extras, apply, apply_with};
