//! Scripts of tvm.te: the paper's Listing 3 is its Listing 5, schedules come back from scripts, mistakes have a place.

use crate::tool::{LISTING5, MATMUL, root, text, view};
use std::fmt::Write;
use std::path::Path;
use terrace_diag::Diags;
use terrace_dialect_mdh::schedule::OpenSchedule;
use terrace_frontend_tvm::NoScript;
use terrace_ir::Context;
use terrace_opt::Tool;
use terrace_view::document::Document;
use terrace_view::program::Program;
use terrace_view::{ViewError, script};

const TOOL: Tool = Tool {
    name: "test",
    dialects: terrace_opt::all_dialects,
    registry: terrace_opt::REGISTRY,
    ..terrace_opt::Tool::OPT
};

const LISTING3: &str = "test-files/frontends/tvm/listing3.py";

/// A program in a file of this test's own
fn load(name: &str, content: &str) -> Program {
    let name = format!("{:?}-{name}", std::thread::current().id());
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&place, content).expect("the test's folder can be written");
    let cx = Context::new(&terrace_opt::all_dialects());
    let mut diags = Diags::default();
    let program = Program::load(&cx, place.to_str().expect("UTF-8"), None, &[], &mut diags);
    program.ok().flatten().expect("a program")
}

/// The loops of a schedule without step numbers, values numbered as they come; the error is a message
fn nest(program: &Program, draft: &OpenSchedule) -> Result<String, String> {
    let mut program = program.with(draft).map_err(|error| error.message)?;
    let mut diags = Diags::default();
    if program.lower(TOOL, "func.func(mdh-to-sched)", &mut diags).is_none() {
        return Err(diags.iter().map(|diag| diag.message.clone()).collect());
    }
    // Without the steps, loops that are perfectly nested are printed as one.
    let stripped = load("stripped.mlir", &plain(&program.print()));
    Ok(plain(&stripped.print()))
}

fn plain(nest: &str) -> String {
    let mut out = String::new();
    let mut known: Vec<String> = Vec::new();
    let mut rest = nest;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("step ") {
            // `step 4 at 3 `
            let words: Vec<&str> = after.splitn(4, ' ').collect();
            if words.len() == 4 && words[1] == "at" {
                rest = words[3];
                continue;
            }
        }
        if c == '%' {
            let end =
                rest[1..].find(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(rest.len(), |n| n + 1);
            let name = rest[..end].to_owned();
            let number = known.iter().position(|other| *other == name).unwrap_or_else(|| {
                known.push(name);
                known.len() - 1
            });
            let _ = write!(out, "%{number}");
            rest = &rest[end..];
            continue;
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[test]
fn listing_3_is_listing_5() {
    let output = view(&[LISTING5, MATMUL, "--apply", LISTING3, "--to=text"]);
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    let steps = text(output);
    assert_eq!(
        steps,
        "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,^)\n6: (4,^,^) (^,^ ; ^) (FOR.1,^,^)\n2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)\n\
         3: (^,^,256) (SM,SM ; ^) (^,^,FOR.1)\n4: (^,^,2) (^,^ ; ^) (^,^,FOR.1)\n5: (^,^,1) (^,^ ; ^) (^,^,FOR.1)\n"
    );
    assert!(notes.contains("remark: `A_shared_ax0_ax1_fused_i` of the copy `A_shared`"), "{notes}");
    // The same nest to the letter: steps, labels, tiles, copies, sums.
    let cx = Context::new(&terrace_opt::all_dialects());
    let mut diags = Diags::default();
    let file = root().join(LISTING5);
    let file = file.to_str().expect("UTF-8");
    let program =
        Program::load(&cx, file, Some("matmul"), &[], &mut diags).ok().flatten().expect("a program");
    let lowered = |draft: &OpenSchedule| {
        let mut program = program.with(draft).expect("a computation");
        assert!(program.lower(TOOL, "func.func(mdh-to-sched)", &mut Diags::default()).is_some());
        program.print()
    };
    let document = program.document().expect("a document");
    let own = lowered(&document.draft);
    assert!(own.contains("sched.kernel @matmul grid [50, 2, 1] block [20, 4, 1]"));
    assert_eq!(own, lowered(&OpenSchedule::read(&steps).expect("steps")));
    // And back: the script that the steps give says the same.
    let script = script::write(&document).expect("a script");
    assert!(script.contains("te.thread_axis(\"vthread\")"), "{script}");
    let (draft, notes) = script::read(&script, &document).expect("it reads");
    assert!(notes.is_empty());
    assert_eq!(draft.to_string(), steps);
}

fn product(name: &str, sizes: [i64; 3]) -> Program {
    let [i, j, k] = sizes;
    load(
        name,
        &format!(
            "func.func @f(%A: tensor<{i}x{k}xf32>, %B: tensor<{k}x{j}xf32>) -> tensor<{i}x{j}xf32> {{
  %c = mdh.compute (i in {i}, j in {j}, k in {k} pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<{i}x{k}xf32>, tensor<{k}x{j}xf32>) -> tensor<{i}x{j}xf32>
  return %c : tensor<{i}x{j}xf32>
}}"
        ),
    )
}

/// Deterministic numbers
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// Steps with sizes that mostly divide, any labels, any cores, any buffers; many are not legal
fn draw(dice: &mut Dice, mut sizes: [i64; 3], grid: bool) -> String {
    let count = 2 + dice.below(4);
    let mut labels: Vec<usize> = (1..=count).collect();
    for _ in 0..dice.below(3) {
        let (a, b) = (dice.below(count), dice.below(count));
        labels.swap(a, b);
    }
    let regions: &[&str] = if grid { &["^", "^", "SM", "RM"] } else { &["^", "^", "L1", "L2", "REG"] };
    let mut text = String::new();
    let whole = sizes[2];
    for (n, label) in labels.into_iter().enumerate() {
        let (mut tiles, mut cores) = (Vec::new(), Vec::new());
        let step = match (grid, n) {
            (true, 0) => "BLK",
            (true, 1) => "THR",
            (false, 0) => "THR",
            _ => "FOR",
        };
        for (dim, size) in sizes.iter_mut().enumerate() {
            let divisors: Vec<i64> = (1..=*size).filter(|d| *size % d == 0).collect();
            let mut tile = divisors[dice.below(divisors.len())];
            if step != "FOR" && dim == 2 {
                tile = *size;
            }
            if n + 1 == count {
                tile = 1;
            }
            let tail = if dice.below(8) == 0 && tile > 1 && tile + 1 < *size {
                tile += 1;
                dice.pick(&["~limit", "~peel"])
            } else {
                ""
            };
            let same = tile == *size;
            *size = tile;
            tiles.push(if same { "^".to_owned() } else { format!("{tile}{tail}") });
            cores.push(match step {
                "FOR" => format!("{}.{}", dice.pick(&["FOR", "FOR", "FOR", "UNR"]), (dim + n) % 3 + 1),
                layer => format!("{layer}.{}", ["y", "x", "z"][dim]),
            });
        }
        let (a, b, mut c) = (dice.pick(regions), dice.pick(regions), dice.pick(regions));
        if sizes[2] != whole && dice.below(6) > 0 {
            // A reduction around a buffer of results is refused (T-REDUCE); mostly not to be drawn.
            c = "^";
        }
        let b = if b != "^" && dice.below(3) == 0 { format!("{b}[2,1]") } else { b.to_owned() };
        let _ = writeln!(text, "{label}: ({}) ({a},{b} ; {c}) ({})", tiles.join(","), cores.join(","));
    }
    text
}

/// Buffers of a step without loops: at the place of those of the step before, where their order is another
fn merges(draft: &OpenSchedule, mut sizes: [i64; 3]) -> bool {
    draft.steps.iter().any(|step| {
        let mut loops = 0;
        for (size, token) in sizes.iter_mut().zip(&step.sizes) {
            let tile = token.tile().flatten().unwrap_or(*size);
            loops += usize::from(tile != *size);
            *size = tile;
        }
        loops == 0
    })
}

#[test]
fn schedules_come_back_from_scripts() {
    let (mut same, mut refused) = (0, 0);
    for (grid, sizes) in
        [(true, [16, 20, 12]), (false, [24, 16, 18]), (true, [6, 10, 8]), (false, [7, 30, 4])]
    {
        let program = product(&format!("come-back-{grid}-{}.mlir", sizes[0]), sizes);
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ sizes[1] as u64);
        for _ in 0..170 {
            let steps = draw(&mut dice, sizes, grid);
            let draft = OpenSchedule::read(&steps).expect("steps");
            if merges(&draft, sizes) {
                continue;
            }
            let Ok(wanted) = nest(&program, &draft) else { continue };
            let document = Document { draft, ..program.document().expect("a document") };
            let script = match script::write(&document) {
                Ok(script) => script,
                Err(why) => {
                    assert!(matches!(why, ViewError::Script(NoScript::Refused(_))), "{why}\n{steps}");
                    refused += 1;
                    continue;
                }
            };
            let (found, notes) = match script::read(&script, &document) {
                Ok(found) => found,
                Err(error) => panic!("{error}\n{steps}{script}"),
            };
            assert!(notes.is_empty());
            let back = nest(&program, &found).unwrap_or_else(|why| panic!("{why}\n{steps}{script}{found}"));
            assert_eq!(back, wanted, "{steps}{script}{found}");
            // Steps that a script says come back to the letter.
            let document = Document { draft: found.clone(), ..document };
            let again = script::write(&document).expect("what was read can be written");
            assert_eq!(script::read(&again, &document).expect("a script").0.to_string(), found.to_string());
            same += 1;
        }
    }
    assert!(same > 100 && refused < same, "{same} came back, {refused} were refused");
}

#[test]
fn chosen_schedules_come_back_from_scripts() {
    for (name, sizes) in [("even.mlir", [128, 128, 64]), ("odd.mlir", [100, 30, 70])] {
        let program = product(name, sizes);
        for target in ["x86-64-v4", "x86-64-v3", "openmp", "cuda", "opencl"] {
            let mut chosen = program.without_schedule().expect("a program");
            let choose = format!("func.func(mdh-schedule{{target={target}}})");
            assert!(chosen.lower(TOOL, &choose, &mut Diags::default()).is_some());
            let document = chosen.document().expect("a document");
            let script = script::write(&document);
            let script = script.unwrap_or_else(|why| panic!("{target}: {why}\n{}", document.draft));
            let (found, _) = script::read(&script, &document).expect("a script");
            assert_eq!(nest(&program, &found), nest(&program, &document.draft), "{target}\n{script}");
        }
    }
}

/// Message, and the text that the caret stands under
fn refused(name: &str, script: &str) -> (String, String) {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("wrong-{name}.py"));
    std::fs::write(&place, script).expect("the test's folder can be written");
    let output = view(&[LISTING5, MATMUL, "--apply", place.to_str().expect("UTF-8"), "--to=text"]);
    assert_eq!(output.status.code(), Some(1), "{name}: {}", String::from_utf8_lossy(&output.stdout));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let message =
        errors.lines().next().unwrap_or("").split_once(": ").map_or("", |(_, text)| text).to_owned();
    let lines: Vec<&str> = errors.lines().filter(|line| line.contains('|')).collect();
    let marked = lines.windows(2).find(|pair| pair[1].contains('^')).map(|pair| {
        let start = pair[1].find('^').unwrap_or(0);
        let count = pair[1].matches('^').count();
        pair[0].chars().skip(start).take(count).collect::<String>()
    });
    (message, marked.unwrap_or_default())
}

#[test]
fn mistakes_have_a_place() {
    for (name, script, message, marked) in [
        ("syntax", "i1, i2 = s[C].split(i, factor=", "T-SYNTAX: ", ""),
        (
            "loop",
            "s[C].unroll(i)\nfor x in C:\n  s[C].unroll(x)\n",
            "T-SYNTAX: `for` in a script",
            "for x in C:",
        ),
        ("name", "s[C].split(ii, factor=2)\n", "T-NAME: nothing is called `ii`; `i` is", "ii"),
        ("axis", "a, b = s[C].split(i, factor=2)\ns[C].unroll(i)\n", "T-AXIS: `i` is gone", "i"),
        ("twice", "s[C].reorder(i, j, i)", "T-AXIS: `i` twice", "i"),
        (
            "other",
            "CL = s.cache_write(C, \"local\")\ns[CL].split(C.op.axis[0], factor=2)",
            "T-AXIS: `i` is an axis of `C`, not of `CL`",
            "C.op.axis[0]",
        ),
        (
            "reduced",
            "CL = s.cache_write(C, \"local\")\ns[C].split(k, factor=2)",
            "T-AXIS: `C` has no axis `k`",
            "k",
        ),
        (
            "order",
            "s[C].split(i, factor=2)\nCL = s.cache_write(C, \"local\")\n",
            "T-ORDER: `cache_write` of `C` comes before its loops are split",
            "s.cache_write(C, \"local\")",
        ),
        (
            "fuse",
            "f = s[C].fuse(i, j)\na, b = s[C].split(f, factor=3)\n",
            "T-FUSE: `f` is several dimensions in one",
            "a",
        ),
        ("apart", "f = s[C].fuse(i, k)\n", "T-FUSE: `k` does not stand right inside of `i`", "k"),
        (
            "bound",
            "s[C].bind(i, te.thread_axis(\"blockIdx.x\"))\ns[C].bind(j, te.thread_axis(\"blockIdx.x\"))\n",
            "T-BIND: `blockIdx.x` is taken by `i`",
            "",
        ),
        (
            "warp",
            "s[C].bind(i, te.thread_axis(\"warpIdx.x\"))",
            "T-BIND: there is no thread axis `warpIdx.x`",
            "",
        ),
        ("word", "s[C].tensorize(i, gemm)", "T-NAME: nothing is called `gemm`", "gemm"),
        (
            "tensorize",
            "s[C].tensorize(i, \"gemv_16\")",
            "T-WORD: there is no intrinsic `gemv_16`; there are fma_6x16",
            "\"gemv_16\"",
        ),
        (
            "matrix",
            "s[C].tensorize(i, \"wmma_16x16x16\")",
            "T-WORD: `wmma_16x16x16` is of matrix units",
            "\"wmma_16x16x16\"",
        ),
        (
            "other_loops",
            "s[C].tensorize(k, \"dot_16\")",
            "T-CALL: `dot_16` replaces loops of 16; from `k` inwards they have 2048",
            "\"dot_16\"",
        ),
        (
            "kept_dot",
            "i1, i2 = s[C].split(i, factor=8)\ns[C].reorder(i1, j, k, i2)\ns[C].tensorize(i2, \"dot_8\")",
            "T-CALL: `dot_8` is of reduced dimensions; `i` is kept",
            "\"dot_8\"",
        ),
        (
            "align",
            "AS = s.cache_read(A, \"global\", [C])\ns[AS].storage_align(AS.op.axis[0], 32, 8)",
            "T-WORD: `storage_align` makes rows longer, which layouts of steps do not; the word `swizzle N`",
            "s[AS].storage_align(AS.op.axis[0], 32, 8)",
        ),
        (
            "rfactor",
            "s.rfactor(C, i)",
            "T-AXIS: `i` is an axis of the result; `rfactor` takes a reduced one",
            "i",
        ),
        (
            "rfactor_at",
            "F = s.rfactor(C, k)",
            "T-AT: `F` has a result for each coordinate of `k`: compute it at that loop of `C`",
            "",
        ),
        (
            "rfactor_twice",
            "F = s.rfactor(C, k)\ns.rfactor(C, k)",
            "T-ORDER: `C` computes nothing any more",
            "s.rfactor(C, k)",
        ),
        ("primitive", "s[C].skew(i)", "T-CALL: a stage has no primitive `skew`", "s[C].skew(i)"),
        ("factor", "s[C].split(i, factor=0)", "T-CALL: 0 is no positive number", "0"),
        (
            "unpack",
            "a, b, c = s[C].split(i, factor=2)",
            "T-CALL: 3 names for 2 values",
            "s[C].split(i, factor=2)",
        ),
        ("input", "s[A].split(i, factor=2)", "T-CALL: `A` is an input", "s[A]"),
        (
            "scope",
            "AS = s.cache_read(A, \"texture\", [C])\n",
            "T-CALL: there is no scope `texture`",
            "s.cache_read(A, \"texture\", [C])",
        ),
        (
            "shared",
            "AS = s.cache_read(A, \"shared\", [C])\n",
            "T-BIND: scope `shared`, but no loop is bound",
            "s.cache_read(A, \"shared\", [C])",
        ),
        (
            "nowhere",
            "CL = s.cache_write(C, \"local\")\nAL = s.cache_read(A, \"local\", [CL])\ns[AL].compute_at(s[C], j)\n",
            "T-AT: `AL` is computed at a loop that only copies",
            "s[AL].compute_at(s[C], j)",
        ),
        (
            "box",
            "CL = s.cache_write(C, \"local\")\na, b = s[C].split(i, factor=2)\ns[C].reorder(b, a, j)\ns[CL].compute_at(s[C], b)\n",
            "T-AT: the tile of `CL` is no box in dimension i",
            "s[CL].compute_at(s[C], b)",
        ),
    ] {
        let (found, at) = refused(name, script);
        assert!(found.starts_with(message), "{name}: {found}");
        assert!(marked.is_empty() || at == marked, "{name}: `{at}` is marked");
    }
}

/// What a script says, as steps
fn steps(script: &str, sizes: [i64; 3]) -> String {
    let program = product("steps.mlir", sizes);
    let document = program.document().expect("a document");
    let (draft, notes) = script::read(script, &document).unwrap_or_else(|error| panic!("{error}"));
    assert!(notes.is_empty(), "{notes:?}");
    nest(&program, &draft).unwrap_or_else(|why| panic!("{why}\n{draft}"));
    draft.to_string()
}

/// A part of the reduction for each thread, task or block; the axis stands where the results of parts are merged
#[test]
fn rfactor_is_who_runs_the_axis() {
    let head = "ko, ki = s[c].split(k, factor=16)\nF = s.rfactor(c, ki)\nki, = c.op.reduce_axis\n";
    let bound = |bind: &str| format!("{head}{bind}\ns[F].compute_at(s[c], ki)\n");
    let i = "s[c].bind(i, te.thread_axis(\"blockIdx.x\"))\n";
    for (bind, wanted) in [
        (
            format!("{i}s[c].bind(ki, te.thread_axis(\"threadIdx.x\"))"),
            "1: (1,^,^) (^,^ ; ^) (BLK.x,^,^)\n2: (^,1,^) (^,^ ; ^) (^,FOR.1,^)\n4: (^,^,16) (^,^ ; ^) (^,^,FOR.1)\n\
             3: (^,^,1) (^,^ ; ^) (^,^,THR.x(shared))\n",
        ),
        (
            "s[c].parallel(ki)".to_owned(),
            "1: (1,1,^) (^,^ ; ^) (FOR.1,FOR.2,^)\n3: (^,^,16) (^,^ ; ^) (^,^,FOR.1)\n2: (^,^,1) (^,^ ; ^) (^,^,THR.x(partials))\n",
        ),
        (
            "s[c].unroll(ki)".to_owned(),
            "2: (^,^,16) (^,^ ; ^) (^,^,FOR.1)\n1: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,UNR.3)\n",
        ),
    ] {
        assert_eq!(steps(&bound(&bind), [8, 4, 64]), wanted, "{bind}");
    }
    // What reads inputs is the stage of the parts, with axes of its own.
    let cached = format!(
        "{head}A_l = s.cache_read(A, \"global\", [F])\ns[c].parallel(ki)\ns[F].compute_at(s[c], ki)\n\
         part, fi, fj = F.op.axis\nfk, = F.op.reduce_axis\ns[A_l].compute_at(s[F], fk)\n"
    );
    assert!(steps(&cached, [8, 4, 64]).contains("(L2,^ ; ^)"));
}

/// Loops that lanes run are taken by the name of what they do
#[test]
fn intrinsics_are_loops_of_lanes() {
    let fma = "i1, i2 = s[c].split(i, factor=4)\nj1, j2 = s[c].split(j, factor=16)\ns[c].reorder(i1, j1, k, i2, j2)\n\
               s[c].tensorize(i2, \"fma_4x16\")\n";
    let wanted = "1: (4,16,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n2: (1,^,^) (^,^ ; ^) (UNR.1,^,^)\n3: (^,1,^) (^,^ ; ^) (^,VEC.x,^)\n";
    let found = steps(fma, [8, 32, 64]);
    assert!(found.contains("UNR") && found.contains("VEC.x"), "{found}");
    let normal =
        |text: &str| nest(&product("fma.mlir", [8, 32, 64]), &OpenSchedule::read(text).expect("steps"));
    assert_eq!(normal(&found), normal(wanted));
    // A column of one: its elements are neighbours.
    let dot = "k1, k2 = s[c].split(k, factor=16)\ns[c].tensorize(k2, \"dot_16\")\n";
    let found = steps(dot, [8, 1, 64]);
    let normal =
        |text: &str| nest(&product("dot.mlir", [8, 1, 64]), &OpenSchedule::read(text).expect("steps"));
    let wanted = "1: (1,^,16) (^,^ ; ^) (FOR.1,^,FOR.2)\n2: (^,^,1) (^,^ ; ^) (^,^,VEC.x)\n";
    assert_eq!(normal(&found), normal(wanted));
}

#[test]
fn what_scripts_cannot_say_is_named() {
    let program = product("unsaid.mlir", [16, 32, 8]);
    for (steps, message) in [
        ("1: (8,?,^) (^,^ ; ^) (^,^,^)\n", "step 1: S-HOLE"),
        ("1: (^,^,4) (^,^ ; REG) (^,^,^)\n2: (1,1,1) (^,^ ; ^) (^,^,^)\n", "T-REDUCE: the loop of `k`"),
        (
            "1: (^,^,4) (^,^ ; ^) (^,^,THR.x(partials))\n2: (1,1,1) (^,^ ; ^) (^,^,FOR.1)\n",
            "T-WORD: `(partials)` of step 1",
        ),
        (
            "2: (8,^,^) (^,^ ; ^) (^,^,^)\n1: (1,^,^) (^,^ ; REG) (^,^,^)\n3: (^,1,1) (^,^ ; ^) (^,^,^)\n",
            "T-LABEL: the loop of `i` with steps of 8",
        ),
    ] {
        let draft = OpenSchedule::read(steps).expect("steps");
        let document = Document { draft, ..program.document().expect("a document") };
        let why = script::write(&document).expect_err("scripts cannot say it");
        assert!(why.to_string().starts_with(message), "{why}");
    }
}

/// The loops of Listing 5 with other steps in place of some of its own
fn listing_5_with(steps: &str) -> Result<String, String> {
    let cx = Context::new(&terrace_opt::all_dialects());
    let file = root().join(LISTING5);
    let file = file.to_str().expect("UTF-8");
    let program = Program::load(&cx, file, Some("matmul"), &[], &mut Diags::default());
    let mut program = program.ok().flatten().expect("a program");
    program = program.with(&OpenSchedule::read(steps).expect("steps")).expect("a computation");
    let mut diags = Diags::default();
    match program.lower(TOOL, "func.func(mdh-to-sched)", &mut diags) {
        Some(()) => Ok(program.print()),
        None => Err(diags.iter().map(|diag| diag.message.clone()).collect()),
    }
}

const STEPS: &str = "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)\n6: (4,^,^) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n\
                     2: (1,1,^) (^,^ ; C:RM) (THR.y,THR.x,THR.z)\n3: (^,^,256) (A:SM,B:SM ; ^) (FOR.2,FOR.3,FOR.1)\n\
                     4: (^,^,2) (^,^ ; ^) (^,^,^)\n5: (^,^,1) (^,^ ; ^) (^,^,^)\n";

/// Footnote 5: with one block in the reduction, registers may be said with the blocks; they are each thread's
#[test]
fn registers_said_with_one_block_are_each_threads() {
    let wanted = listing_5_with(STEPS).expect("Listing 5");
    let early = STEPS.replacen("(^,^ ; ^) (BLK", "(^,^ ; C:RM) (BLK", 1).replacen(
        "(^,^ ; C:RM) (THR",
        "(^,^ ; ^) (THR",
        1,
    );
    assert_eq!(listing_5_with(&early).expect("one block"), wanted);
    let shared = listing_5_with(&early.replace("C:RM", "C:SM")).expect("one block");
    assert!(shared.contains("%C_sm = sched.alloc per block step 1 at 1 : memref<8x20xf32"), "{shared}");
    for region in ["RM", "SM"] {
        let why = listing_5_with(&early.replace("C:RM", region).replacen("8,20,^", "8,20,1024", 1));
        let why = why.expect_err("two blocks in the reduction");
        assert!(why.contains(&format!("S-REDUCE: {region} at step 1: results of 2 blocks")), "{why}");
    }
}

/// A step 0 that says what holds anyway changes nothing; one that says something else is refused
#[test]
fn step_0_may_be_said() {
    let wanted = listing_5_with(STEPS).expect("Listing 5");
    let start = "0: (16,1000,2048) (A:DM[1,2],B:DM[1,2] ; C:DM[1,2]) (GPU.y,GPU.x,GPU.z)\n";
    assert_eq!(listing_5_with(&format!("{start}{STEPS}")).expect("the paper's own"), wanted);
    let why =
        listing_5_with(&format!("{}{STEPS}", start.replace("1000", "500"))).expect_err("another extent");
    assert!(why.contains("S-EXTENT: step 0 says 500 for dimension 2, which has 1000"), "{why}");
}

/// `A:SM[2,1]` stores the tile transposed: only what addresses it changes
#[test]
fn layouts_change_addresses_only() {
    let plain = listing_5_with(STEPS).expect("Listing 5");
    let turned = listing_5_with(&STEPS.replace("A:SM", "A:SM[2,1]")).expect("transposed");
    let mut changed = 0;
    for (a, b) in plain.lines().zip(turned.lines()) {
        assert!(a == b || a.contains("%A_sm"), "{a}\n{b}");
        changed += usize::from(a != b);
    }
    // Where it is made, filled and read.
    assert_eq!((plain.lines().count(), changed), (turned.lines().count(), 3));
    assert!(turned.contains("%A_sm = sched.alloc per block step 4 at 3 : memref<256x8xf32"), "{turned}");
    assert!(turned.contains("sched.read %A_sm[%k5 + %k6, %i3 + %i2]"), "{turned}");
}

/// Without the directive a reduction keeps its order: no schedule that is chosen runs it in parallel
#[test]
fn without_directive_reductions_stay_sequential() {
    let c = "void f(float A[64][96], float B[96][128], float C[64][128]) {\n\
             for (int i = 0; i < 64; ++i) for (int j = 0; j < 128; ++j) for (int k = 0; k < 96; ++k) C[i][j] += A[i][k] * B[k][j];\n}\n";
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-directive.c");
    std::fs::write(&place, c).expect("the test's folder can be written");
    let file = place.to_str().expect("UTF-8");
    for target in ["x86-64-v4", "x86-64-v3", "openmp", "cuda", "opencl"] {
        let steps = text(view(&[file, &format!("--target={target}"), "--to=text"]));
        let mut core = "^".to_owned();
        let mut whole = 96;
        for step in OpenSchedule::read(&steps).expect("steps").steps {
            if step.cores[2].to_string() != "^" {
                core = step.cores[2].to_string();
            }
            let size = step.sizes[2].tile().flatten().unwrap_or(whole);
            assert!(size == whole || core.starts_with("FOR") || core.starts_with("UNR"), "{target}: {steps}");
            whole = size;
        }
        assert_eq!(whole, 1, "{target}: {steps}");
    }
}

#[test]
fn two_parts_are_a_double_buffer() {
    let program = product("double.mlir", [16, 40, 64]);
    let steps = "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,^)\n2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)\n\
                 3: (^,^,16) (SM stages 2,SM ; ^) (^,^,FOR.1)\n4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)\n";
    let draft = OpenSchedule::read(steps).expect("steps");
    let document = Document { draft, ..program.document().expect("a document") };
    let script = script::write(&document).expect("a script");
    assert!(script.contains("s[A_shared].double_buffer()"), "{script}");
    assert_eq!(script::read(&script, &document).expect("it reads").0.to_string(), steps);
    let three = Document {
        draft: OpenSchedule::read(&steps.replace("stages 2", "stages 3")).expect("steps"),
        ..document
    };
    assert!(
        script::write(&three).expect_err("no word").to_string().starts_with("T-WORD: `stages=3` of step 3")
    );
}

/// A chosen schedule with one field fixed manually lowers to the same nest as without
#[test]
fn chosen_schedules_are_edited_and_used_again() {
    let program = product("edited.mlir", [1024, 1024, 64]);
    let mut chosen = program.without_schedule().expect("a program");
    assert!(chosen.lower(TOOL, "func.func(mdh-schedule{target=cuda})", &mut Diags::default()).is_some());
    let mut draft = chosen.document().expect("a document").draft;
    let before = draft.clone();
    let size = draft
        .fields()
        .into_iter()
        .find(|(name, token)| name.to_string().contains("size.3") && token.to_string() == "16");
    let name = size.expect("a tile of k").0;
    draft.read_at(name, "32").expect("a size");
    let nest = nest(&program, &draft).expect("carried out");
    assert!(nest.contains("in 64 by 32 dim 2 pw add") && !nest.contains("in 64 by 16 dim 2"), "{nest}");
    let mut back = draft;
    back.read_at(name, "16").expect("a size");
    assert_eq!(back, before);
}

/// The space of an open schedule is what is legal of all that could be written there
#[test]
fn spaces_are_what_is_legal() {
    use std::collections::BTreeSet;
    let program = product("space.mlir", [4, 6, 2]);
    let legal = |draft: &OpenSchedule| nest(&program, draft).map(|_| ());
    let open = "1: (?,?,^) (^,? ; ?) (THR.x,FOR.1,^)\n2: (1,?,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n";
    let device = terrace_devices::Device::find("openmp").expect("a device");
    let check = |schedule: &terrace_dialect_mdh::schedule::Schedule| {
        legal(&OpenSchedule::from(schedule)).map_err(terrace_search_schedules::Refusal::of)
    };
    let draft = OpenSchedule::read(open).expect("steps");
    let space =
        terrace_search_schedules::ScheduleSpace::new(draft, vec![4, 6, 2], &device, &check).expect("a space");
    let found: Vec<String> = terrace_search_explore::Walk::new(&space)
        .map(|point| terrace_search_schedules::OfSchedules::fill(&space, &point).to_string())
        .collect();
    let mut wanted = BTreeSet::new();
    for i in 1..=4 {
        for (j, inner) in (1..=6).flat_map(|j| (1..=6).map(move |inner| (j, inner))) {
            for (b, c) in [("^", "REG"), ("L3", "L2")] {
                let steps = format!(
                    "1: ({i},{j},^) (^,{b} ; {c}) (THR.x,FOR.1,^)\n2: (1,{inner},1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n"
                );
                if legal(&OpenSchedule::read(&steps).expect("steps")).is_ok() {
                    wanted.insert(steps);
                }
            }
        }
    }
    let all: BTreeSet<&String> = found.iter().collect();
    assert_eq!(all.len(), found.len(), "a point twice");
    assert!(
        found.iter().all(|steps| legal(&OpenSchedule::read(steps).expect("steps")).is_ok()),
        "0 that are not legal"
    );
    let lost: Vec<&String> = wanted.iter().filter(|steps| !all.contains(steps)).collect();
    assert!(lost.is_empty(), "{lost:?}");
    // Sizes that divide (3 of 4, 4 of 6), regions of openmp for an input and a result (^ L1 L2 L3 REG).
    assert_eq!(found.len(), 3 * 4 * 5 * 5);
}

/// A script as a pass option: a file, or the text itself; mistakes stand in it
#[test]
fn a_pass_applies_a_script() {
    let by = |script: &str| {
        let mut program = product("applied.mlir", [8, 4, 64]);
        let mut diags = Diags::default();
        let pipeline = format!("func.func(mdh-script{{script=\"{script}\"}})");
        let done = program.lower(TOOL, &pipeline, &mut diags);
        let said: Vec<String> = diags.iter().map(|diag| diag.message.clone()).collect();
        let spans: Vec<_> = diags.iter().map(|diag| diag.span.map(|span| (span.start, span.end))).collect();
        match done {
            Some(()) => Ok(program.document().expect("a document").draft.to_string()),
            None => Err((said.join("; "), spans)),
        }
    };
    let text = "i1, i2 = s[c].split(i, factor=4); s[c].parallel(i1)";
    let wanted = by(text).expect("a script");
    assert!(wanted.starts_with("1: (4,^,^) (^,^ ; ^) (THR.x,^,^)"), "{wanted}");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("applied.py");
    std::fs::write(&file, text.replace("; ", "\n")).expect("the test's folder can be written");
    assert_eq!(by(file.to_str().expect("UTF-8")), Ok(wanted));
    let (message, spans) = by("s[c].split(ii, factor=4)").expect_err("no such axis");
    assert_eq!((message.as_str(), spans), ("T-NAME: nothing is called `ii`; `i` is", vec![Some((11, 13))]));
    let steps = "1: (4,^,^) (A:L2,^ ; ^) (THR.x,^,^)\n2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n";
    assert_eq!(by(steps), Ok(steps.replace("A:", "")));
    let (message, spans) = by("1: (4,^,^) (D:L2,^ ; ^) (THR.x,^,^)").expect_err("no such buffer");
    let wanted = "step 1: S-BUF: there is no buffer `D`; entries are A,B ; c";
    assert_eq!((message.as_str(), spans), (wanted, vec![Some((12, 13))]));
    assert!(by("nowhere.py").expect_err("no file").0.contains("script `nowhere.py`: "));
}
