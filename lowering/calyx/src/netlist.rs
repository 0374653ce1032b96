//! The text of a component as it grows: cells, wires that always hold, groups.
//!
//! Arithmetic is outside of groups: it computes in every cycle, and guards on the ports of memories say which results count. Equal
//! cells are made once.

use std::collections::BTreeSet;
use terrace_support::HashMap;

/// Bits that numbers from 0 to `most` take; at least one
pub(crate) fn bits(most: i64) -> u32 {
    (64 - most.max(1).unsigned_abs().leading_zeros()).max(1)
}

/// A port or a number, with its bits
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Wire {
    pub text: String,
    pub width: u32,
}

impl Wire {
    /// A number, modulo 2^width
    pub fn number(value: i64, width: u32) -> Wire {
        let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        Wire { text: format!("{width}'d{}", value as u64 & mask), width }
    }

    pub fn new(text: impl Into<String>, width: u32) -> Wire {
        Wire { text: text.into(), width }
    }
}

/// A component
#[derive(Default)]
pub(crate) struct Netlist {
    pub cells: Vec<String>,
    pub wires: Vec<String>,
    pub groups: Vec<String>,
    /// Primitives of this back end that it has
    pub own: BTreeSet<&'static str>,
    names: HashMap<String, usize>,
    known: HashMap<String, Wire>,
}

impl Netlist {
    /// A name that nothing has
    pub fn name(&mut self, hint: &str) -> String {
        let count = self.names.entry(hint.to_owned()).or_default();
        *count += 1;
        format!("{hint}_{}", *count - 1)
    }

    /// A cell of its own
    pub fn cell(&mut self, hint: &str, primitive: &str, params: &[u32]) -> String {
        let name = self.name(hint);
        let params: Vec<String> = params.iter().map(u32::to_string).collect();
        self.cells.push(format!("{name} = {primitive}({});", params.join(", ")));
        name
    }

    /// A port has this value wherever the guard holds
    pub fn drive(&mut self, port: &str, guard: &str, value: &str) {
        let guard = if guard.is_empty() { String::new() } else { format!("{guard} ? ") };
        self.wires.push(format!("{port} = {guard}{value};"));
    }

    /// The output of a cell with these inputs
    pub fn gate(&mut self, primitive: &str, params: &[u32], inputs: &[(&str, &Wire)], width: u32) -> Wire {
        let key: String = inputs.iter().map(|(port, wire)| format!(" {port}={}", wire.text)).collect();
        let key = format!("{primitive}{params:?}{key}");
        if let Some(wire) = self.known.get(&key) {
            return wire.clone();
        }
        let hint = primitive.rsplit('_').next().unwrap_or(primitive);
        let name = self.cell(hint, primitive, params);
        for (port, wire) in inputs {
            self.drive(&format!("{name}.{port}"), "", &wire.text);
        }
        let wire = Wire::new(format!("{name}.out"), width);
        self.known.insert(key, wire.clone());
        wire
    }

    /// Of two inputs of one width
    pub fn both(&mut self, primitive: &str, left: &Wire, right: &Wire, width: u32) -> Wire {
        self.gate(primitive, &[left.width], &[("left", left), ("right", right)], width)
    }

    /// `yes` where the bit is set
    pub fn choice(&mut self, bit: &Wire, yes: &Wire, no: &Wire) -> Wire {
        self.gate("std_mux", &[yes.width], &[("cond", bit), ("tru", yes), ("fal", no)], yes.width)
    }

    /// The value of the cycle before
    pub fn before(&mut self, wire: &Wire) -> Wire {
        let one = Wire::number(1, 1);
        self.gate("std_reg", &[wire.width], &[("in", wire), ("write_en", &one)], wire.width)
    }

    /// The value so many cycles before
    pub fn long_before(&mut self, wire: &Wire, cycles: i64) -> Wire {
        (0..cycles).fold(wire.clone(), |wire, _| self.before(&wire))
    }

    /// With zeros in front, or the last bits
    pub fn fitted(&mut self, wire: &Wire, width: u32) -> Wire {
        match wire.width.cmp(&width) {
            std::cmp::Ordering::Equal => wire.clone(),
            std::cmp::Ordering::Less => self.gate("std_pad", &[wire.width, width], &[("in", wire)], width),
            std::cmp::Ordering::Greater => {
                self.gate("std_slice", &[wire.width, width], &[("in", wire)], width)
            }
        }
    }

    /// A constant and wires times numbers, modulo 2^width: shifted and added, since products of constants need no multiplier
    pub fn sum(&mut self, terms: &[(Wire, i64)], constant: i64, width: u32) -> Wire {
        let low = |number: u64| if width >= 64 { number } else { number & ((1 << width) - 1) };
        let mut all: Option<Wire> = None;
        let mut less: Vec<Wire> = Vec::new();
        for (wire, by) in terms {
            let wide = self.fitted(wire, width);
            let factor = low(by.unsigned_abs());
            for bit in (0..width).filter(|bit| factor >> bit & 1 == 1) {
                let part = match bit {
                    0 => wide.clone(),
                    _ => self.both("std_lsh", &wide, &Wire::number(bit.into(), width), width),
                };
                if *by < 0 {
                    less.push(part);
                } else {
                    all = Some(match all {
                        None => part,
                        Some(sum) => self.both("std_add", &sum, &part, width),
                    });
                }
            }
        }
        let number = Wire::number(constant, width);
        let mut sum = match all {
            None => number,
            Some(sum) if low(constant as u64) == 0 => sum,
            Some(sum) => self.both("std_add", &sum, &number, width),
        };
        for part in less {
            sum = self.both("std_sub", &sum, &part, width);
        }
        sum
    }

    /// A register that loops count with, from 0 to `trips - 1` and to 0 again: its name, its next value, and whether it has the last one
    pub fn counter(&mut self, hint: &str, trips: i64) -> (String, Wire, Wire) {
        let width = bits(trips - 1);
        let name = self.cell(hint, "std_reg", &[width]);
        let value = Wire::new(format!("{name}.out"), width);
        let last = self.both("std_eq", &value, &Wire::number(trips - 1, width), 1);
        let more = self.both("std_add", &value, &Wire::number(1, width), width);
        let next = self.choice(&last, &Wire::number(0, width), &more);
        (name, next, last)
    }
}
