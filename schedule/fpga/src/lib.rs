//! Time of a computation on an FPGA, estimated (paper: Zheng and others, FlexTensor, ASPLOS 2020, §5.2).
//!
//! A design has pipelines of three stages: a round of input is read into buffers, computed on, and written. The stages of
//! successive rounds overlap. So the time is `workload / #PE · max(R, C, W)`, with the workload in rounds. The paper prints that
//! formula and says that it is simplified: it leaves out how pipelines share memory, and the first and last rounds. [`estimate`] gives
//! its time, and the one with both.
//!
//! [`Tiled`] has the rounds of any computation whose subscripts are sums of its dimensions. The code that `lowering/hls` writes for a design has
//! these rounds, steps, bytes, banks and intervals; tests count them in it. What the tools of a vendor make of that code is not known here.
//!
//! Nothing is synthesized here, and no cycle is measured: the numbers are those of a device file and of arithmetic.
//!
//! **Invariant:** no crate here knows IR.

mod device;
mod hardware;
mod misfit;
mod model;
mod rounds;
mod tiled;

pub use device::{DeviceError, Fpga};
pub use hardware::{blocks, interval};
pub use misfit::Misfit;
pub use model::{Design, Estimate, estimate};
pub use rounds::{Convolution, Rounds, Tile};
pub use tiled::{Array, Extent, Tiled};
