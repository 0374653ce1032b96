//! What is wrong with a model is reported, with its code, at the node.

use crate::models::{files, folder, read};

/// Models that are refused, and a part of the message
const TABLE: &[(&str, &str)] = &[
    ("attribute_type", "[E0868]: node `softmax_1`: attribute `axis` is a float, not an integer"),
    ("attribute_unknown", "[E0868]: node `relu_1`: attribute `shiny` of `Relu` is not known"),
    ("attribute_value", "[E0868]: node `pad_1`: `mode = reflect` of `Pad` has no form here"),
    ("axis", "[E0869]: node `softmax_1`: axis 2 is out of range: there are 2 dimensions"),
    ("broadcast", "[E0869]: node `add_1`: shapes [2, 3] and [2] cannot be broadcast to one"),
    ("cut_off", "[E0860]: "),
    ("cycle", "[E0864]: the graph has a cycle: `one` waits for `two` waits for `one`"),
    ("external_missing", "[E0867]: tensor `w`: cannot read `no_such.bin`: "),
    (
        "external_outside",
        "[E0867]: tensor `w`: its data are in `../cases/mlp.onnx`, which is not inside of the model's folder",
    ),
    ("external_short", "and its data are 24 from byte 1000000 on"),
    ("mask", "[E0869]: node `maxpool_1`: output 1 (`i`) of `MaxPool` has no form here"),
    (
        "missing",
        "[E0863]: tensor `xx` of node `relu_1` is missing: no node makes it, and it is no input or initializer",
    ),
    ("missing_output", "[E0863]: tensor `y` of the graph's outputs is missing"),
    ("narrow_field", "[E0866]: tensor `w`: its number 300 is no uint8"),
    ("new_format", "[E0861]: version 99 of the format is not known: up to 14 are accepted"),
    (
        "new_opset",
        "[E0861]: the model has operators of version 99: operators of versions 7 to 28 are accepted",
    ),
    ("no_input", "[E0869]: node `add_1`: `Add` has 2 inputs, found 1"),
    ("no_size", "[E0865]: dimension 0 of input `x` has no size and no name"),
    ("old_opset", "[E0861]: the model has operators of version 6"),
    ("open_size", "[E0865]: size `N` of input `x`, dimension 0, is open"),
    ("other_field", "[E0866]: tensor `w`: its numbers are in a field that float does not use"),
    (
        "output_shape",
        "[E0869]: node `convtranspose_1`: `output_shape` has sizes of 0 or more, found [-9223372036854775808, 2]",
    ),
    ("product_axes", "[E0869]: node `reduceprod_1`: axis 5 is out of range: there are 1 dimensions"),
    ("ranks", "[E0869]: node `gemm_1`: matrices of shapes [2, 3] and [2, 3] have no product"),
    ("raw_and_field", "[E0866]: tensor `w`: it has raw data, and numbers in another field too"),
    ("short_data", "[E0866]: tensor `w`: its data are 3 elements, and its shape [2, 2] of float needs 4"),
    ("strings", "[E0866]: tensor `w`: elements of type string have no form here"),
    ("twice", "[E0863]: tensor `y` is there already: each is made once"),
    ("types", "[E0869]: node `add_1`: inputs are of one type, found float and int64"),
    ("unknown", "[E0862]: 3 operators are not known: `Fancy`, `Softmacs`, `com.example.Gru2`"),
    (
        "unknown_shape",
        "[E0870]: node `reshape_1`: input 1 of `Reshape`, the shape, is not known before the program runs",
    ),
];

fn said_of(name: &str, sets: &[(&str, &str)]) -> (bool, String) {
    let path = folder().join(format!("invalid/{name}.onnx"));
    let bytes = std::fs::read(&path).expect("the file is there");
    let sets: Vec<(String, String)> =
        sets.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    read(&path.display().to_string(), bytes, &sets)
}

#[test]
fn each_mistake_has_its_message() {
    let names: Vec<String> = files("invalid")
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    assert_eq!(names, TABLE.iter().map(|(name, _)| *name).collect::<Vec<&str>>());
    for (name, part) in TABLE {
        let (done, said) = said_of(name, &[]);
        assert!(!done && said.contains(part), "{name}: {said}");
    }
}

#[test]
fn unknown_operators_are_all_named() {
    let (_, said) = said_of("unknown", &[]);
    for part in [
        "`Fancy` in 2 nodes, the first is `f1`",
        "`com.example.Gru2` in node `Gru2_2`",
        "`Softmacs` in node `s`",
        "did you mean `Softmax` in place of `Softmacs`?",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn sizes_have_values_from_outside() {
    let (done, said) = said_of("open_size", &[("N", "2")]);
    assert!(done, "{said}");
    let (done, said) = said_of("open_size", &[("N", "two")]);
    assert!(!done && said.contains("[E0865]: `--set N=two`: a size is a number, 0 or more"), "{said}");
}
