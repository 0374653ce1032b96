//! What kernels do: blocks of a grid one after the other, the threads of a block as a team that can wait.
//!
//! A launch opens a team of blocks (`Level::Grid`) and forks one of threads (`Level::Block`) for each. Shared with all in a
//! block: the dynamic memory of the block. Clusters are numbers only, as nothing in `gpu` lets their blocks meet. A token is the
//! numbers of the launches, copies and allocations that it completes with. What a device prints is dropped.

mod ids;
mod launch;
mod memory;
mod mma;
mod together;
mod warp;

use super::{
    Barrier, HostRegister, HostUnregister, Printf, Return, SetDefaultDevice, Terminator, Wait, Yield,
};
use terrace_interp::{Interpret, Level, Machine, RtValue, Step, Sync, TeamMember, Trap, codes, launches_of};
use terrace_ir::OpId;

/// Where the thread is in its block
fn thread(m: &Machine<'_>) -> Result<TeamMember, Trap> {
    place(m, Level::Block)
}

fn place(m: &Machine<'_>, level: Level) -> Result<TeamMember, Trap> {
    let message = || format!("'{}' op means something only inside of a kernel", m.ir().op_name(m.op()));
    m.place(level).ok_or_else(|| Trap::new(&codes::KERNEL, message()))
}

/// The work of an op that began it has been done: its token, if it has one
fn end(m: &mut Machine<'_>, op: OpId, asynchronous: bool, token: usize) {
    let number = m.end_work(asynchronous);
    give_token_of(m, op, token, number.as_slice());
}

/// The token of an op that has one; its work is complete
fn give_token(m: &mut Machine<'_>, op: OpId, n: usize) {
    give_token_of(m, op, n, &[]);
}

/// A token that completes with these launches
fn give_token_of(m: &mut Machine<'_>, op: OpId, n: usize, launches: &[u64]) {
    if m.ir().num_results(op) > n {
        let numbers = launches.iter().map(|number| RtValue::int(i128::from(*number), 64));
        m.set_result(n, RtValue::Vector(numbers.collect()));
    }
}

impl Interpret for Terminator {
    fn interpret(self, _: &mut Machine<'_>) -> Step {
        Step::Yield(Vec::new())
    }
}

impl Interpret for Yield {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}

impl Interpret for Return {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Return(m.operands())
    }
}

impl Interpret for Barrier {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        match thread(m) {
            Ok(_) => Step::Sync(Sync::barrier(Level::Block)),
            Err(trap) => Step::Trap(trap),
        }
    }
}

/// Ops of which nothing can be seen
macro_rules! nothing {
    ($($name:ident)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                give_token(m, self.0, 0);
                Step::Next
            }
        }
    )*};
}
nothing!(HostRegister HostUnregister Printf);

impl Interpret for Wait {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let tokens = m.values(self.async_dependencies(m.ir()));
        // A token of tokens lets the host go on.
        if self.async_token(m.ir()).is_some() {
            give_token_of(m, self.0, 0, &launches_of(&tokens));
            return Step::Next;
        }
        let waited = if tokens.is_empty() { m.wait_for_all() } else { m.wait_for_tokens(&tokens) };
        waited.map(|()| Step::Next).into()
    }
}

impl SetDefaultDevice {
    fn choose(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let number = m.decide_i64(self.dev_index(m.ir()), "the number of the device")?;
        let negative = || Trap::new(&codes::DEVICE, "the number of the device is negative");
        m.choose_device(u64::try_from(number).map_err(|_| negative())?)?;
        Ok(Step::Next)
    }
}

impl Interpret for SetDefaultDevice {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.choose(m).into()
    }
}
