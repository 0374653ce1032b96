//! A region that one lane runs for its subgroup.
//!
//! State: the phase. The lanes show their parts of the arguments, the first one puts them together, runs the region and
//! shows what it yields, and each takes its part of that. One dimension of a vector is divided among the lanes.

use super::super::WarpExecuteOnLane0;
use super::thread;
use terrace_interp::{Exchange, Interpret, Machine, RtValue, Step, Sync, Trap, codes};
use terrace_ir::{Type, Value};

const SHOWN: i64 = 0;
const RUNNING: i64 = 1;
const DONE: i64 = 2;

fn lost() -> Trap {
    Trap::new(&codes::INVALID, "the lanes have exchanged nothing")
}

/// What is divided: elements behind the dimension, and how many of the whole and of a part lie in a row of it
struct Division {
    inner: usize,
    whole: usize,
    part: usize,
}

/// How a vector is divided; `None` if each lane has all of it
fn division(m: &Machine<'_>, whole: Type, part: Type) -> Result<Option<Division>, Trap> {
    let cx = m.cx();
    let (Some(a), Some(b)) = (whole.shape(cx), part.shape(cx)) else { return Ok(None) };
    let divided: Vec<usize> = (0..a.len().min(b.len())).filter(|n| a[*n] != b[*n]).collect();
    match divided[..] {
        [] => Ok(None),
        [n] => {
            let inner = a[n + 1..].iter().map(|size| *size as usize).product();
            Ok(Some(Division { inner, whole: a[n] as usize, part: b[n] as usize }))
        }
        _ => {
            let message = "the interpreter knows vectors of which one dimension is divided among the lanes";
            Err(Trap::new(&codes::UNSUPPORTED, message))
        }
    }
}

fn elements(value: &RtValue, count: usize) -> Vec<RtValue> {
    match value {
        RtValue::Vector(all) => all.to_vec(),
        _ => vec![RtValue::Poison; count],
    }
}

fn count(m: &Machine<'_>, ty: Type) -> usize {
    ty.num_elements(m.cx()).and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
}

impl WarpExecuteOnLane0 {
    fn meet(self, m: &mut Machine<'_>, phase: i64, values: Vec<RtValue>) -> Step {
        *m.state() = vec![RtValue::index(phase)];
        let lanes = self.warp_size(m.ir()).as_i64(m.cx()).and_then(|lanes| u64::try_from(lanes).ok());
        Step::Sync(Sync::exchange_within(lanes.unwrap_or(1), values))
    }

    /// The argument of the region that the parts of all lanes make
    fn together(self, m: &Machine<'_>, shown: &Exchange, n: usize, arg: Value) -> Result<RtValue, Trap> {
        let ir = m.ir();
        let part = ir.ty(self.args(ir)[n]);
        let parts: Vec<&RtValue> = shown.all.iter().filter_map(|values| values.get(n)).collect();
        let Some(division) = division(m, ir.ty(arg), part)? else {
            return parts.first().map(|value| (*value).clone()).ok_or_else(lost);
        };
        let parts: Vec<Vec<RtValue>> =
            parts.into_iter().map(|value| elements(value, count(m, part))).collect();
        let row = division.part * division.inner;
        let rows = parts.first().map_or(0, |first| first.len() / row.max(1));
        let mut all = Vec::with_capacity(count(m, ir.ty(arg)));
        for at in 0..rows {
            for part in &parts {
                all.extend_from_slice(part.get(at * row..(at + 1) * row).ok_or_else(lost)?);
            }
        }
        // Lanes that the block does not have leave their parts open.
        all.resize(count(m, ir.ty(arg)), RtValue::Poison);
        Ok(RtValue::Vector(all.into()))
    }

    /// This lane's part of a value
    fn part(
        self,
        m: &Machine<'_>,
        value: &RtValue,
        whole: Type,
        n: usize,
        lane: usize,
    ) -> Result<RtValue, Trap> {
        let ir = m.ir();
        let part = ir.ty(ir.result(self.0, n));
        let Some(division) = division(m, whole, part)? else { return Ok(value.clone()) };
        let all = elements(value, count(m, whole));
        let (row, mine) = (division.whole * division.inner, division.part * division.inner);
        let mut found = Vec::with_capacity(count(m, part));
        for from in (0..all.len()).step_by(row.max(1)) {
            let start = from + lane * mine;
            found.extend_from_slice(all.get(start..start + mine).ok_or_else(lost)?);
        }
        Ok(RtValue::Vector(found.into()))
    }

    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        thread(m)?;
        let args = m.values(self.args(m.ir()));
        Ok(self.meet(m, SHOWN, args))
    }

    fn after(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Result<Step, Trap> {
        let ir = m.ir();
        let entry = ir.entry(self.region(ir)).ok_or_else(lost)?;
        match m.state().first().and_then(RtValue::as_i64) {
            Some(SHOWN) => {
                let shown = m.exchange().cloned().ok_or_else(lost)?;
                if shown.me != 0 {
                    return Ok(self.meet(m, DONE, Vec::new()));
                }
                let args = ir.block_args(entry).iter().enumerate();
                let args: Result<Vec<RtValue>, Trap> =
                    args.map(|(n, arg)| self.together(m, &shown, n, *arg)).collect();
                *m.state() = vec![RtValue::index(RUNNING)];
                Ok(Step::Enter { region: self.region(ir), args: args? })
            }
            Some(RUNNING) => Ok(self.meet(m, DONE, values)),
            _ => {
                let shown = m.exchange().cloned().ok_or_else(lost)?;
                let end = ir.last_op(entry).ok_or_else(lost)?;
                let wholes: Vec<Type> = ir.operands(end).map(|value| ir.ty(value)).collect();
                for (n, whole) in wholes.into_iter().enumerate() {
                    let value = shown.all[0].get(n).ok_or_else(lost)?;
                    let part = self.part(m, value, whole, n, shown.me)?;
                    m.set_result(n, part);
                }
                Ok(Step::Next)
            }
        }
    }
}

impl Interpret for WarpExecuteOnLane0 {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        self.after(m, values).into()
    }
}
