//! Options of the pass.

use terrace_devices::{Device, DeviceKind, MatrixUnit};
use terrace_pass::{OptionError, OptionKind, OptionSpec, PassInfo, Scope};
use terrace_schedule_choose::explain::Explain;

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "mdh-schedule",
    aliases: &[],
    summary: "Give computations a schedule for a device",
    docs: "Chooses (de/re)-composition steps from how inputs and outputs move with each dimension and from the device's \
           file: threads, blocks for caches, panels, register tiles, lanes. They are attached to the computation as \
           `mdh.schedule`, to be read, changed, and applied by `mdh-to-sched`. A schedule that is there stays; but where its \
           blocks split a reduction, it is settled how they meet: by atomics, or by a second computation. On processors, \
           with a schedule given or chosen, dimensions whose coordinate each point names by comparing with it are visited there \
           only (`mdh.scatter`), on grids where points meet by atomic updates in any order; unrolled taps that conditions \
           mention are copies only where that decides one (`mdh.rolled`), and prefixes of reductions without a schedule become two computations; remarks say so. Tiles below the diagonal of a symmetric \
           result are copies where that is estimated to be faster (`mdh.symmetric`). Either attribute may be given, \
           `array<i64>` for none. An element-wise computation of a reduction's result is marked, so that it is done where elements of that are complete \
           (`mdh.epilogue`); one that is stored, and of which the reduction behind reads each element once, so that it is done there (`mdh.prologue`). Next to a schedule with warps stands how many threads the device's have, where that is not 32 \
           (`mdh.subgroup`). On grids, computations that hand rows to each other are one kernel where that is faster (`mdh.joins`).",
    scope: Scope::Unit,
    anchor: Some("func.func"),
    options: &[
        OptionSpec {
            name: "target",
            kind: OptionKind::Text,
            default: "host",
            docs: "device: host, x86-64-v4, x86-64-v3, x86-64-v2, aarch64, openmp, opencl, cuda",
        },
        OptionSpec {
            name: "matrix-units",
            kind: OptionKind::Text,
            default: "all",
            docs: "units for products of narrow types to use of those that the device has: all, none, or words with `+` between them; none where `sched-contract` does not follow",
        },
        OptionSpec {
            name: "units",
            kind: OptionKind::Int,
            default: "0",
            docs: "on processors, threads that the program runs with; 0: as many as the device's file has",
        },
        OptionSpec {
            name: "explain",
            kind: OptionKind::Text,
            default: "none",
            docs: "a remark for each computation: what was proposed, what it is estimated to take, and who proposed nothing: none, text, json",
        },
        OptionSpec {
            name: "collapse",
            kind: OptionKind::Bool,
            default: "true",
            docs: "neighboring dimensions that all accesses take as one contiguous run become one",
        },
        OptionSpec {
            name: "move",
            kind: OptionKind::Text,
            default: "faster",
            docs: "copy operands whose kept and reduced dimensions are interleaved, so that rows are read in order: never, faster (where \
                   that is estimated to be), always",
        },
        OptionSpec {
            name: "layouts",
            kind: OptionKind::Bool,
            default: "true",
            docs: "on processors, tensors between computations and constant arguments have their axes in another order where that is estimated to be faster",
        },
        OptionSpec {
            name: "devices",
            kind: OptionKind::Int,
            default: "1",
            docs: "on grids, so many devices share a kept dimension; reductions of everything stay on one",
        },
        OptionSpec {
            name: "last",
            kind: OptionKind::Bool,
            default: "true",
            docs: "on grids whose fences order memory between blocks, the last block joins the parts of a reduction in place of a second launch",
        },
        OptionSpec {
            name: "blocks",
            kind: OptionKind::Bool,
            default: "true",
            docs: "on grids, several blocks may share a reduction",
        },
        OptionSpec {
            name: "atomics",
            kind: OptionKind::Bool,
            default: "true",
            docs: "blocks that share a reduction may be chosen to meet by atomic updates",
        },
        OptionSpec {
            name: "symmetric",
            kind: OptionKind::Bool,
            default: "true",
            docs: "on processors, tiles below the diagonal of a symmetric result are copies of those above it",
        },
        OptionSpec {
            name: "epilogues",
            kind: OptionKind::Bool,
            default: "true",
            docs: "element-wise computations of a reduction's result are done where its elements are complete",
        },
        OptionSpec {
            name: "prologues",
            kind: OptionKind::Bool,
            default: "true",
            docs: "element-wise computations that are stored are done where the reduction behind reads their elements",
        },
        OptionSpec {
            name: "join",
            kind: OptionKind::Bool,
            default: "true",
            docs: "on grids, computations that hand rows to each other are one kernel where that is estimated to be faster",
        },
    ],
    stats: &["schedules chosen", "candidates compared"],
    make: |options| {
        let mut device = Device::find(&options.text(&INFO, "target")).map_err(OptionError::because)?;
        let units = options.text(&INFO, "matrix-units");
        let units = MatrixUnit::of_words(&units).ok_or_else(|| {
            OptionError::value("matrix-units", "all, none, or words with `+` between them", &units)
        })?;
        device.matrix_units.retain(|unit| units.contains(unit));
        let units = options.int(&INFO, "units");
        if !(0..=MOST_UNITS).contains(&units) {
            return Err(OptionError::value("units", "0 to 1024", &units.to_string()));
        }
        let explain = options.text(&INFO, "explain");
        let explain =
            explain.parse().map_err(|_| OptionError::value("explain", "none, text or json", &explain))?;
        let moves = options.text(&INFO, "move");
        let moves =
            moves.parse().map_err(|()| OptionError::value("move", "never, faster or always", &moves))?;
        let devices = options.int(&INFO, "devices");
        if !(1..=MOST_DEVICES).contains(&devices) {
            return Err(OptionError::value("devices", "1 to 64", &devices.to_string()));
        }
        let flag = |name: &str| options.flag(&INFO, name);
        let switches = Switches {
            collapse: flag("collapse"),
            layouts: flag("layouts"),
            symmetric: flag("symmetric"),
            last: flag("last"),
            join: flag("join"),
            blocks: flag("blocks"),
            atomics: flag("atomics"),
            epilogues: flag("epilogues"),
            prologues: flag("prologues"),
        };
        let device = with_units(device, units);
        Ok(Box::new(Settings { device, units, explain, switches, moves, devices }))
    },
};

/// What the pass was given
#[derive(Clone)]
pub(super) struct Settings {
    pub device: Device,
    /// Threads that the program runs with; 0 are all of the device
    pub units: i64,
    pub explain: Explain,
    pub switches: Switches,
    pub moves: Moves,
    pub devices: i64,
}

/// Most devices of one program
const MOST_DEVICES: i64 = 64;

/// Most threads of one program, as of `terrace-run --threads`
const MOST_UNITS: i64 = 1024;

/// The device as a program sees it that runs with so many threads; 0 are all that it has. A grid is used as a whole
pub(super) fn with_units(device: Device, units: i64) -> Device {
    match device.kind {
        DeviceKind::Host if units > 0 => Device { units, ..device },
        _ => device,
    }
}

terrace_support::words! {
    /// When operands are copied into another layout
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) enum Moves {
        Never = "never",
        Faster = "faster",
        Always = "always",
    }
}

/// What may be left out, as options of the pass say: see there
#[derive(Clone, Copy)]
pub(super) struct Switches {
    pub collapse: bool,
    pub layouts: bool,
    pub symmetric: bool,
    pub last: bool,
    pub join: bool,
    pub blocks: bool,
    pub atomics: bool,
    pub epilogues: bool,
    pub prologues: bool,
}
