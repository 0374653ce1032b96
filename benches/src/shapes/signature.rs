//! Arguments and results of a program, from what the front end makes of its text.

use std::path::Path;

use terrace_diag::{Diags, render_all};
use terrace_ir::{Context, Ir};

use crate::Done;

/// An argument or a result
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// As the text names it
    pub name: String,
    /// Element type, as MLIR spells it
    pub elem: String,
    /// Extents
    pub shape: Vec<u64>,
}

/// What a program takes and gives
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Arguments
    pub inputs: Vec<Tensor>,
    /// Results
    pub outputs: Vec<Tensor>,
}

/// Reads a program with its sizes, and gives its module too; the front end's messages if it refuses
pub fn read(file: &Path, text: &str, sizes: &[(String, String)]) -> Done<(Signature, Ir)> {
    let cx = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat());
    let mut diags = Diags::default();
    let source = cx.sources().add(file.display().to_string(), text);
    let Some(module) = terrace_frontend_mdh::tensor::read(&cx, source, sizes, &mut diags) else {
        return Err(render_all(diags.iter(), cx.sources(), false).into());
    };
    let mut printed = String::new();
    terrace_text::print(&module, &Default::default(), &mut printed);
    let signature = of(&printed).ok_or_else(|| format!("{}: no function", file.display()))?;
    Ok((signature, module))
}

/// Of the first function of a printed module
fn of(printed: &str) -> Option<Signature> {
    let line = printed.lines().find(|line| line.contains("func.func @"))?;
    let (arguments, results) = line.split_once('(')?.1.split_once(") -> ")?;
    let input = |text: &str| {
        let (name, kind) = text.split_once(": tensor<")?;
        tensor(name, kind)
    };
    let output = |text: &str| {
        let (kind, attributes) = text.split_once('>')?;
        let (_, name) = attributes.split_once("terrace.name = \"")?;
        tensor(name.split_once('"')?.0, kind)
    };
    Some(Signature {
        inputs: arguments.split('%').skip(1).map(input).collect::<Option<_>>()?,
        outputs: results.split("tensor<").skip(1).map(output).collect::<Option<_>>()?,
    })
}

/// A tensor by its name and what stands in `tensor<…>`
fn tensor(name: &str, kind: &str) -> Option<Tensor> {
    let kind = kind.split('>').next()?;
    let (extents, elem) = match kind.strip_suffix("index") {
        Some(extents) => (extents.trim_end_matches('x'), "index"),
        None => kind.rsplit_once('x').unwrap_or(("", kind)),
    };
    let extents = extents.split('x').filter(|extent| !extent.is_empty());
    let shape = extents.map(|extent| extent.parse().ok()).collect::<Option<_>>()?;
    Some(Tensor { name: name.to_owned(), elem: elem.to_owned(), shape })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_read() {
        let text =
            "let N = 4; A : bf16 [N, 3]; a : index; b : f32; y[i], p[i] = argmax{j} f32(A[i, j]) + a * b;";
        let sizes = [("N".to_owned(), "5".to_owned())];
        let (signature, _) = read(Path::new("a.tensor"), text, &sizes).expect("it is right");
        let tensor = |name: &str, elem: &str, shape: &[u64]| Tensor {
            name: name.into(),
            elem: elem.into(),
            shape: shape.to_vec(),
        };
        assert_eq!(
            signature.inputs,
            [tensor("A", "bf16", &[5, 3]), tensor("a", "index", &[]), tensor("b", "f32", &[])]
        );
        assert_eq!(signature.outputs, [tensor("y", "f32", &[5]), tensor("p", "i32", &[5])]);
    }

    #[test]
    fn a_refusal_has_the_front_ends_message() {
        let refused = read(Path::new("a.tensor"), "A : f32 [4]; y[i] = B[i];", &[]);
        let refused = refused.err().expect("B is nothing");
        assert!(refused.to_string().contains("a.tensor:1:21"), "{refused}");
    }
}
