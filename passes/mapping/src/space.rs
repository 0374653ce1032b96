//! `array-space`: the constraints of types and hardware, as a space of the function's parameters.

use terrace_devices::Device;
use terrace_diag::Reported;
use terrace_dialect_array::Map;
use terrace_dialect_func::Func;
use terrace_ir::{Ir, OpId};
use terrace_pass::{OptionError, OptionKind, OptionSpec, Pass, PassCx, PassInfo, Scope};
use terrace_search_mapping::errors;
use terrace_search_mapping::infer::{Buffers, of_hardware, of_types, write};

/// The pass
pub static SPACE: PassInfo = PassInfo {
    name: "array-space",
    aliases: &[],
    summary: "Constraints of the parameters of a function, from its types and the device",
    docs: "Symbols of sizes without a value are parameters. What the types of `split`, `as_vector`, windows and quotients ask of them \
           goes into the function's `tune.space`, each condition with the op that asks (`type`), and what the device asks \
           (`beyond`): threads of blocks where maps have levels, `total` bytes of all buffers, `largest` of one. A parameter that has \
           no `tune.param` yet gets one, where a type says what its values may be.",
    scope: Scope::Tree,
    anchor: None,
    options: &[
        OptionSpec {
            name: "device",
            kind: OptionKind::Text,
            default: "opencl",
            docs: "whose vectors and blocks: a device of `mdh-schedule`'s, or a file",
        },
        OptionSpec {
            name: "total",
            kind: OptionKind::Int,
            default: "0",
            docs: "most bytes of all buffers together; 0 for no limit",
        },
        OptionSpec {
            name: "largest",
            kind: OptionKind::Int,
            default: "0",
            docs: "most bytes of one buffer; 0 for no limit",
        },
    ],
    stats: &["constraints"],
    make: |given| {
        let device = given.text(&SPACE, "device");
        let limit = |name| Some(given.int(&SPACE, name)).filter(|limit| *limit > 0);
        let buffers = Buffers { total: limit("total"), largest: limit("largest") };
        Ok(Box::new(ArraySpace {
            device: Device::find(&device).map_err(OptionError::because)?,
            name: device,
            buffers,
        }))
    },
};

struct ArraySpace {
    device: Device,
    name: String,
    buffers: Buffers,
}

impl Pass for ArraySpace {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let functions: Vec<OpId> = unit.walk().filter(|op| unit.child(*op).is_some()).collect();
        for op in functions {
            let Some(function) = unit.child(op) else { continue };
            let Some(func) = Func::cast(function, function.root()) else { continue };
            if !function.walk().any(|op| Map::cast(function, op).is_some()) {
                continue;
            }
            let name = func.sym_name(function).as_str(function.cx()).unwrap_or("f").to_string();
            let records = of_types(function).and_then(|mut all| {
                all.extend(of_hardware(function, &self.device, self.buffers)?);
                Ok(all)
            });
            let records = match records {
                Ok(records) if records.is_empty() => continue,
                Ok(records) => records,
                Err(error) => return cx.fail(unit, op, &errors::SPACE, error.to_string()),
            };
            cx.count("constraints", records.len() as u64);
            if let Err(why) = write(unit, op, &name, (&self.device, &self.name), &records) {
                return cx.fail(unit, op, &errors::SPACE, why.to_string());
            }
        }
        Ok(())
    }
}
