//! Tables of atomic updates: what files say, what they may not say, and what they all say together.

use terrace_devices::{Device, DeviceKind, Element, Support, Update, Updated, Updates};

const GRID: &str = "kind = \"grid\"\nunits = 4\nregisters = 16\n[atomics]\nsource = \"vendor\"\n";

/// The message, and the line that it shows
#[track_caller]
fn wrong(rows: &str) -> (String, String) {
    let error = Device::parse("own", &format!("{GRID}{rows}")).expect_err(rows).to_string();
    let mut lines = error.lines();
    let what = lines.next().unwrap_or_default().to_string();
    (what, lines.nth(2).unwrap_or_default().to_string())
}

#[test]
fn a_row_is_one_word_or_a_word_for_each_operator() {
    let text = format!(
        "{GRID}[atomics.DEV]\ni16 = \"cas\"\nf32 = {{ add = \"native\", mul = \"cas\", min = \"cas\", max = \"cas\" }}\n"
    );
    let device = Device::parse("own", &text).unwrap_or_else(|why| panic!("{why}"));
    let of = |memory, update, element| device.atomics.of(memory, update, element);
    assert_eq!(of(Updated::Device, Update::Xor, Element::I16), Support::Cas);
    assert_eq!(of(Updated::Device, Update::Add, Element::F32), Support::Native);
    assert_eq!(of(Updated::Device, Update::Max, Element::F32), Support::Cas);
    assert_eq!(of(Updated::Device, Update::Add, Element::F64), Support::None, "a type without a row");
    assert_eq!(of(Updated::Shared, Update::Add, Element::F32), Support::None, "a memory without a table");
}

#[test]
fn mistakes_name_their_key() {
    let (what, _) = wrong("[atomics.DEV]\ni12 = \"cas\"");
    assert!(what.starts_with("`i12` is not known; there are i8, i16"), "{what}");
    let (what, _) = wrong("[atomics.DEV]\nf32 = { and = \"cas\" }");
    assert_eq!(what, "`and` is not known; there are add, mul, min, max", "floats have no such operator");
    let (what, line) =
        wrong("[atomics.DEV]\nf32 = { add = \"fast\", mul = \"cas\", min = \"cas\", max = \"cas\" }");
    assert_eq!(what, "`fast` is not one of none, cas, native");
    assert!(line.contains("add = \"fast\""), "{line}");
    let (what, _) = wrong("[atomics.DEV]\nf32 = { add = \"cas\", mul = \"cas\", min = \"cas\" }");
    assert_eq!(what, "`max` of `f32` is missing: none, cas, native");
    let (what, _) = wrong("[atomics.MM]\nf32 = \"cas\"");
    assert_eq!(what, "`MM` is not known; there are source, DEV, SM");
    let (what, _) = wrong("DEV = \"cas\"");
    assert!(what.starts_with("`atomics.DEV` is a table of i8"), "{what}");
}

#[test]
fn what_exchanges_bits_has_every_operator_on_them() {
    let (what, line) = wrong(
        "[atomics.SM]\ni32 = \"cas\"\nf32 = { add = \"native\", mul = \"none\", min = \"cas\", max = \"cas\" }",
    );
    assert_eq!(
        what,
        "`mul` of `f32` is none, but `xor` of `i32` is cas: what compares and exchanges 32 bits has every operator"
    );
    assert!(line.contains("mul = \"none\""), "{line}");
    let fine = format!("{GRID}[atomics.SM]\ni32 = \"cas\"\nf64 = \"none\"\n");
    assert!(Device::parse("own", &fine).is_ok(), "other bits");
}

#[test]
fn the_source_is_stated() {
    let text = "kind = \"grid\"\nunits = 4\nregisters = 16\n[atomics.DEV]\ni32 = \"cas\"\n";
    let error = Device::parse("own", text).expect_err("no source").to_string();
    assert!(error.starts_with("`source` of `atomics` is missing"), "{error}");
}

/// Without a device the verifier permits what some device has, no more and no less
#[test]
fn the_verifier_permits_what_some_device_has() {
    let devices: Vec<Device> =
        Device::names().into_iter().map(|name| Device::find(name).expect("built in")).collect();
    for memory in Updated::ALL {
        for element in Element::ALL {
            for update in element.updates() {
                let some = devices.iter().any(|device| {
                    Updated::of(device.kind).contains(memory)
                        && device.atomics.of(*memory, update, *element) != Support::None
                });
                assert_eq!(Updates::ANY.has(*memory, update, *element), some, "{memory} {update} {element}");
            }
        }
    }
    assert!(devices.iter().any(|device| device.kind == DeviceKind::Grid));
}
