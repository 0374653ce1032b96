//! The pass `mdh-design`: a design for an FPGA, as the schedule of a computation (paper: Zheng and others, FlexTensor, ASPLOS 2020, Table 2 and §5.2).

use crate::codes;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_builtin::marks::BANKS;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{self, SCHEDULE};
use terrace_dialect_mdh::view::View;
use terrace_ir::{Ir, OpId};
use terrace_pass::{OptionError, OptionKind, OptionSpec, Pass, PassCx, PassInfo, Scope};
use terrace_schedule_fpga::{Design, Fpga, Tiled};
use terrace_schedule_model::apply::{Extras, apply};
use terrace_search_primitives::design::{Chosen, judge, schedule as schedule_of, tiled};

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "mdh-design",
    aliases: &[],
    summary: "Give computations the schedule of a design for an FPGA",
    docs: "A round reads tiles into arrays on the chip, computes on them and writes the result back; pipelines are next to each other, each \
           with `lanes` products at once and arrays in `banks`. Numbers that are not given are chosen: those that the model of the device \
           estimates to be fastest. What a computation has besides sums of products over affine subscripts has no design and is left as it \
           is (a remark says why); a schedule that is there stays. The function gets `terrace.banks`, which `hls-pipeline` reads.",
    scope: Scope::Unit,
    anchor: Some("func.func"),
    options: &[
        OptionSpec {
            name: "device",
            kind: OptionKind::Text,
            default: "vu9p",
            docs: "the FPGA: vu9p, calyx, or the path of a file",
        },
        OptionSpec {
            name: "tiles",
            kind: OptionKind::Text,
            default: "auto",
            docs: "`8x9`: a tile of each kept dimension in order, which divides it; auto: chosen",
        },
        OptionSpec {
            name: "lanes",
            kind: OptionKind::Int,
            default: "0",
            docs: "products at once in a pipeline, along the longest dimension that is folded, which they divide; 0: chosen",
        },
        OptionSpec {
            name: "banks",
            kind: OptionKind::Int,
            default: "0",
            docs: "banks of an array at most; 0: chosen",
        },
        OptionSpec {
            name: "pipelines",
            kind: OptionKind::Int,
            default: "0",
            docs: "pipelines next to each other, which divide the rounds of the dimension with the most rounds; 0: chosen",
        },
    ],
    stats: &["designs"],
    make: |options| {
        let device = Fpga::find(&options.text(&INFO, "device")).map_err(OptionError::because)?;
        let text = options.text(&INFO, "tiles");
        let tiles = match text.as_str() {
            "auto" => None,
            _ => {
                Some(text.split('x').map(str::parse).collect::<Result<Vec<i64>, _>>().map_err(|_| {
                    OptionError::value("tiles", "auto, or numbers with `x` between them", &text)
                })?)
            }
        };
        let number = |name: &'static str| match options.int(&INFO, name) {
            0 => Ok(None),
            given @ 1..=1_048_576 => Ok(Some(given)),
            other => Err(OptionError::value(name, "0 to 1048576", &other.to_string())),
        };
        let (lanes, banks, pipelines) = (number("lanes")?, number("banks")?, number("pipelines")?);
        Ok(Box::new(MdhDesign { device, tiles, lanes, banks, pipelines }))
    },
};

/// The numbers that are given
struct MdhDesign {
    device: Fpga,
    tiles: Option<Vec<i64>>,
    lanes: Option<i64>,
    banks: Option<i64>,
    pipelines: Option<i64>,
}

impl Pass for MdhDesign {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let (mut count, mut banks) = (0, 0);
        let ops: Vec<OpId> = unit.walk().filter(|op| unit.is(*op, Compute::DEF)).collect();
        for op in ops {
            if unit.discardable(op, SCHEDULE).is_some() {
                continue;
            }
            if let Some(chosen) = self.design(cx, unit, Compute(op))? {
                banks = banks.max(chosen.design.banks);
                count += 1;
            }
        }
        if count > 0 && unit.discardable(unit.root(), BANKS).is_none() {
            let attr = unit.cx().int_attr(banks.into(), unit.cx().common().i64);
            unit.set_discardable(unit.root(), BANKS, Some(attr));
        }
        cx.count("designs", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

impl MdhDesign {
    /// Give one computation a design, if it can have one
    fn design(&self, cx: &mut PassCx<'_>, unit: &mut Ir, op: Compute) -> Result<Option<Chosen>, Reported> {
        let view = match View::read(unit, op) {
            Ok(view) => view,
            Err(why) => return cx.fail(unit, op.id(), &codes::VIEW, why),
        };
        let computation = view.computation(unit, op);
        let own = match tiled(&computation) {
            Ok(own) => own,
            Err(why) => {
                remark(cx, unit, op, format!("no design for an FPGA: {why}"));
                return Ok(None);
            }
        };
        let chosen = match self.chosen(&own) {
            Ok(chosen) => chosen,
            Err(why) if self.is_open() => {
                remark(cx, unit, op, format!("no design for an FPGA: {why}"));
                return Ok(None);
            }
            Err(why) => {
                return cx.fail(unit, op.id(), &codes::DESIGN, format!("has no such design: {why}"));
            }
        };
        let schedule = schedule_of(&computation, &own, &chosen);
        if let Err(why) = apply(&computation, &schedule, &Extras::default()) {
            remark(cx, unit, op, format!("no design for an FPGA: {why}"));
            return Ok(None);
        }
        let attr = schedule::to_attr(unit.cx(), &schedule.steps);
        unit.set_attr(op.id(), SCHEDULE, Some(attr));
        Ok(Some(chosen))
    }

    /// The design that is given, or the best with the numbers that are; the error says what none has
    fn chosen(&self, tiled: &Tiled) -> Result<Chosen, String> {
        if let Some(given) = self.given() {
            let fits = judge(&self.device, tiled, &given);
            return fits.map(|_| given).map_err(|why| why.to_string());
        }
        let ones = vec![1; tiled.kept().len()];
        if let Err(why) = tiled.rounds(self.tiles.as_ref().unwrap_or(&ones)) {
            return Err(why.to_string());
        }
        self.choose(tiled).ok_or_else(|| match self.is_open() {
            true => "the device has no room for any".into(),
            false => "lanes or pipelines do not divide, or the device has no room".into(),
        })
    }

    /// Is no number given?
    fn is_open(&self) -> bool {
        self.tiles.is_none() && [self.lanes, self.banks, self.pipelines].iter().all(Option::is_none)
    }

    /// The design whose numbers are all given
    fn given(&self) -> Option<Chosen> {
        let design = Design { pipelines: self.pipelines?, lanes: self.lanes?, banks: self.banks? };
        Some(Chosen { tiles: self.tiles.clone()?, design })
    }

    /// The fastest design by the model. Tiles change one at a time as long as that helps
    fn choose(&self, tiled: &Tiled) -> Option<Chosen> {
        let kept = tiled.kept();
        let mut tiles = self.tiles.clone().unwrap_or_else(|| vec![1; kept.len()]);
        if tiles.len() != kept.len() {
            return None;
        }
        let mut best = self.fastest(tiled, &tiles);
        let mut gains = self.tiles.is_none();
        while gains {
            gains = false;
            for (n, dim) in kept.iter().enumerate() {
                for tile in divisors(tiled.extents[*dim].size) {
                    let mut other = tiles.clone();
                    other[n] = tile;
                    let found = self.fastest(tiled, &other);
                    let faster = match (&found, &best) {
                        (Some((_, own)), Some((_, before))) => own < before,
                        (Some(_), None) => true,
                        _ => false,
                    };
                    if faster {
                        (best, tiles, gains) = (found, other, true);
                    }
                }
            }
        }
        best.map(|(chosen, _)| chosen)
    }

    /// The fastest design with these tiles, and its cycles
    fn fastest(&self, tiled: &Tiled, tiles: &[i64]) -> Option<(Chosen, f64)> {
        let along = tiled.rounds(tiles).ok()?.along;
        let or = |given: Option<i64>, all: Vec<i64>| given.map_or(all, |given| vec![given]);
        let mut best: Option<(Chosen, f64)> = None;
        for lanes in or(self.lanes, divisors(tiled.lanes_of(tiles))) {
            let doubled =
                std::iter::successors(Some(1i64), |n| Some(2 * n)).take_while(|n| *n <= lanes.min(MOST));
            for banks in or(self.banks, doubled.collect()) {
                for pipelines in or(self.pipelines, divisors(along)) {
                    let design = Design { pipelines, lanes, banks };
                    let chosen = Chosen { tiles: tiles.to_vec(), design };
                    let Ok(found) = judge(&self.device, tiled, &chosen) else { continue };
                    if best.as_ref().is_none_or(|(_, before)| found.cycles < *before) {
                        best = Some((chosen, found.cycles));
                    }
                }
            }
        }
        best
    }
}

/// Pipelines, lanes and banks that are tried, at most
const MOST: i64 = 1024;

/// Divisors that are tried
fn divisors(number: i64) -> Vec<i64> {
    let mut all = terrace_search_schedules::choices::divisors(number.max(1));
    all.retain(|one| *one <= MOST);
    all
}

fn remark(cx: &mut PassCx<'_>, ir: &Ir, op: Compute, said: String) {
    let _ = cx.emit(Diagnostic::remark(None, said).at(ir.span(op.id())));
}
