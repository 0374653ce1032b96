//! Which atomic updates a target has: the table of its device's file, for the checks of all back ends.

use terrace_devices::{Device, Element, Support, Update, Updated};
use terrace_dialect_memref::AtomicRmwKind as Kind;
use terrace_lowering_table::Refusal;

/// The operator of an update, as devices' tables have it; none of those that no reduction has
fn operator(kind: Kind) -> Option<Update> {
    Some(match kind {
        Kind::AddF | Kind::AddI => Update::Add,
        Kind::MulF | Kind::MulI => Update::Mul,
        Kind::MinimumF | Kind::MinS => Update::Min,
        Kind::MaximumF | Kind::MaxS => Update::Max,
        Kind::MinU => Update::MinU,
        Kind::MaxU => Update::MaxU,
        Kind::AndI => Update::And,
        Kind::OrI => Update::Or,
        Kind::XOrI => Update::Xor,
        Kind::Assign | Kind::MinNumF | Kind::MaxNumF => return None,
    })
}

/// The table of a device
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The device, by the name of its file
    pub device: &'static str,
    /// The memory that is updated
    pub memory: Updated,
}

impl Target {
    /// How an update of a type is done; what is no row of the table, by comparing and exchanging as many bits. The error says what there is.
    pub fn update(self, kind: Option<Kind>, ty: &str, bits: u32) -> Result<Support, Refusal> {
        let device = Device::find(self.device);
        let atomics = device.map(|device| device.atomics).unwrap_or_default();
        let element = ty.parse::<Element>().ok();
        let row = kind.and_then(operator).zip(element);
        let exchanges = |bits: u32| {
            let cas = |element: &Element| {
                element.bits() == bits && atomics.of(self.memory, Update::Mul, *element) != Support::None
            };
            Element::ALL.iter().any(cas)
        };
        let how = match row {
            Some((update, element)) => atomics.of(self.memory, update, element),
            None if exchanges(bits) && kind == Some(Kind::Assign) => Support::Native,
            None if exchanges(bits) => Support::Cas,
            None => Support::None,
        };
        if how != Support::None {
            return Ok(how);
        }
        let known: Vec<String> = [8, 16, 32, 64]
            .into_iter()
            .filter(|bits| exchanges(*bits))
            .map(|bits| bits.to_string())
            .collect();
        let (device, memory) = (self.device, self.memory);
        let others = match known.is_empty() {
            true => "none at all".to_owned(),
            false => format!("those of {}", known.join(", ")),
        };
        let why = format!("there are no atomics of {bits} bits in {memory}; device `{device}` has {others}");
        Err(Refusal::new(why, "use another mechanism, or a type that the device updates"))
    }
}
