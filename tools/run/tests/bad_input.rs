//! Bad input in every form: the same five mistakes, each with a message that names what clashes. (The fifth, a space of schedules
//! that is empty, is a search's: `tools/tune/tests/search.rs`.)

/// The text in a form, what its file is called, and what is said
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

#[test]
fn a_schedule_for_the_wrong_target() {
    let steps = "1: (de/re)-comp( 2,^,^ )( ^,^ ; ^ )( BLK.x,FOR.1,FOR.2 ) 2: (de/re)-comp( 1,1,1 )( ^,^ ; ^ )( FOR.1,FOR.2,FOR.3 )";
    let beside = " attributes {mdh.schedule = [\"1: (2,^,^) (^,^ ; ^) (BLK.x,FOR.1,FOR.2)\", \"2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\"]}";
    refused_by(
        "to-openmp",
        [
            (
                "f.c",
                c(&format!("C[i][j] : ++ , ++ , + ) schedule( {steps} )"), PRODUCT),
                "S-LAYER: BLK in step 1: openmp has CPU, THR, FOR",
            ),
            ("f.mlir", ir("pw add", INS, beside), "S-LAYER: BLK in step 1: openmp has CPU, THR, FOR"),
        ],
    );
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
