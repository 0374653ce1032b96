//! Every form reads back to the same tokens; what a form cannot say is refused with its reason.

use crate::tool::{LISTING5, MATMUL, text, view};
use std::path::Path;
use std::process::Output;

fn refused(output: Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const FORMS: [&str; 5] = ["svg", "html", "toml", "json", "text"];

/// A file of this test's own
fn scratch(name: &str, content: &str) -> String {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&place, content).expect("the test's folder can be written");
    place.to_str().expect("UTF-8").to_owned()
}

#[test]
fn the_name_of_the_output_says_its_form() {
    for (ending, form) in [("svg", "svg"), ("html", "html"), ("txt", "text"), ("py", "tvm"), ("mlir", "mlir")]
    {
        let place = scratch(&format!("named.{ending}"), "");
        text(view(&[LISTING5, MATMUL, "-o", &place]));
        let named = std::fs::read_to_string(&place).expect("it is written");
        assert_eq!(named, text(view(&[LISTING5, MATMUL, &format!("--to={form}")])), "{ending}");
    }
    let why = refused(view(&[LISTING5, MATMUL, "-o", "listing5.pdf"]));
    assert!(why.contains("`.pdf` is none of .svg, .html"), "{why}");
}

#[test]
fn listing_5_comes_back_from_every_form() {
    let steps = text(view(&[LISTING5, MATMUL, "--to=text"]));
    assert!(steps.starts_with("1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)\n6: (4,^,^)"), "{steps}");
    for form in FORMS {
        let file = scratch(&format!("listing5.{form}"), &text(view(&[LISTING5, MATMUL, "--to", form])));
        assert_eq!(text(view(&[LISTING5, MATMUL, "--apply", &file, "--to=text"])), steps, "{form}");
    }
}

#[test]
fn chosen_schedules_come_back_from_every_form() {
    let program = "test-files/passes/mdh/host.mlir";
    for target in ["x86-64-v4", "x86-64-v3", "openmp", "cuda", "opencl"] {
        let name = scratch(
            &format!("one-{target}.mlir"),
            "func.func @f(%A: tensor<100x70xf32>, %B: tensor<70x30xf32>) -> tensor<100x30xf32> {\n\
             %c = mdh.compute (i in 100, j in 30, k in 70 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {\n\
             %p = arith.mulf %a, %b : f32\nmdh.yield %p : f32\n} : (tensor<100x70xf32>, tensor<70x30xf32>) -> tensor<100x30xf32>\n\
             return %c : tensor<100x30xf32>\n}\n",
        );
        let target = format!("--target={target}");
        let steps = text(view(&[&name, &target, "--to=text"]));
        for form in FORMS {
            let file =
                scratch(&format!("chosen{target}.{form}"), &text(view(&[&name, &target, "--to", form])));
            assert_eq!(text(view(&[&name, "--apply", &file, "--to=text"])), steps, "{target} {form}");
        }
    }
    assert!(refused(view(&[program])).contains("which computation? Say --compute=NAME"));
}

/// Open fields, too, and schedules of other shapes than a matrix product's
#[test]
fn open_and_large_schedules_come_back_from_every_form() {
    let open = "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)\n2: (?,1,^) (^,{SM,RM} ; RM[?,?]) (THR.y,THR.?,THR.z)\n\
                ?: (^,^,{128,256}) (SM[2,1],? ; ^) (?,^,FOR.?)\n4: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n";
    let open = scratch("open-all.txt", open);
    let cases: [(&str, &[&str]); 6] = [
        ("open", &[LISTING5, MATMUL, "--apply", &open]),
        ("conv2d", &["test-files/demo/conv2d.mlir", "--target=x86-64-v4"]),
        ("dot", &["test-files/demo/dot.mlir", "--target=x86-64-v3"]),
        ("jacobi", &["test-files/demo/jacobi.mlir", "--target=x86-64-v4"]),
        ("argmax", &["test-files/programs/mdh/map_reduce.mlir", "--compute=argmax"]),
        ("capsule", &["test-files/programs/mdh/mcc_capsule.mlir"]),
    ];
    for (name, args) in cases {
        let steps = text(view(&[args, &["--to=text"]].concat()));
        let again = args.iter().position(|arg| *arg == "--apply").map_or(args, |at| &args[..at]);
        for form in FORMS {
            let file =
                scratch(&format!("shape-{name}.{form}"), &text(view(&[args, &["--to", form]].concat())));
            let back = text(view(&[again, &["--apply", &file, "--to=text"]].concat()));
            assert_eq!(back, steps, "{name} {form}");
        }
    }
}

/// Everything that the paper's Figure 2 shows
#[test]
fn the_picture_shows_what_figure_2_does() {
    let picture = text(view(&[LISTING5, MATMUL, "--target=cuda"]));
    let band = |n: usize| {
        let from = picture.find(&format!("id=\"s{n}\"")).expect("a band");
        let to = picture[from..].find("class=\"sep\"").map_or(picture.len(), |at| from + at);
        let next = picture[to + 1..].find("class=\"sep\"").map_or(picture.len(), |at| to + 1 + at);
        let mut texts = Vec::new();
        for part in picture[from..next].split("<text").skip(1) {
            let part = part.split("</text>").next().unwrap_or("");
            texts.push(part.split('>').nth(1).unwrap_or("").trim().to_owned());
        }
        texts
    };
    assert_eq!(picture.matches("class=\"step\"").count(), 7);
    // Sizes of the whole, of buffers, and order number of the start.
    let start = band(0);
    for wanted in ["0", "16", "1,000", "2,048", "++", "+"] {
        assert!(start.iter().any(|text| text == wanted), "{wanted}: {start:?}");
    }
    for wanted in ["16×2,048 ·", "2,048×1,000 ·", "16×1,000 ·"] {
        assert!(start.iter().any(|text| text.starts_with(wanted)), "{wanted}: {start:?}");
    }
    // Step 4 in order of text: order number, size, tiles of the buffers with regions, cores on both sides.
    let step = band(4);
    for (wanted, times) in
        [("3", 1), ("256", 1), ("SM", 2), ("1×256", 1), ("256×1", 1), ("1×1", 1), ("FOR.1", 2)]
    {
        assert_eq!(step.iter().filter(|text| *text == wanted).count(), times, "{wanted}: {step:?}");
    }
    for wanted in [
        "INP MDA",
        "OUT MDA",
        "scalar phase",
        "A: (i, k)",
        "C: (i, j)",
        "p = arith.mulf a, b",
        "decomp",
        "recomp",
    ] {
        assert!(picture.contains(wanted), "{wanted}");
    }
}

#[test]
fn an_edited_field_arrives_in_the_program() {
    let picture = text(view(&[LISTING5, MATMUL]));
    let at = picture.find("data-field=\"step.4.size.3\"").expect("the size's field");
    let edited = format!("{}{}", &picture[..at], picture[at..].replacen("256", "?", 1));
    let file = scratch("edited.svg", &edited);
    let program = text(view(&[LISTING5, MATMUL, "--apply", &file]));
    assert!(program.contains("\"3: (^,^,?) (SM,SM ; ^) (FOR.2,FOR.3,FOR.1)\""), "{program}");
}

/// A choice may split a computation; each part can be looked at, with loops of its own marked
#[test]
fn parts_that_a_choice_makes_can_be_asked_for() {
    let matmul = "test-files/demo/matmul.mlir";
    let why = refused(view(&[matmul, "--target=cuda"]));
    assert!(
        why.contains("which computation? Say --compute=NAME; there are `matmul_parts`, `matmul`"),
        "{why}"
    );
    for (name, dims) in [("matmul_parts", 4), ("matmul", 3)] {
        let name = format!("--compute={name}");
        let steps = text(view(&[matmul, "--target=cuda", &name, "--to=text"]));
        assert!(steps.starts_with("1: ("), "{steps}");
        let page = text(view(&[matmul, "--target=cuda", &name, "--to=html"]));
        let links =
            (0..dims).filter(|dim| page.contains(&format!("class=\"loop blk\" data-is=\"L1.{dim} S1\"")));
        assert!(links.count() >= 2, "{name}");
        // The second kernel is that of the joined results.
        let (parts, joined) = page.split_once("@matmul <").expect("two kernels");
        let linked = |part: &str| part.contains("class=\"loop ");
        assert_eq!((linked(parts), linked(joined)), (dims == 4, dims == 3), "{name}");
        assert_eq!(
            (parts.contains("class=\"v blk\""), joined.contains("class=\"v blk\"")),
            (dims == 4, dims == 3),
            "{name}"
        );
        // The parts have no name in the program, and are the computation's result all the same.
        let picture = page.split("id=\"memory\"").nth(1).unwrap_or("");
        let named = ["out1_rm", "out1"].iter().all(|name| picture.contains(&format!("\n{name}\n")));
        assert_eq!(named, dims == 4, "{name}");
    }
    let why = refused(view(&[matmul, "--target=cuda", "--compute=other"]));
    assert!(why.contains("no computation has this name; there are `matmul_parts`, `matmul`"), "{why}");
}

#[test]
fn an_empty_field_is_as_the_step_above() {
    let file = text(view(&[LISTING5, MATMUL, "--to=json"]));
    assert!(file.contains("\"^\""), "{file}");
    let emptied = scratch("emptied.json", &file.replace("\"^\"", "\"\""));
    let plain = scratch("plain.json", &file);
    let program = |file: &str| text(view(&[LISTING5, MATMUL, "--apply", file]));
    assert_eq!(program(&emptied), program(&plain));
}

#[test]
fn sides_that_differ_are_refused() {
    let picture = text(view(&[LISTING5, MATMUL]));
    let at = picture.find("data-field=\"step.1.core.1\" data-side=\"out\"").expect("the output side's axis");
    let edited = format!("{}{}", &picture[..at], picture[at..].replacen("BLK.y", "BLK.x", 1));
    let message = refused(view(&[LISTING5, MATMUL, "--apply", &scratch("swapped.svg", &edited)]));
    let wanted = "S-SWAP: core 1 of step 1 is `BLK.y` on one side and `BLK.x` on the other";
    assert!(message.contains(wanted), "{message}");
}

#[test]
fn mistakes_in_documents_have_their_messages() {
    let toml = text(view(&[LISTING5, MATMUL, "--to=toml"]));
    for (name, content, message) in [
        (
            "version",
            toml.replace("mdh-schedule/1", "mdh-schedule/9"),
            "V-VERSION: the document is `mdh-schedule/9`",
        ),
        ("key", toml.replace("size =", "sizes ="), "V-FIELD: `sizes` is not known in step 1"),
        (
            "buffer",
            toml.replace("step.mem.A", "step.mem.Q"),
            "V-FIELD: `Q` is not known in mem of step 4; it has A, B, C",
        ),
        (
            "arity",
            toml.replace("[\"8\", \"20\", \"^\"]", "[\"8\", \"20\"]"),
            "S-ARITY: step 1 has 2 entries in `size`, not 3",
        ),
        ("stale", toml.replace("\"matmul\"", "\"other\""), "V-STALE: this is the schedule of `other`"),
        (
            "dims",
            toml.replace("[\"i\", \"j\", \"k\"]", "[\"i\", \"k\"]"),
            "V-STALE: dimensions are i,k there",
        ),
        ("word", toml.replace("\"20\"", "\"20~half\""), "`~half` is not limit, mask, peel or pad"),
        ("text", "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x\n".into(), "expected `)`"),
        (
            "none",
            "<svg data-terrace=\"mdh-schedule/1\"><text data-field=\"step.1.width\">8</text></svg>".into(),
            "V-FIELD: the computation has no field `step.1.width`",
        ),
        ("xml", "<svg><text></svg>".into(), "the picture is no XML"),
        ("json", "{".into(), "is no JSON"),
    ] {
        let found =
            refused(view(&[LISTING5, MATMUL, "--apply", &scratch(&format!("wrong-{name}"), &content)]));
        assert!(found.contains(message), "{name}: {found}");
    }
}

/// The text of a page
fn untagged(page: &str) -> String {
    let texts = page.split('<').map(|part| part.split_once('>').map_or("", |(_, text)| text));
    texts.collect::<String>().replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">")
}

#[test]
fn a_page_shows_nest_and_reuse() {
    let page = text(view(&[LISTING5, MATMUL, "--to=html"]));
    let plain = untagged(&page);
    assert!(plain.contains("sched.kernel @matmul grid [50, 2, 1] block [20, 4, 1]"), "{plain}");
    // The other function of the file is no part of it.
    assert!(!plain.contains("@start"));
    // 2·50 blocks, 8 times 8×256 elements of A in each; each is read by 20 threads.
    let traffic = text(view(&[LISTING5, MATMUL, "--to=traffic"]));
    // A block's tiles of A and B, and what goes through them.
    let shared = traffic.lines().find(|line| line.starts_with("SM")).expect("a row of shared memory");
    let words: Vec<&str> = shared.split_whitespace().collect();
    assert_eq!(words, ["SM", "28672", "5734400", "65536000", "11.4"]);
    let row = traffic.lines().find(|line| line.starts_with("A_sm")).expect("a row of A's tile");
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words, ["A_sm", "SM", "8192", "1638400", "32768000", "20.0"]);
}

/// All fifteen parameters by name, and the product rule
#[test]
fn the_numbers_of_parts_multiply_to_the_extents() {
    let parameters = text(view(&[LISTING5, MATMUL, "--to=parameters"]));
    let wanted = "\
0        #PRT(i)   2 · 2 · 4 · 1 · 1 · 1 = 16
0        #PRT(j)   50 · 1 · 20 · 1 · 1 · 1 = 1000
0        #PRT(k)   1 · 1 · 1 · 8 · 128 · 2 = 2048
D1 S1 R1 1   6   2   3   4   5
D2 S2 R2 BLK.y,BLK.x,BLK.z   FOR.1,FOR.2,FOR.3   THR.y,THR.x,THR.z   FOR.2,FOR.3,FOR.1   FOR.2,FOR.3,FOR.1   FOR.2,FOR.3,FOR.1
D3 S3    A:^,B:^   A:^,B:^   A:^,B:^   A:SM,B:SM   A:^,B:^   A:^,B:^
D4 S4    A:^,B:^   A:^,B:^   A:^,B:^   A:^,B:^   A:^,B:^   A:^,B:^
S5 R3    C:^   C:^   C:RM   C:^   C:^   C:^
S6 R4    C:^   C:^   C:^   C:^   C:^   C:^
";
    assert_eq!(parameters, wanted);
    let names: Vec<&str> = parameters.lines().skip(3).flat_map(|line| line[..9].split_whitespace()).collect();
    let fifteen = ["D1", "S1", "R1", "D2", "S2", "R2", "D3", "S3", "D4", "S4", "S5", "R3", "S6", "R4"];
    assert_eq!(names, fifteen);
    // Where sizes divide, numbers of parts multiply to the extents; else they are whole tiles, and as many or more.
    for (name, target, sizes) in [
        ("even", "cuda", [128_i64, 64, 96]),
        ("even", "x86-64-v4", [128, 64, 96]),
        ("odd", "cuda", [13, 71, 17]),
        ("odd", "x86-64-v3", [13, 71, 17]),
    ] {
        let [i, j, k] = sizes;
        let program = scratch(
            &format!("parts-{name}.mlir"),
            &format!(
                "func.func @f(%A: tensor<{i}x{k}xf32>, %B: tensor<{k}x{j}xf32>) -> tensor<{i}x{j}xf32> {{\n\
                 %c = mdh.compute (i in {i}, j in {j}, k in {k} pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {{\n\
                 %p = arith.mulf %a, %b : f32\nmdh.yield %p : f32\n}} : (tensor<{i}x{k}xf32>, tensor<{k}x{j}xf32>) -> tensor<{i}x{j}xf32>\n\
                 return %c : tensor<{i}x{j}xf32>\n}}\n"
            ),
        );
        let dump = text(view(&[&program, &format!("--target={target}"), "--to=parameters"]));
        for (line, extent) in dump.lines().zip(sizes) {
            let (parts, sign) = line[19..].split_once([' ']).map_or(("", ""), |_| (line[19..].trim(), ""));
            let (parts, whole) = parts.split_once(['=', '≥']).unwrap_or((parts, sign));
            let product: i64 = parts.split('·').map(|n| n.trim().parse::<i64>().expect("a number")).product();
            assert_eq!(whole.trim().parse(), Ok(extent), "{line}");
            assert!(
                product == extent && line.contains('=') || product > extent && line.contains('≥'),
                "{line}"
            );
        }
    }
}

#[test]
fn words_come_back_from_every_form() {
    let program = "test-files/lowering/mdh/words.mlir";
    for compute in ["words", "warps", "devices"] {
        let compute = format!("--compute={compute}");
        let steps = text(view(&[program, &compute, "--to=text"]));
        for form in FORMS {
            let file = scratch(&format!("{compute}.{form}"), &text(view(&[program, &compute, "--to", form])));
            assert_eq!(text(view(&[program, &compute, "--apply", &file, "--to=text"])), steps, "{form}");
        }
        // Open numbers of words, too.
        let open = steps.replace("stages 2 swizzle 4", "stages ? swizzle {1,4}");
        let file = scratch("open-words.txt", &open);
        for form in ["svg", "toml", "json"] {
            let again =
                scratch("open-words", &text(view(&[program, &compute, "--apply", &file, "--to", form])));
            assert_eq!(text(view(&[program, &compute, "--apply", &again, "--to=text"])), open, "{form}");
        }
    }
    let steps = text(view(&[program, "--compute=words", "--to=text"]));
    assert!(
        steps.contains("(SM swizzle 1,SM[2,1] stages 2 swizzle 4 ; ^)") && steps.contains("; RM nt)"),
        "{steps}"
    );
    // What a script can't say.
    let why = refused(view(&[program, "--compute=words", "--to=tvm"]));
    assert!(why.contains("T-WORD: `nt` of step 2"), "{why}");
}

/// Two access groups of one buffer have tables of their own
#[test]
fn entries_of_access_groups_come_back_from_trees_and_pictures() {
    let steps =
        ["1: (3,4,5) (L2[2,1],L1 ; ^) (FOR.1,FOR.2,FOR.3)", "2: (1,1,1) (L1 ; ^) (FOR.1,FOR.2,FOR.3)"];
    let text = include_str!("../../../test-files/frontends/tvm/groups.mlir");
    let given = format!("outs([i, j]) attributes {{mdh.schedule = {steps:?}}} {{");
    let cx = terrace_ir::Context::new(&terrace_opt::all_dialects());
    let place = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("forms-groups.mlir");
    std::fs::write(&place, text.replace("outs([i, j]) {", &given)).expect("the test's folder can be written");
    let file = place.to_str().expect("UTF-8");
    let load = terrace_view::program::Program::load(
        &cx,
        file,
        Some("gram"),
        &[],
        &mut terrace_diag::Diags::default(),
    );
    let document = load.ok().flatten().expect("a program").document().expect("a document");
    let tree = terrace_view::tree::write(&document);
    assert_eq!(tree["step"][0]["mem"]["A.2"]["region"], "L1");
    assert_eq!(tree["step"][1]["mem"]["A"]["region"], "L1");
    assert_eq!(terrace_view::tree::read(&tree, &document), Ok(document.draft.clone()));
    let picture = terrace_view::picture::draw(&document, None);
    assert_eq!(terrace_view::reading::read(&picture, &document), Ok(document.draft.clone()));
}
