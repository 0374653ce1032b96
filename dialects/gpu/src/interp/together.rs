//! What threads do together: shuffles and reductions, in the order of the threads.
//!
//! State of `all_reduce`: its phase; for the thread that combines, the values that are left and what they came to. A
//! thread that has ended takes part in nothing: others that wait for it have diverged.

use super::super::{
    AllReduce, AllReduceOperation, Rotate, Shuffle, ShuffleMode, SubgroupBroadcast, SubgroupReduce,
};
use super::thread;
use terrace_interp::combine::{Combining, combine};
use terrace_interp::{Interpret, Level, Machine, RtValue, Step, Sync, Trap, codes};
use terrace_ir::{Attr, Value};

fn lost() -> Trap {
    Trap::new(&codes::INVALID, "the threads have exchanged nothing")
}

/// Show the first operand to the subgroup
fn show(m: &mut Machine<'_>) -> Step {
    match thread(m) {
        Ok(_) => Step::Sync(Sync::exchange_within(m.subgroup_size(), vec![m.operand(0)])),
        Err(trap) => Step::Trap(trap),
    }
}

/// The lane's number and what each lane has shown
fn lanes(m: &Machine<'_>) -> Result<(usize, Vec<RtValue>), Trap> {
    let exchange = m.exchange().ok_or_else(lost)?;
    let all = exchange.all.iter().map(|values| values.first().cloned().unwrap_or(RtValue::Poison));
    Ok((exchange.me, all.collect()))
}

/// Implement by what happens after the exchange
macro_rules! after_exchange {
    ($($name:ident)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                show(m)
            }

            fn resume(self, m: &mut Machine<'_>, _: Vec<RtValue>) -> Step {
                self.after(m).map(|()| Step::Next).into()
            }
        }
    )*};
}
after_exchange!(SubgroupBroadcast SubgroupReduce);

/// Show the first operand to the first `width` lanes; a lane behind them gets nothing and does not wait
fn show_among(m: &mut Machine<'_>, width: u64) -> Result<Step, Trap> {
    let lanes = m.subgroup_size();
    if thread(m)?.member % lanes >= width {
        take(m, &[], None);
        return Ok(Step::Next);
    }
    Ok(Step::Sync(Sync::exchange_among(lanes, width, vec![m.operand(0)])))
}

impl Interpret for Shuffle {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let width = unsigned(m, self.width(m.ir()), "the width");
        width.and_then(|width| show_among(m, width)).into()
    }

    fn resume(self, m: &mut Machine<'_>, _: Vec<RtValue>) -> Step {
        self.after(m).map(|()| Step::Next).into()
    }
}

impl Interpret for Rotate {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let width = self.width(m.ir()).as_i64(m.cx()).and_then(|width| u64::try_from(width).ok());
        show_among(m, width.unwrap_or(1)).into()
    }

    fn resume(self, m: &mut Machine<'_>, _: Vec<RtValue>) -> Step {
        self.after(m).map(|()| Step::Next).into()
    }
}

/// An unsigned number; one too large is larger than any number of lanes
fn unsigned(m: &Machine<'_>, value: Value, what: &str) -> Result<u64, Trap> {
    let value = m.decide(value, what)?.as_unsigned();
    Ok(value.and_then(|value| u64::try_from(value).ok()).unwrap_or(u64::MAX))
}

/// The value of a lane, if it is one of the first `width`, and whether it is
fn take(m: &mut Machine<'_>, all: &[RtValue], lane: Option<usize>) {
    let value = lane.and_then(|lane| all.get(lane));
    m.set_result(1, RtValue::bool(value.is_some()));
    m.set_result(0, value.cloned().unwrap_or(RtValue::Poison));
}

impl Shuffle {
    fn after(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let (lane, all) = lanes(m)?;
        let number =
            |value, what| Ok::<_, Trap>(usize::try_from(unsigned(m, value, what)?).unwrap_or(usize::MAX));
        let (offset, width) = (number(self.offset(ir), "the offset")?, number(self.width(ir), "the width")?);
        let other = match self.mode(ir) {
            ShuffleMode::Xor => Some(lane ^ offset),
            ShuffleMode::Up => lane.checked_sub(offset),
            ShuffleMode::Down => lane.checked_add(offset),
            ShuffleMode::Idx => Some(offset),
        };
        take(m, &all, other.filter(|other| *other < width && lane < width));
        Ok(())
    }
}

impl Rotate {
    fn after(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let (lane, all) = lanes(m)?;
        let number = |attr: Attr| attr.as_i64(cx).and_then(|value| usize::try_from(value).ok()).unwrap_or(0);
        let (offset, width) = (number(self.offset(ir)), number(self.width(ir)).max(1));
        take(m, &all, (lane < width).then_some((lane + offset) % width));
        Ok(())
    }
}

impl SubgroupBroadcast {
    fn after(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let (_, all) = lanes(m)?;
        let lane = match self.lane(ir) {
            Some(lane) => m.decide(lane, "the lane")?.as_unsigned().unwrap_or(u128::MAX),
            None => 0,
        };
        let value = usize::try_from(lane).ok().and_then(|lane| all.get(lane).cloned());
        m.set_result(0, value.unwrap_or(RtValue::Poison));
        Ok(())
    }
}

/// Values in order by an operator; vectors element by element
fn reduce(operator: AllReduceOperation, values: &[RtValue]) -> Result<RtValue, Trap> {
    let kind = Combining::from(operator);
    let mut rest = values.iter();
    let mut so_far = rest.next().cloned().ok_or_else(lost)?;
    for value in rest {
        so_far = match (&so_far, value) {
            (RtValue::Vector(a), RtValue::Vector(b)) => {
                let all: Result<Vec<RtValue>, Trap> =
                    a.iter().zip(&**b).map(|(a, b)| combine(kind, a, b)).collect();
                RtValue::Vector(all?.into())
            }
            (a, b) => combine(kind, a, b)?,
        };
    }
    Ok(so_far)
}

impl SubgroupReduce {
    fn after(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let (lane, all) = lanes(m)?;
        let number = |attr: Attr| attr.as_i64(cx).and_then(|value| usize::try_from(value).ok());
        let size = self.cluster_size(ir).and_then(number).unwrap_or(all.len()).max(1);
        let stride = number(self.cluster_stride(ir)).unwrap_or(1).max(1);
        // Lanes of a cluster are `stride` apart; clusters lie interleaved in runs of `size * stride` lanes.
        let group = |lane: usize| (lane / size.saturating_mul(stride), lane % stride);
        let mine: Vec<RtValue> = (0..all.len())
            .filter(|other| group(*other) == group(lane))
            .map(|other| all[other].clone())
            .collect();
        let value = reduce(self.operator(ir), &mine)?;
        m.set_result(0, value);
        Ok(())
    }
}

/// Phases of `all_reduce`
const SHOWN: i64 = 0;
const COMBINING: i64 = 1;
const DONE: i64 = 2;

impl AllReduce {
    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        thread(m)?;
        m.state().push(RtValue::index(SHOWN));
        Ok(Step::Sync(Sync::exchange(Level::Block, vec![m.operand(0)])))
    }

    fn finish(m: &mut Machine<'_>, shown: Vec<RtValue>) -> Step {
        m.state()[0] = RtValue::index(DONE);
        Step::Sync(Sync::exchange(Level::Block, shown))
    }

    fn after(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Result<Step, Trap> {
        let ir = m.ir();
        match m.state().first().and_then(RtValue::as_i64) {
            Some(SHOWN) => {
                let (me, all) = lanes(m)?;
                if me != 0 {
                    return Ok(AllReduce::finish(m, Vec::new()));
                }
                if let Some(operator) = self.operator(ir) {
                    let value = reduce(operator, &all)?;
                    return Ok(AllReduce::finish(m, vec![value]));
                }
                m.state()[0] = RtValue::index(COMBINING);
                let mut rest = all.into_iter();
                let first = rest.next().ok_or_else(lost)?;
                // The next one is taken from the end.
                m.state().extend(rest.rev());
                self.combine(m, first)
            }
            Some(COMBINING) => {
                let so_far = values.into_iter().next().ok_or_else(lost)?;
                self.combine(m, so_far)
            }
            _ => {
                let (_, all) = lanes(m)?;
                m.set_result(0, all.into_iter().next().ok_or_else(lost)?);
                Ok(Step::Next)
            }
        }
    }

    fn combine(self, m: &mut Machine<'_>, so_far: RtValue) -> Result<Step, Trap> {
        if m.state().len() == 1 {
            return Ok(AllReduce::finish(m, vec![so_far]));
        }
        let next = m.state().pop().ok_or_else(lost)?;
        Ok(Step::Enter { region: self.body(m.ir()), args: vec![so_far, next] })
    }
}

impl Interpret for AllReduce {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        self.after(m, values).into()
    }
}
