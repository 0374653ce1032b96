//! The space of schedules that a schedule with open fields stands for (paper: Rasch and others, CC 2023, §5.5).
//!
//! Any field may be open: a size, a region, an entry of a layout, a core, a label. What a field may be follows from the fields
//! before it ([`choices`]), so that points are made and not filtered; what only a whole schedule shows (a register tile that is
//! too large, iterations that disturb each other) is checked by lowering, at the last choice.

pub mod auto;
pub mod choices;
mod coordinates;
mod forms;
mod nests;
mod parameters;
mod refusal;
mod space;

pub use auto::{auto, steps};
pub use forms::FormSpace;
pub use nests::NestSpace;
pub use parameters::{Kind, NoKind, Parameter, open, parameters};
pub use refusal::{Refusal, Refusals};
pub use space::{Legal, OfSchedules, ScheduleSpace};
