//! Designs for an FPGA as a space: the primitives buffer, pipeline and partition, judged by a model (paper, §5.2).
//!
//! Rows and columns that a round holds divide those of the result. Every pipeline reads, computes
//! and writes: three stages, as the paper fixes them for FPGAs (§4.2). A design that the device has no room for is no point.

use std::cell::RefCell;
use terrace_schedule_fpga::{Convolution, Design, Estimate, Fpga, Misfit, estimate};
use terrace_schedule_model::Decision;
use terrace_search_explore::{Coordinate, Space};
use terrace_search_schedules::choices::divisors;
use terrace_search_schedules::{Refusal, Refusals};

/// Pipelines, lanes and banks, at most
const MOST: i64 = 1024;

/// Parameters in their order
const NAMES: [&str; 5] = ["buffer.rows", "buffer.columns", "pipeline.lanes", "partition", "pipeline"];

/// All designs for a convolution on a device
pub struct DesignSpace<'a> {
    device: &'a Fpga,
    convolution: Convolution,
    refused: RefCell<Refusals>,
}

impl<'a> DesignSpace<'a> {
    /// Of a convolution
    pub fn new(device: &'a Fpga, convolution: Convolution) -> DesignSpace<'a> {
        DesignSpace { device, convolution, refused: RefCell::default() }
    }

    /// What a design takes
    pub fn estimate(&self, point: &[Decision]) -> Result<Estimate, Misfit> {
        let number = |n: usize| match point.get(n) {
            Some(Decision::Number(number)) => Ok(*number),
            _ => Err(Misfit::Parameter(NAMES[n], 0)),
        };
        let design = Design { lanes: number(2)?, banks: number(3)?, pipelines: number(4)? };
        let [rows, columns] = [number(0)?, number(1)?].map(|results| self.convolution.needs(results));
        estimate(self.device, &self.convolution.rounds(rows, columns)?, &design)
    }

    /// How many designs each resource refused so far
    pub fn refusals(&self) -> Refusals {
        self.refused.borrow().clone()
    }

    fn has_room(&self, point: &[Decision]) -> bool {
        let verdict = self.estimate(point);
        if let Err(why) = &verdict {
            let rule = match why {
                Misfit::Dsp(..) => "DSP",
                Misfit::Bram(..) => "BRAM",
                _ => "DESIGN",
            };
            self.refused.borrow_mut().add(&Refusal::of(format!("{rule}: {why}")));
        }
        verdict.is_ok()
    }
}

impl Space for DesignSpace<'_> {
    fn names(&self) -> Vec<String> {
        NAMES.map(String::from).to_vec()
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        let extents = self.convolution.extents();
        let numbers = match before.len() {
            n @ (0 | 1) => divisors(extents[n].max(0)),
            2..=4 => std::iter::successors(Some(1i64), |n| Some(2 * n)).take_while(|n| *n <= MOST).collect(),
            _ => Vec::new(),
        };
        let last = before.len() + 1 == NAMES.len();
        let fits = |value: &Decision| !last || self.has_room(&[before, std::slice::from_ref(value)].concat());
        numbers.into_iter().map(Decision::Number).filter(fits).collect()
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        (0..NAMES.len()).map(Coordinate::Value).collect()
    }
}
