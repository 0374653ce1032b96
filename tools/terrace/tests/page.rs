//! `docs/how-to/use-terrace-from-rust.md`: each block of Rust in it stands here, and runs.

use terrace::Report;

#[test]
fn read() -> Result<(), Report> {
    let cx = terrace::Context::standard();
    let text = "func.func @f(%x: i32) -> i32 {
      %zero = arith.constant 0 : i32
      %y = arith.addi %x, %zero : i32
      return %y : i32
    }";
    let mut module = terrace::parse(&cx, "f.mlir", text)?;
    terrace::passes("func.func(canonicalize,cse)")?.run(&mut module)?;
    let results = terrace::interp(&module).call("f", &[7.into()])?;
    println!("{module}");
    assert_eq!(results, [7.into()]);
    Ok(())
}

#[test]
fn build() -> Result<(), Report> {
    use terrace::dialects::{arith, func};

    let cx = terrace::Context::standard();
    let mut module = terrace::Module::new(&cx)?;
    let f64 = cx.common().f64;
    module.add_function("square", &[f64], &[f64], |b, args| {
        let product = arith::MulF::build(b, args[0], args[0]);
        let product = product.result(b.read());
        func::Return::build(b, &[product]);
    })?;
    module.verify()?;
    assert_eq!(terrace::interp(&module).call("square", &[1.5.into()])?, [2.25.into()]);
    Ok(())
}

#[test]
fn rewrite() -> Result<(), Report> {
    use terrace::dialects::arith;
    use terrace::rewrite::term::{Find, Put, TermRule};

    /// x · 2 = x + x
    static DOUBLE: TermRule = TermRule {
        name: "double",
        find: Find::Op(arith::MulI::DEF, &[Find::Var(0), Find::ConstIf(0, is_two)]),
        put: Put::Op(arith::AddI::DEF, &[Put::Var(0), Put::Var(0)]),
    };

    fn is_two(cx: &terrace::ir::Context, attr: terrace::ir::Attr) -> bool {
        attr.as_int(cx).is_some_and(|(number, _)| number == 2)
    }

    let cx = terrace::Context::standard();
    let text = "func.func @f(%x: i32) -> i32 {
        %two = arith.constant 2 : i32
        %y = arith.muli %x, %two : i32
        return %y : i32
    }";
    let mut module = terrace::parse(&cx, "f.mlir", text)?;
    terrace::rules([&DOUBLE as &'static dyn terrace::rewrite::Rule]).run(&mut module)?;
    assert!(module.to_string().contains("arith.addi %x, %x : i32"), "{module}");
    Ok(())
}

#[cfg(feature = "jit")]
#[test]
fn compile() -> Result<(), Report> {
    use terrace::Arg;

    let module = terrace::parse(&terrace::Context::standard(), "saxpy.mlir", super::jit::SAXPY)?;
    if super::jit::is_missing("compile") {
        return Ok(());
    }
    let (x, mut y) = ([1f32, 2.], [10f32, 20.]);
    let jit = terrace::jit(&module)?;
    let saxpy = jit.function("saxpy")?;
    saxpy.call(&mut [Arg::f32(2.0), Arg::slice(&x), Arg::slice_mut(&mut y)])?;
    assert_eq!(y, [12., 24.]);
    Ok(())
}

/// Lines of each block, without blanks around them
fn blocks(page: &str) -> Vec<Vec<&str>> {
    let parts = page.split("```rust\n").skip(1);
    parts.map(|part| lines(part.split("```").next().unwrap_or_default())).collect()
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_page_shows_what_runs() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/how-to/use-terrace-from-rust.md");
    let page = std::fs::read_to_string(page).expect("tests run in the repository");
    let here = lines(include_str!("page.rs"));
    let blocks = blocks(&page);
    assert_eq!(blocks.len(), 4);
    for block in blocks {
        // In this order, though more may stand between.
        let mut rest = here.iter();
        let missing = block.iter().find(|line| !rest.any(|other| other == *line));
        assert_eq!(missing, None, "of a block that begins with {:?}", block.first());
    }
}
