//! What a back end makes of arrays, against what another system has computed.

use std::path::Path;
use std::process::Command;
use terrace_runtime_buffers::{Buffer, Value};

/// Arrays by their names
pub type Named = Vec<(String, Buffer)>;

/// Why what a back end gives for a file is not what was computed; floats may differ by this share of the largest
pub fn differs(
    file: &Path,
    args: &[&str],
    (inputs, outputs): (&Named, &Named),
    on: &str,
    share: f64,
) -> Option<String> {
    let name = file.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
    command.arg(file).arg(format!("--on={on}")).args(args);
    let mut places = Vec::new();
    for (n, (input, array)) in inputs.iter().enumerate() {
        let place = super::place(&format!("{name}.{on}.in{n}.npy"));
        array.write_npy(&place).expect("the folder for temporary files of tests can be written");
        command.arg(format!("--in={input}={}", place.display()));
        places.push(place);
    }
    for (n, (output, _)) in outputs.iter().enumerate() {
        let place = super::place(&format!("{name}.{on}.out{n}.npy"));
        command.arg(format!("--out={output}={}", place.display()));
        places.push(place);
    }
    let said = command.output().expect("cargo built the tool");
    let mut wrong = String::new();
    if said.status.success() {
        for ((output, wanted), place) in outputs.iter().zip(&places[inputs.len()..]) {
            match Buffer::read_npy_as(place, wanted.elem(), wanted.shape()) {
                Ok(found) => {
                    let why = unlike(&found, wanted, share);
                    wrong += &why.map_or(String::new(), |why| format!("result {output}: {why}\n"));
                }
                Err(error) => wrong += &format!("result {output}: {error}\n"),
            }
        }
    } else {
        wrong += &String::from_utf8_lossy(&said.stderr);
    }
    for place in places {
        let _ = std::fs::remove_file(place);
    }
    (!wrong.is_empty()).then(|| format!("{name} on {on}: {wrong}"))
}

/// The first element that is another one
fn unlike(found: &Buffer, wanted: &Buffer, share: f64) -> Option<String> {
    let number = |value| match value {
        Some(Value::Float(value)) => value,
        Some(Value::Int(value)) => value as f64,
        None => f64::NAN,
    };
    let finite = (0..wanted.len()).map(|n| number(wanted.get(n)).abs()).filter(|value| value.is_finite());
    let bound = match wanted.get(0) {
        Some(Value::Float(_)) => share * finite.fold(0.0, f64::max),
        _ => 0.0,
    };
    (0..wanted.len()).find_map(|n| {
        let (found, wanted) = (number(found.get(n)), number(wanted.get(n)));
        let same = found == wanted || found.is_nan() && wanted.is_nan() || (found - wanted).abs() <= bound;
        (!same).then(|| format!("element {n} is {found}, and not {wanted}"))
    })
}
