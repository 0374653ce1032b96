//! Programs that are made in Rust.

use terrace::dialects::{arith, func, scf};
use terrace::ir::Builder;
use terrace::{Context, Module};

/// 1 · 2 · … · n
fn factorial(cx: &Context) -> Module {
    let mut module = Module::new(cx).expect("`builtin` is registered");
    let i64 = cx.common().i64;
    let made = module.add_function("factorial", &[i64], &[i64], |b, args| {
        let number = |b: &mut Builder<'_>, n: i128| {
            let attr = b.cx().int_attr(n, b.cx().common().i64);
            arith::Constant::build(b, attr).result(b.read())
        };
        let one = number(b, 1);
        let zero = number(b, 0);
        let is_done = arith::CmpI::build(b, args[0], zero, arith::CmpIPredicate::Eq).result(b.read());
        let less = arith::SubI::build(b, args[0], one).result(b.read());
        let choice = scf::If::build(b, is_done, &[i64]);
        let (then, otherwise) = (choice.then_region(b.read()), choice.else_region(b.read()));
        let after = b.insert_point();
        let block = b.ir().append_block(then);
        scf::Yield::build(&mut Builder::at_end(b.ir(), block), &[one]);
        let block = b.ir().append_block(otherwise);
        let mut inner = Builder::at_end(b.ir(), block);
        let callee = inner.cx().symbol_attr("factorial");
        let rest = func::Call::build(&mut inner, &[less], callee, &[i64]).results(inner.read())[0];
        let product = arith::MulI::build(&mut inner, args[0], rest).result(inner.read());
        scf::Yield::build(&mut inner, &[product]);
        b.set_insert_point(after);
        let result = choice.results(b.read())[0];
        func::Return::build(b, &[result]);
    });
    made.expect("`func` is registered");
    module
}

#[test]
fn what_is_built_verifies_and_runs() {
    let module = factorial(&Context::standard());
    module.verify().expect("it is right");
    assert_eq!(terrace::interp(&module).call("factorial", &[5i64.into()]).expect("it runs"), [120i64.into()]);
    assert!(module.to_string().contains("func.func @factorial(%arg0: i64) -> i64 {"), "{module}");
}

#[test]
fn what_is_built_wrong_is_reported() {
    let cx = Context::standard();
    let mut module = Module::new(&cx).expect("`builtin` is registered");
    let (i32, i64) = (cx.common().i32, cx.common().i64);
    module
        .add_function("f", &[i32, i64], &[i32], |b, args| {
            let sum = arith::AddI::build(b, args[0], args[1]).result(b.read());
            func::Return::build(b, &[sum]);
        })
        .expect("`func` is registered");
    let report = module.verify().expect_err("the types differ");
    assert_eq!(report.code(), Some("E0103"), "{report}");
}
