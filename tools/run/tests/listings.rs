//! Listing 1 of the paper becomes its Listing 2: what C with a directive says is, dimension by dimension and access by access, the
//! expression that MDH text says, for the paper's product and for others that are written in both with arrays of the same dimensions.

use std::path::{Path, PathBuf};
use terrace_diag::Diags;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::{Context, Ir};
use terrace_text::ParseOptions;

/// An expression in the words of MDH text: `out_view(…) o md_hom(sizes, (operators)) o inp_view(…)`, buffers by their types
fn expression(ir: &Ir, op: Compute) -> String {
    let cx = ir.cx();
    let view = View::read(ir, op).expect("a computation");
    let operators: Vec<String> = view
        .dims
        .iter()
        .map(|dim| match &dim.kind {
            terrace_dialect_mdh::view::CombineKind::Cc => "++".to_string(),
            kind => kind.operators().iter().map(|op| op.text(cx)).collect::<Vec<_>>().join(","),
        })
        .collect();
    let sizes: Vec<String> = view.dims.iter().map(|dim| dim.size.to_string()).collect();
    let outs: Vec<String> =
        view.outputs.iter().flat_map(|out| out.maps.iter().map(ToString::to_string)).collect();
    let ins: Vec<String> =
        view.inputs.iter().filter_map(|input| input.map.as_ref().map(ToString::to_string)).collect();
    let body = ir.entry(op.body(ir)).expect("a body");
    // Where a constant stands says nothing.
    let body = ir.block_ops(body).map(|op| ir.op_name(op)).filter(|name| *name != "arith.constant");
    let body: Vec<&str> = body.collect();
    format!(
        "out_view( {} ) o md_hom<{}>( {}, ({}) ) o inp_view( {} )",
        outs.join(", "),
        sizes.join(","),
        body.join(" "),
        operators.join(","),
        ins.join(", ")
    )
}

/// The expressions of a file's computations
pub(crate) fn expressions(path: &Path, sets: &[(String, String)]) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("the file is there");
    let cx = Context::new(&terrace_opt::all_dialects());
    let source = cx.sources().add(path.to_string_lossy(), text);
    let mut diags = Diags::default();
    let module = terrace_opt::language::read(&cx, source, None, sets, &ParseOptions::default(), &mut diags);
    let module =
        module.unwrap_or_else(|| panic!("{}", terrace_diag::render_all(diags.iter(), cx.sources(), false)));
    let units = module.walk().filter_map(|op| module.child(op));
    units
        .flat_map(|unit| unit.walk().filter_map(|op| Some(expression(unit, Compute::cast(unit, op)?))))
        .collect()
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files").join(name)
}

#[test]
fn listing_1_becomes_listing_2() {
    let found = expressions(&folder("frontends/c/matmul.c"), &[]);
    let wanted = "out_view( (d0, d1, d2) -> (d0, d1) ) o md_hom<16,1000,2048>( arith.mulf mdh.yield, (++,++,add) ) o \
                  inp_view( (d0, d1, d2) -> (d0, d2), (d0, d1, d2) -> (d2, d1) )";
    assert_eq!(found, [wanted]);
    assert_eq!(expressions(&folder("programs/mdh/matmul.mdh"), &[]), [wanted]);
}

#[test]
fn c_and_mdh_text_are_one_expression() {
    for name in ["conv2d", "dot", "jacobi1d", "jacobi2d"] {
        let (c, text) = (format!("programs/mdh/{name}.c"), format!("programs/mdh/{name}.mdh"));
        let (c, text) = (expressions(&folder(&c), &[]), expressions(&folder(&text), &[]));
        assert!(!c.is_empty(), "{name}");
        assert_eq!(c, text, "{name}");
    }
}
