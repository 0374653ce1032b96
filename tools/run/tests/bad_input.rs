//! Bad input in every form: the same five mistakes, each with a message that names what clashes. (The fifth, a space of schedules
//! that is empty, is a search's: `tools/tune/tests/search.rs`.)

use terrace_frontend_mdh::builder::{Compute, arg};
use terrace_frontend_mdh::model::Elem;

/// The text in a form, its file name, and the message
struct Case {
    form: &'static str,
    text: String,
    pipeline: &'static str,
    said: &'static str,
}

fn run(case: &Case) -> String {
    let tool = terrace_opt::Tool {
        name: "opt",
        dialects: terrace_opt::all_dialects,
        registry: terrace_opt::REGISTRY,
        ..terrace_opt::Tool::OPT
    };
    let args: Vec<String> = Some(case.pipeline)
        .filter(|pipeline| !pipeline.is_empty())
        .map(|pipeline| format!("--pipeline={pipeline}"))
        .into_iter()
        .collect();
    let done = terrace_opt::run_on(tool, &args, case.form, &case.text).expect("the arguments are right");
    assert!(done.failed, "{} was accepted:\n{}", case.form, case.text);
    done.messages
}

#[track_caller]
fn refused(cases: impl IntoIterator<Item = (&'static str, String, &'static str)>) {
    refused_by("", cases);
}

#[track_caller]
fn refused_by(pipeline: &'static str, cases: impl IntoIterator<Item = (&'static str, String, &'static str)>) {
    for (form, text, said) in cases {
        let case = Case { form, text, pipeline, said };
        let messages = run(&case);
        assert!(messages.contains(case.said), "{form}: expected {:?}\n{messages}", case.said);
        // With its place in the author's file.
        assert!(messages.contains(&format!("--> {form}:")), "{form}: no place\n{messages}");
    }
}

fn c(combs: &str, body: &str) -> String {
    format!(
        "void f(float C[restrict 4][5], const float A[4][6], const float B[6][5]) {{
#pragma mdh( {combs}
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 6; ++k)
        {body}
}}
"
    )
}

fn mdh(hom: &str, views: &str) -> String {
    format!(
        "F := out_view<f32>( C: (i,j,k)->(i,j) ) o md_hom<4,5,6>( *, ({hom}) ) o inp_view<f32,f32>( {views} )"
    )
}

const VIEWS: &str = "A: (i,j,k)->(i,k), B: (i,j,k)->(k,j)";

fn ir(combs: &str, ins: &str, rest: &str) -> String {
    format!(
        "func.func @f(%A: tensor<4x6xf32>, %B: tensor<6x5xf32>) -> tensor<4x5xf32> {{
  %C = mdh.compute (i in 4, j in 5, k in 6 {combs}) ins({ins}) outs([i, j]){rest} {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
  return %C : tensor<4x5xf32>
}}
"
    )
}

const INS: &str = "%a = %A[i, k], %b = %B[k, j]";

fn linalg(a: &str, ins: &str) -> String {
    format!(
        "func.func @f(%A: tensor<{a}xf32>, %B: tensor<6x5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {{
  %r = linalg.contract indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins({ins} : tensor<{a}xf32>, tensor<6x5xf32>) outs(%o : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}}
"
    )
}

const PRODUCT: &str = "C[i][j] += A[i][k] * B[k][j];";

#[test]
fn wrong_arity() {
    refused([
        ("f.c", c("C[i][j] : ++ , + )", PRODUCT), "C-ARITY: 3 loops, 2 operators"),
        ("f.mdh", mdh("++, +", VIEWS), "D-ARITY: 3 sizes, 2 operators"),
        ("f.mlir", ir("pw (add, max)", INS, ""), "M-KIND: `k` is pw (add, max): 2 operators for 1 outputs"),
        (
            "f.tensor",
            "A : f32 [4, 6]; C = einsum(\"ijk->ik\", A);".into(),
            "E-RANK: A has 2 dimensions, not 3",
        ),
        (
            "g.mlir",
            linalg("4", "%A, %B"),
            "expected operand rank (1) to match the result rank of indexing_map #0 (2)",
        ),
    ]);
}

#[test]
fn unknown_buffer() {
    refused([
        ("f.c", c("C[i][j] : ++ , ++ , + )", "C[i][j] += A[i][k] * D[k][j];"), "C-NAME: D is not declared"),
        // In MDH text views declare buffers: what can be unknown is a dimension.
        ("f.mdh", mdh("++, ++, +", "A: (i,j,k)->(i,k), B: (i,j,k)->(n,j)"), "n"),
        ("f.mlir", ir("pw add", "%a = %A[i, k], %b = %D[k, j]", ""), "%D"),
        (
            "f.tensor",
            "A : f32 [4, 6];\nC[i, j] += A[i, k] * D[k, j];".into(),
            "E-NAME: tensor D is not declared",
        ),
        ("g.mlir", linalg("4x6", "%A, %D"), "%D"),
    ]);
}

#[test]
fn sizes_that_clash() {
    refused([
        (
            "f.c",
            c("C[i][j] : ++ , ++ , + )", "C[i][j] += A[i][k + 1] * B[k][j];"),
            "C-INDEX: A dim 2 is read up to 6, declared 6",
        ),
        (
            "f.mdh",
            mdh("++, ++, +", "A [4,5]: (i,j,k)->(i,k), B: (i,j,k)->(k,j)"),
            "M-SHAPE: A dim 2 is read up to 5",
        ),
        ("f.mlir", ir("pw add", "%a = %A[i, k + 1], %b = %B[k, j]", ""), "M-SHAPE: A dim 2 is read up to 6"),
        (
            "f.tensor",
            "A : f32 [4, 6]; B : f32 [7, 5];\nC[i, j] += A[i, k] * B[k, j];".into(),
            "E-EXTENT: extents of k differ",
        ),
        ("g.mlir", linalg("4x7", "%A, %B"), "has shape's dimension #0 to be 7, but found 6"),
    ]);
}

const STEPS: &str = "1: (de/re)-comp( 2,^,^ )( ^,^ ; ^ )( BLK.x,FOR.1,FOR.2 ) 2: (de/re)-comp( 1,1,1 )( ^,^ ; ^ )( FOR.1,FOR.2,FOR.3 )";

/// The product as the builder says it, with a schedule
fn built(steps: &str) -> Result<String, String> {
    let f32 = Elem::Float(32);
    let product = Compute::new("f").cc("i", 4).cc("j", 5).pw("k", 6, "add").input("A", f32, ["i", "k"]);
    let product = product.input("B", f32, ["k", "j"]).output("C", f32, ["i", "j"]).yields(arg(0) * arg(1));
    let cx = terrace_ir::Context::new(&terrace_opt::all_dialects());
    let module = product.schedule(steps).module(&cx).map_err(|error| error.to_string())?;
    let mut text = String::new();
    terrace_text::print(&module, &Default::default(), &mut text);
    Ok(text)
}

/// MDH text of a Python function with a schedule; nothing where there is no `python3` of 3.10 or later
fn python(steps: &str) -> Option<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = format!(
        "from terrace_mdh import *\n\n\n@mdh(out(C=Buffer[f32]), inp(A=Buffer[f32], B=Buffer[f32]), combine_ops(cc, cc, pw(add)),\n\
         \x20    schedule('{steps}'))\ndef product(C, A, B):\n    for i in range(4):\n        for j in range(5):\n            for k in range(6):\n\
         \x20               C[i, j] = A[i, k] * B[k, j]\n"
    );
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong_target.py");
    std::fs::write(&file, program).expect("the test's folder can be written");
    let recent = ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"];
    if !std::process::Command::new("python3").args(recent).status().is_ok_and(|status| status.success()) {
        println!("skipped: the form in Python (needs python3 of 3.10 or later)");
        return None;
    }
    let mut command = std::process::Command::new("python3");
    command.args(["-B", "-m", "terrace_mdh"]).arg(&file).env("PYTHONPATH", root.join("frontends/mdh/python"));
    let said = command.output().expect("it ran a moment ago");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    Some(String::from_utf8(said.stdout).expect("UTF-8"))
}

#[test]
fn a_schedule_for_the_wrong_target() {
    let beside = " attributes {mdh.schedule = [\"1: (2,^,^) (^,^ ; ^) (BLK.x,FOR.1,FOR.2)\", \"2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\"]}";
    let said = "error[E0671]: 'mdh.compute' op S-LAYER: BLK in step 1: openmp has CPU, THR, FOR, UNR, VEC (no blocks); use THR";
    let text = format!("{}\n  schedule( {STEPS} )\n", mdh("++, ++, +", VIEWS));
    refused_by(
        "to-openmp",
        [
            ("f.c", c(&format!("C[i][j] : ++ , ++ , + ) schedule( {STEPS} )"), PRODUCT), said),
            ("f.mdh", text, said),
            ("f.mlir", ir("pw add", INS, beside), said),
            (
                "f.tensor",
                format!("A : f32 [4, 6]; B : f32 [6, 5];\nC[i, j] += A[i, k] * B[k, j] schedule( {STEPS} );"),
                said,
            ),
            (
                "h.mlir",
                linalg("4x6", "%A, %B")
                    .replace(" ins(", &format!("{} ins(", beside.replace(" attributes", ""))),
                said,
            ),
            ("g.mlir", built(STEPS).expect("a device is not asked for yet"), said),
        ],
    );
    refused_by("to-openmp", python(STEPS).map(|text| ("p.mdh", text, said)));
    // A script that binds to blocks.
    let script = "func.func(mdh-script{script=\"s[C].bind(i, te.thread_axis('blockIdx.x'))\"}),to-openmp";
    refused_by(script, [("f.mlir", ir("pw add", INS, ""), said)]);
    // A region that the target lacks, a buffer that the computation lacks, a schedule of other dimensions.
    let schedule = |step: &str| format!(" attributes {{mdh.schedule = [\"{step}\"]}}");
    refused_by(
        "to-openmp",
        [
            (
                "f.mlir",
                ir("pw add", INS, &schedule("1: (1,1,1) (A:SM,^ ; ^) (FOR.1,FOR.2,FOR.3)")),
                "S-REGION: SM in step 1",
            ),
            ("f.mlir", ir("pw add", INS, &schedule("1: (1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)")), "2 sizes"),
            ("f.mlir", ir("pw add", INS, &schedule("1: (3,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)")), "S-DIV"),
        ],
    );
}

/// A mismatch with the computation is reported at the schedule, before any device is queried
#[test]
fn a_schedule_of_another_computation() {
    for (steps, said, code) in [
        ("1: (1,1) (^,^ ; ^) (FOR.1,FOR.2)", "step 1: S-ARITY: 2 sizes, 2 ; 1 buffers, 2 cores", "1"),
        ("1: (1,1,1) (^ ; ^) (FOR.1,FOR.2,FOR.3)", "step 1: S-ARITY: 3 sizes, 1 ; 1 buffers, 3 cores", "1"),
        (
            "1: (1,1,1) (D:L2,^ ; ^) (FOR.1,FOR.2,FOR.3)",
            "step 1: S-BUF: there is no buffer `D`; entries are A,B ; C",
            "D",
        ),
        ("1: (1,1,1x) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)", "`x` is too much in size `1x`", "1x"),
        ("1: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR", "expected", ""),
    ] {
        let text = format!("{}\n  schedule( {steps} )\n", mdh("++, ++, +", VIEWS));
        let case = Case { form: "f.mdh", text, pipeline: "", said };
        let messages = run(&case);
        if steps.ends_with(')') {
            assert!(
                messages.contains(said) && messages.contains("error[E0827]: D-SCHEDULE: "),
                "{steps}\n{messages}"
            );
            let line = messages.lines().find(|line| line.contains('^') && !line.contains("1:")).unwrap_or("");
            assert_eq!(line.matches('^').count(), code.len(), "{messages}");
            let text = format!(
                "A : f32 [4, 6]; B : f32 [6, 5];\nC[i, j] += A[i, k] * B[k, j] schedule( {steps} );\n"
            );
            let tensor = run(&Case { form: "f.tensor", text, pipeline: "", said });
            assert!(tensor.contains(said) && tensor.contains("error[E0827]: D-SCHEDULE: "), "{tensor}");
            let why = built(steps).expect_err("refused");
            assert!(why.starts_with("D-SCHEDULE: ") && why.contains(said), "{why}");
        }
    }
    // Fields that are open stay open.
    assert!(built("1: (?,1,1) (A:{L1,L2},^ ; ^) (FOR.1,FOR.2,FOR.3)").is_ok());
}

/// A `--set` constant without a use is reported
#[test]
fn a_constant_that_the_text_does_not_know() {
    let tool = terrace_opt::Tool {
        name: "opt",
        dialects: terrace_opt::all_dialects,
        registry: terrace_opt::REGISTRY,
        ..terrace_opt::Tool::OPT
    };
    let text = "#ifndef ROWS\n#define ROWS 4\n#endif\nvoid f(float y[restrict ROWS], const float x[ROWS]) {\n  for (int i = 0; i < ROWS; ++i) y[i] = x[i];\n}\n";
    let run =
        |set: &str| terrace_opt::run_on(tool, &[set.to_string()], "f.c", text).expect("accepted").messages;
    assert!(run("--set=ROW=8").contains("`--set ROW=…` says nothing here: `f.c` has no such name"));
    assert!(run("--set=ROW=8").contains("did you mean `ROWS`?"));
    assert_eq!(run("--set=ROWS=8"), "");
}
