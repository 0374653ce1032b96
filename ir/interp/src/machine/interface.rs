//! What an op means: the interface.

use super::quick::Quick;
use crate::machine::Machine;
use crate::team::{Sync, TeamSpec};
use crate::trap::Trap;
use crate::value::RtValue;
use std::sync::Arc;
use terrace_ir::interface::Interface;
use terrace_ir::{BlockId, Ir, OpId, RegionId};

/// What happens after an op was asked
#[derive(Debug)]
pub enum Step {
    /// Results are set: on to the next op
    Next,
    /// Run a region of this op; its `yield` comes back as `resume`
    Enter {
        /// The region
        region: RegionId,
        /// Arguments of its first block
        args: Vec<RtValue>,
    },
    /// Go to a block of this region
    Branch {
        /// The block
        block: BlockId,
        /// Its arguments
        args: Vec<RtValue>,
    },
    /// Leave the function
    Return(Vec<RtValue>),
    /// Leave the region: the op around it is resumed
    Yield(Vec<RtValue>),
    /// Call a function; what it returns becomes the results of this op
    Call {
        /// Its name
        symbol: Arc<str>,
        /// Its arguments
        args: Vec<RtValue>,
    },
    /// Call a function; what it returns comes back as `resume`
    Invoke {
        /// Its name
        symbol: Arc<str>,
        /// Its arguments
        args: Vec<RtValue>,
    },
    /// Make a team: each member starts with [`Interpret::member`]; when all have ended, the op is resumed with nothing
    Fork(TeamSpec),
    /// Wait for other members; the op is resumed with nothing, and [`Machine::exchange`] has what all have shown
    Sync(Sync),
    /// Stop
    Trap(Trap),
}

impl From<Result<Step, Trap>> for Step {
    fn from(result: Result<Step, Trap>) -> Step {
        result.unwrap_or_else(Step::Trap)
    }
}

/// Table behind [`Interpret`]
pub struct InterpretTable {
    pub(crate) run: fn(OpId, &mut Machine<'_>) -> Step,
    pub(crate) resume: fn(OpId, &mut Machine<'_>, Vec<RtValue>) -> Step,
    pub(crate) member: fn(OpId, &mut Machine<'_>) -> Step,
    pub(crate) member_resume: fn(OpId, &mut Machine<'_>, Vec<RtValue>) -> Step,
    pub(crate) quick: fn(OpId, &Ir) -> Option<Quick>,
}

/// `interfaces(terrace_interp::Interpret)`: what the op does
pub trait Interpret: Sized + From<OpId> {
    /// Run the op: set its results, or say where to go
    fn interpret(self, m: &mut Machine<'_>) -> Step;

    /// A region that the op entered has yielded, or a function that it invoked has returned; by default the values are
    /// the op's results
    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        m.set_results(values);
        Step::Next
    }

    /// A member of the team that the op forked starts, with a state of its own: enter a region, or invoke a function
    fn member(self, m: &mut Machine<'_>) -> Step {
        Step::Trap(Trap::new(
            &crate::codes::NO_MEANING,
            format!("'{}' op has no members", m.ir().op_name(m.op())),
        ))
    }

    /// What the member entered or invoked has ended; by default the member has too, and contributes the values
    fn member_resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        let _ = m;
        Step::Yield(values)
    }

    /// What the machine may do instead of `interpret` in the plain case
    fn quick(self, ir: &Ir) -> Option<Quick> {
        let _ = ir;
        None
    }

    /// Entry for the op's definition
    const ENTRY: Interface = Interface::new(
        const {
            &InterpretTable {
                run: |op, m| Self::from(op).interpret(m),
                resume: |op, m, values| Self::from(op).resume(m, values),
                member: |op, m| Self::from(op).member(m),
                member_resume: |op, m, values| Self::from(op).member_resume(m, values),
                quick: |op, ir| Self::from(op).quick(ir),
            }
        },
    );
}

/// [`Interpret`] of ops that have a method `run`, which sets the results or traps
#[macro_export]
macro_rules! interpret_by_run {
    ($($name:ident)*) => {$(
        impl $crate::Interpret for $name {
            fn interpret(self, m: &mut $crate::Machine<'_>) -> $crate::Step {
                self.run(m).map(|()| $crate::Step::Next).into()
            }
        }
    )*};
}
