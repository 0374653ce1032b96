//! Lanes moved by a number of the run.

use crate::ops::Rotate;
use terrace_interp::{Machine, RtValue, Trap};

terrace_interp::interpret_by_run!(Rotate);

impl Rotate {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let by = m.index(self.by(ir))?;
        let RtValue::Vector(lanes) = m.decide(self.vector(ir), "the vector")? else { return Ok(()) };
        let mut lanes = lanes.to_vec();
        let by = by.rem_euclid(lanes.len().max(1) as i64);
        lanes.rotate_right(by as usize);
        m.set_result(0, RtValue::Vector(lanes.into()));
        Ok(())
    }
}
