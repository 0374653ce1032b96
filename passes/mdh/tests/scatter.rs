//! Points that name their places, and prefixes of reductions, by value: with the schedules of each device, and with given ones
//! that divide, unroll and vectorise the points, so that several of one iteration meet in one place.

use crate::common;

use common::*;
use std::fmt::Write;
use terrace_support::Random;

/// Random programs
const PROGRAMS: usize = 16;

/// Operators with what they leave alone
const OPERATORS: &[(&str, &str)] =
    &[("add", "0"), ("max", "-2147483648"), ("min", "2147483647"), ("mul", "1"), ("or", "0"), ("xor", "0")];

struct Program {
    text: String,
    /// The schedule of the points, if one is given
    scheduled: bool,
}

/// Elements that name one bin each, or a bin of two dimensions; values beyond them, several at one
fn random_program(r: &mut Random) -> Program {
    let (n, rows) = (r.pick(&[1, 2, 7, 16, 33, 200]), r.pick(&[0, 0, 1, 3]));
    let two = r.below(4) == 0;
    let bins = r.pick(&[1, 5, 16, 17, 40]);
    let elem = r.pick(&["i32", "i32", "i8", "i64"]);
    let (operator, neutral) = r.pick(OPERATORS);
    let floats = operator == "add" && r.below(2) == 0;
    let out = if floats { "f32" } else { "i32" };
    let (scale, offset) = (r.pick(&[1, 2, 3, 5]), r.pick(&[-1, 0, 3, 9]));
    let mut dims = vec![format!("e in {n} pw {operator}"), format!("b in {bins}")];
    let mut places = vec![("b", bins)];
    if two {
        dims.insert(r.below(3), "c in 4".into());
        places.insert(r.below(2), ("c", 4));
    }
    if rows > 0 {
        dims.insert(r.below(dims.len() + 1), format!("i in {rows}"));
        places.insert(r.below(places.len() + 1), ("i", rows));
    }
    let at = |name: &str| dims.iter().position(|dim| dim.starts_with(name)).unwrap_or(0);
    let (shape, read) = match rows {
        0 => (format!("{n}"), "e".to_owned()),
        _ => (format!("{rows}x{n}"), "i, e".to_owned()),
    };
    let mut body = String::new();
    let _ = writeln!(body, "    %scale = arith.constant {scale} : {elem}");
    let _ = writeln!(body, "    %offset = arith.constant {offset} : {elem}");
    let _ = writeln!(body, "    %bi = mdh.index {}", at("b"));
    let _ = writeln!(body, "    %scaled = arith.muli %a, %scale : {elem}");
    let _ = writeln!(body, "    %named = arith.addi %scaled, %offset : {elem}");
    let mut hit = "%hit";
    if r.below(3) == 0 {
        let _ = writeln!(body, "    %wide = arith.index_cast %named : {elem} to index");
        let _ = writeln!(body, "    %hit = arith.cmpi eq, %bi, %wide : index");
    } else {
        let _ = writeln!(body, "    %bin = arith.index_cast %bi : index to {elem}");
        let _ = writeln!(body, "    %hit = arith.cmpi eq, %named, %bin : {elem}");
    }
    if two {
        let _ = writeln!(body, "    %ci = mdh.index {}", at("c"));
        let _ = writeln!(body, "    %other = arith.index_cast %a : {elem} to index");
        let _ = writeln!(body, "    %second = arith.cmpi eq, %other, %ci : index");
        let _ = writeln!(body, "    %both = arith.andi %hit, %second : i1");
        hit = "%both";
    } else if r.below(3) == 0 {
        // A test of the element besides.
        let _ = writeln!(body, "    %small = arith.cmpi slt, %a, %offset : {elem}");
        let _ = writeln!(body, "    %both = arith.andi %small, %hit : i1");
        hit = "%both";
    }
    let miss = if floats { r.pick(&["0.0", "-0.0"]) } else { neutral };
    let _ = writeln!(body, "    %miss = arith.constant {miss} : {out}");
    let _ = writeln!(body, "    %given = arith.select {hit}, %w, %miss : {out}");
    let result = places.iter().map(|(_, size)| size.to_string()).collect::<Vec<_>>().join("x");
    let place = places.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    // Points in tasks, unrolled, in lanes.
    let part = (n / 3).max(1);
    let steps = match r.below(4) {
        _ if n < 2 => None,
        0 => Some((format!("{part}~limit"), "THR.x(partials)", "FOR.1")),
        1 => Some((format!("{}~limit", n.min(4)), "FOR.1", "UNR.1")),
        2 if n % 4 == 0 => Some(("4".into(), "FOR.1", "VEC.x")),
        _ => None,
    };
    let schedule = steps.as_ref().map(|(size, first, second)| {
        let list = |e: &str, other: &str| {
            let all: Vec<&str> = dims.iter().map(|dim| if dim.starts_with("e ") { e } else { other }).collect();
            all.join(",")
        };
        let numbered = |e: &str| {
            let each = |(n, dim): (usize, &String)| match dim.starts_with("e ") {
                true => e.to_owned(),
                false => format!("FOR.{}", n + 2),
            };
            dims.iter().enumerate().map(each).collect::<Vec<_>>().join(",")
        };
        let mut picked: Vec<usize> = vec![at("b")];
        picked.extend(two.then(|| at("c")));
        picked.sort_unstable();
        let picked: Vec<String> = picked.iter().map(ToString::to_string).collect();
        format!(
            " attributes {{mdh.schedule = [\"1: ({}) (^,^ ; ^) ({})\", \"2: ({}) (^,^ ; ^) ({})\"], mdh.scatter = array<i64: {}>}}",
            list(size, "^"),
            list(first, "^"),
            list("1", "1"),
            numbered(second),
            picked.join(", ")
        )
    });
    let text = format!(
        "func.func @f(%A: tensor<{shape}x{elem}>, %W: tensor<{n}x{out}>) -> tensor<{result}x{out}> {{
  %r = mdh.compute ({}) ins(%a = %A[{read}], %w = %W[e]) outs([{place}]){} {{
{body}    mdh.yield %given : {out}
  }} : (tensor<{shape}x{elem}>, tensor<{n}x{out}>) -> tensor<{result}x{out}>
  return %r : tensor<{result}x{out}>
}}",
        dims.join(", "),
        schedule.as_deref().unwrap_or_default(),
    );
    Program { text, scheduled: schedule.is_some() }
}

#[test]
fn points_that_name_their_places() {
    let mut r = Random::new(11);
    let mut given = 0;
    for _ in 0..PROGRAMS {
        let program = random_program(&mut r);
        if !program.scheduled {
            agree(&program.text);
            continue;
        }
        // Written beside the schedule, or left to follow from it.
        let (before, said) = program.text.split_once(", mdh.scatter = ").expect("beside the schedule");
        let (dims, after) = said.split_once('>').expect("an array");
        let follows = given % 2 == 0;
        let text = &if follows { format!("{before}{after}") } else { program.text.clone() };
        let wanted = as_it_is(&parse(text), "f");
        let mut ir = parse(text);
        if follows {
            lower(&mut ir, CHOOSE, text);
            let shown = shown(&ir);
            let small = shown.contains("mdh.schedule") && !shown.contains("mdh.scatter");
            assert!(
                shown.contains(&format!("mdh.scatter = {dims}>")) || small && places(text) < 16,
                "{shown}"
            );
        }
        for step in ["func.func(mdh-to-sched)", DOWN] {
            lower(&mut ir, step, text);
            same(&wanted, &lowered(&ir, "f", text, 1), &format!("{step}\n{text}"));
        }
        given += 1;
    }
    assert!(given > PROGRAMS / 5, "only {given} had schedules");
}

/// Comparisons of a point
fn places(text: &str) -> i64 {
    let extent = |dim: &str| {
        let at = text.find(&format!("{dim} in "))?;
        text[at + 5..].split(|c: char| !c.is_ascii_digit()).next()?.parse::<i64>().ok()
    };
    extent("b").unwrap_or(1) * extent("c").unwrap_or(1)
}

fn histogram(miss: &str, place: &str, shape: &str) -> String {
    format!(
        "func.func @f(%A: tensor<64xi32>) -> tensor<{shape}xi32> {{
  %r = mdh.compute (e in 64 pw add, b in 32) ins(%a = %A[e]) outs([{place}]) {{
    %zero = arith.constant {miss} : i32
    %one = arith.constant 1 : i32
    %bin = mdh.index 1
    %at = arith.index_cast %bin : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %n = arith.select %hit, %one, %zero : i32
    mdh.yield %n : i32
  }} : (tensor<64xi32>) -> tensor<{shape}xi32>
  return %r : tensor<{shape}xi32>
}}"
    )
}

/// Is a loop over bins left?
fn compares(text: &str) -> bool {
    let mut ir = parse(text);
    lower(&mut ir, CHOOSE, text);
    !shown(&ir).contains("mdh.scatter")
}

const CHOOSE: &str = "func.func(mdh-schedule{target=x86-64-v4})";

fn shown(ir: &terrace_ir::Ir) -> String {
    let mut shown = String::new();
    terrace_text::print(ir, &terrace_text::PrintOptions::default(), &mut shown);
    shown
}

/// A schedule that takes a bin's own way through the elements keeps it
#[test]
fn what_a_given_schedule_says_of_places_holds() {
    for (steps, stays) in [
        ("\"1: (16,^) (^ ; ^) (THR.x,^)\", \"2: (1,1) (^ ; ^) (FOR.1,FOR.2)\"", false),
        ("\"1: (^,4) (^ ; ^) (^,UNR.1)\", \"2: (1,1) (^ ; ^) (FOR.1,UNR.2)\"", false),
        ("\"1: (^,8) (^ ; ^) (^,THR.x)\", \"2: (1,1) (^ ; ^) (FOR.1,FOR.2)\"", true),
        ("\"1: (^,8) (^ ; REG) (^,FOR.1)\", \"2: (1,1) (^ ; ^) (FOR.1,FOR.2)\"", true),
        ("\"1: (1,1) (^ ; ^) (FOR.1,FOR.2)\"], mdh.scatter = array<i64>, x = [\"\"", true),
    ] {
        let attribute = format!("outs([b]) attributes {{mdh.schedule = [{steps}]}}");
        let text = histogram("0", "b", "32").replace("outs([b])", &attribute);
        let wanted = as_it_is(&parse(&text), "f");
        let mut ir = parse(&text);
        lower(&mut ir, CHOOSE, &text);
        let scattered = shown(&ir).contains("mdh.scatter = array<i64: 1>");
        assert_eq!(scattered, !stays, "{steps}");
        lower(&mut ir, "func.func(mdh-to-sched)", &text);
        same(&wanted, &lowered(&ir, "f", &text, 1), &text);
    }
}

/// What does not hit must be neutral, and a place the coordinate itself: else every bin is visited
#[test]
fn what_does_not_fit_stays_as_it_is() {
    for (text, stays) in [
        (histogram("0", "b", "32"), false),
        (histogram("1", "b", "32"), true),
        (histogram("0", "b + 3", "35"), true),
        (histogram("0", "2 * b", "63"), true),
    ] {
        assert_eq!(compares(&text), stays, "{text}");
        agree(&text);
    }
}

/// An author who writes the attribute is checked as well
#[test]
fn a_given_scatter_is_checked() {
    let attribute = "outs([b]) attributes {mdh.scatter = array<i64: 1>}";
    let text = histogram("1", "b", "32").replace("outs([b])", attribute);
    let mut ir = parse(&text);
    let why = HARNESS.run(&mut ir, "func.func(mdh-to-sched)").expect_err("a miss counts");
    assert!(why.contains("S-SCATTER: what misses is not neutral for `add`"), "{why}");
}

/// Rows are reduced in a computation of their own, then prefixes are taken
#[test]
fn prefixes_of_reductions() {
    let mut r = Random::new(5);
    for _ in 0..6 {
        let (m, n, k) = (r.pick(&[1, 3, 40, 90]), r.pick(&[16, 33, 400]), r.pick(&[1, 2]));
        let operator = r.pick(&["add", "max"]);
        let start = r.below(2) == 0;
        let (more, into) =
            if start { (format!(", %S: tensor<{k}x{m}xi32>"), " into %S") } else { Default::default() };
        let dims = r.pick(&["h in K, i in M ps OP, j in N pw OP", "j in N pw OP, h in K, i in M ps OP"]);
        let dims =
            dims.replace('K', &k.to_string()).replace('M', &m.to_string()).replace('N', &n.to_string());
        let dims = dims.replace("OP", operator);
        agree(&format!(
            "func.func @f(%A: tensor<{k}x{m}x{n}xi32>{more}) -> tensor<{k}x{m}xi32> {{
  %s = mdh.compute ({dims}) ins(%x = %A[h, i, j]) outs([h, i]{into}) {{
    %i = mdh.index {}
    %c = arith.index_cast %i : index to i32
    %y = arith.addi %x, %c : i32
    mdh.yield %y : i32
  }} : (tensor<{k}x{m}x{n}xi32>{}) -> tensor<{k}x{m}xi32>
  return %s : tensor<{k}x{m}xi32>
}}",
            if dims.starts_with('h') { 1 } else { 2 },
            if start { format!(", tensor<{k}x{m}xi32>") } else { String::new() },
        ));
    }
}

/// Blocks have bins of their own in shared memory: rounds that do not divide, rows, a start, several outputs, places beyond
#[test]
fn points_meet_by_atomics_on_a_grid() {
    for (n, bins, rows, operator, miss, start) in [
        (256, 16, 0, "add", "0", false),
        (700, 33, 2, "add", "0", true),
        (301, 40, 3, "max", "-2147483648", false),
        (260, 17, 0, "minui", "-1", true),
        (999, 20, 0, "xor", "0", true),
    ] {
        let (dims, place, shape, read) = match rows {
            0 => (String::new(), "b".to_owned(), format!("{bins}"), "e"),
            _ => (format!(", i in {rows}"), "i, b".to_owned(), format!("{rows}x{bins}"), "i, e"),
        };
        let elements = if rows == 0 { format!("{n}") } else { format!("{rows}x{n}") };
        let ty = format!("tensor<{shape}xi32>");
        let (into, types) = match start {
            true => (" into %O", format!(", {ty}, {ty}")),
            false => ("", String::new()),
        };
        let text = format!(
            "func.func @f(%A: tensor<{elements}xi32>, %W: tensor<{n}xi32>, %O: {ty}) -> ({ty}, {ty}) {{
  %r:2 = mdh.compute (e in {n} pw ({operator}, {operator}), b in {bins}{dims}) ins(%a = %A[{read}], %w = %W[e]) outs([{place}]{into}, [{place}]{into}) {{
    %three = arith.constant 3 : i32
    %named = arith.muli %a, %three : i32
    %b = mdh.index 1
    %bin = arith.index_cast %b : index to i32
    %hit = arith.cmpi eq, %named, %bin : i32
    %miss = arith.constant {miss} : i32
    %x = arith.select %hit, %w, %miss : i32
    %y = arith.select %hit, %a, %miss : i32
    mdh.yield %x, %y : i32, i32
  }} : (tensor<{elements}xi32>, tensor<{n}xi32>{types}) -> ({ty}, {ty})
  return %r#0, %r#1 : {ty}, {ty}
}}"
        );
        let wanted = as_it_is(&parse(&text), "f");
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-schedule{target=opencl})", &text);
        let said = shown(&ir);
        assert!(said.contains("mdh.scatter = array<i64: 1>") && said.contains("; SM,SM)"), "{said}");
        for step in ["func.func(mdh-to-sched)", DOWN] {
            lower(&mut ir, step, &text);
            same(&wanted, &lowered(&ir, "f", &text, 2), &format!("{step}\n{text}"));
        }
    }
}
