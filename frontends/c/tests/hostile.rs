//! No text makes the front end panic, hang, or give IR whose form is broken.

use std::path::Path;
use terrace_diag::Diags;
use terrace_ir::Context;
use terrace_ir::verify::verify;
use terrace_support::Random;

fn read(text: &str, sets: &[(String, String)]) {
    let cx = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat());
    let source = cx.sources().add("a.c", text);
    let mut diags = Diags::default();
    match terrace_frontend_c::read(&cx, source, sets, &mut diags) {
        // What the dialects refuse is refused by them; it must be whole enough to say so.
        Some(module) => drop(verify(&module, 1)),
        None => assert!(diags.has_errors(), "nothing was said about\n{text}"),
    }
}

/// Words that change meaning without leaving the grammar
const WORDS: &[&str] = &[
    "i",
    "j",
    "k",
    "0",
    "1",
    "-1",
    "N",
    "x",
    "y",
    "+",
    "*",
    "/",
    "%",
    "<",
    "<=",
    "[i]",
    "[j + 1]",
    "float",
    "int",
    "unsigned",
    "const",
    "restrict",
    "if",
    "for",
    "return",
    "{",
    "}",
    "(",
    ")",
    ";",
    ",",
    "+=",
    "=",
    "?",
    ":",
    "&&",
    "++",
    "#pragma mdh(",
    "1.5f",
    "struct",
    "9999999999",
    "sizeof(int)",
    "(char)",
    "*x",
];

#[test]
fn changed_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/programs/mdh");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|end| end == "c"))
        .collect();
    files.sort();
    assert!(files.len() > 15);
    let mut random = Random::new(1);
    for path in files {
        let text = std::fs::read_to_string(&path).expect("programs are text");
        for _ in 0..40 {
            let mut changed: Vec<String> =
                text.split_inclusive([' ', '\n', '(', ')', '[', ']', ';']).map(String::from).collect();
            for _ in 0..1 + random.below(3) {
                let at = random.below(changed.len());
                match random.below(3) {
                    0 => drop(changed.remove(at)),
                    1 => changed[at] = format!("{} ", WORDS[random.below(WORDS.len())]),
                    _ => {
                        let other = random.below(changed.len());
                        changed.swap(at, other);
                    }
                }
            }
            read(&changed.concat(), &[]);
        }
    }
}

#[test]
fn deep_and_large() {
    let deep = |open: &str, close: &str, n: usize| {
        format!("int f(int x) {{ return {}x{}; }}", open.repeat(n), close.repeat(n))
    };
    for n in [100, 1000, 20_000] {
        read(&deep("(", ")", n), &[]);
        read(&deep("-", "", n), &[]);
        read(&deep("f(", ")", n), &[]);
        read(&format!("int f(int x) {{ return x{}; }}", " + x".repeat(n)), &[]);
        read(&format!("void f(int x) {{ {}{} }}", "{".repeat(n), "}".repeat(n)), &[]);
        read(&format!("void f(float *a) {{ {}a[0] = 1; }}", "for (int i = 0; i < 2; ++i) ".repeat(n)), &[]);
    }
    read("#define A B\n#define B A\nint f(void) { return A; }", &[]);
    read("#define F(x) F(x) + F(x)\nint f(void) { return F(F(1)); }", &[]);
    read("#define F(x) (F\nint f(void) { return F(1) (2)); }", &[]);
    read("#define F(x) x G(\n#define G(x) x F(\nint f(void) { return F(1); }", &[]);
    let chain: String = (1..20_000).map(|n| format!("#define A{n} A{} + 1\n", n - 1)).collect();
    read(&format!("{chain}int f(void) {{ return A19999; }}"), &[]);
    read("void f(float a[9223372036854775807]) { a[0] = 1; }", &[]);
    read(
        "void f(float *a) { for (long i = 0; i < 9223372036854775807; ++i) a[i * 9223372036854775807] = 1; }",
        &[],
    );
    read("enum { A = A }; int f(void) { return A; }", &[]);
    read(
        "int f(int x) { return f(x); } void g(int *restrict y) { for (int i = 0; i < 4; ++i) y[i] = f(i); }",
        &[],
    );
}

#[test]
fn sets_must_be_numbers() {
    read("void f(float a[N]) {}", &[("N".into(), "four".into())]);
}

/// What doubles forty times is refused soon, in every form
#[test]
fn doubling() {
    let bomb = |each: &dyn Fn(usize) -> String, last: &str| {
        let lines: String = (1..=40).map(each).collect();
        format!("{lines}{last}")
    };
    let begun = std::time::Instant::now();
    read(
        &bomb(&|n| format!("#define A{n} A{} + A{}\n", n - 1, n - 1), "void f(float x[4]) { x[0] = A40; }"),
        &[],
    );
    read(
        &bomb(
            &|n| format!("#define F{n}(x) F{}(x) + F{}(x)\n", n - 1, n - 1),
            "int f(int x) { return F40(x); }",
        ),
        &[],
    );
    let nested = format!(
        "#define D(x) ((x) + (x))\nint f(int x) {{ return {}x{}; }}",
        "D(".repeat(40),
        ")".repeat(40)
    );
    read(&nested, &[]);
    let constants = bomb(
        &|n| match n {
            1 => "enum { A1 = 0".into(),
            n => format!(", A{n} = A{} + A{}", n - 1, n - 1),
        },
        " };\nvoid f(float x[4]) { x[A40] = 1; }",
    );
    let cx = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat());
    let source = cx.sources().add("a.c", constants.as_str());
    assert!(terrace_frontend_c::read(&cx, source, &[], &mut Diags::default()).is_some(), "{constants}");
    let calls = bomb(
        &|n| format!("static int g{n}(int x) {{ return g{}(x) + g{}(x); }}\n", n - 1, n - 1),
        "int f(int x) { return g40(x); }",
    );
    read(&format!("static int g0(int x) {{ return x; }}\n{calls}"), &[]);
    let loops = bomb(
        &|n| format!("static void h{n}(int *x) {{ h{}(x); h{}(x); }}\n", n - 1, n - 1),
        "void f(int *x) { h40(x); }",
    );
    read(&format!("static void h0(int *x) {{ x[0]++; }}\n{loops}"), &[]);
    let pointers = bomb(&|n| format!("  float *p{n} = x[{n}] > 0 ? x : y;\n"), "  p1[0] = 1;\n}");
    read(&format!("void f(float *x, float *y) {{\n{pointers}"), &[]);
    assert!(begun.elapsed().as_secs() < 60);
}
