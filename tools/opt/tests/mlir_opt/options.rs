//! What each option does.

use super::{SUMS, folder, on, run};

#[track_caller]
fn prints(test: &str, args: &[&str], pieces: &[&str]) {
    let seen = on(test, SUMS, args);
    assert_eq!(seen.code, Some(0), "{args:?}\n{}", seen.err);
    for piece in pieces {
        assert!(seen.out.contains(piece), "{args:?} should print `{piece}`, but:\n{}", seen.out);
    }
}

#[track_caller]
fn says(test: &str, args: &[&str], pieces: &[&str]) {
    let seen = on(test, SUMS, args);
    assert_eq!(seen.code, Some(0), "{args:?}\n{}", seen.err);
    for piece in pieces {
        assert!(seen.err.contains(piece), "{args:?} should say `{piece}`, but:\n{}", seen.err);
    }
}

#[test]
fn passes_run_in_the_order_of_their_flags() {
    says(
        "order",
        &["-cse", "--canonicalize", "--dump-pass-pipeline"],
        &["  cse,\n  canonicalize{  max-iterations=10 "],
    );
    prints(
        "flags",
        &["-canonicalize", "-cse"],
        &["arith.addi %arg0, %c1_i32", "arith.muli %0, %0", "\n}\n\n"],
    );
    prints("text", &["--pass-pipeline=builtin.module(func.func(cse))"], &["arith.muli %0, %0"]);
    prints("alias", &["-p", "builtin.module(func.func(cse))"], &["arith.muli %0, %0"]);
}

#[test]
fn cse_erases_what_is_unused_and_looks_once() {
    let text = "func.func @f(%a: i32, %c: i1) {\n  %x = arith.addi %a, %a : i32\n  scf.if %c {\n    %y = arith.muli %x, %a : i32\n  }\n  return\n}\n";
    let seen = on("unused", text, &["-cse"]);
    assert!(seen.out.contains("arith.addi") && !seen.out.contains("scf.if"), "{}", seen.out);
}

#[test]
fn names_of_authors_are_dropped() {
    let seen = on("names", SUMS, &[]);
    assert!(!seen.out.contains("%x") && seen.out.contains("%arg0"), "{}", seen.out);
}

#[test]
fn passes_of_this_tool_run_too() {
    says("own", &["--mdh-inline", "--dump-pass-pipeline"], &["func.func(\n    mdh-inline\n  )"]);
}

#[test]
fn ir_is_printed_around_passes() {
    let header = "// -----// IR Dump After CSE (cse) //----- //\nmodule {";
    says("after-all", &["-cse", "--mlir-print-ir-after-all"], &[header]);
    says(
        "after",
        &["-cse", "-canonicalize", "--mlir-print-ir-after=canonicalize"],
        &["After Canonicalizer (canonicalize)"],
    );
    let one = on("after-one", SUMS, &["-cse", "-canonicalize", "--mlir-print-ir-after=canonicalize"]);
    assert_eq!(one.err.matches("IR Dump").count(), 1, "{}", one.err);
    says("before", &["-cse", "-canonicalize", "--mlir-print-ir-before=cse"], &["Before CSE (cse)"]);
    let seen =
        on("change", SUMS, &["-cse", "-cse", "--mlir-print-ir-after-all", "--mlir-print-ir-after-change"]);
    assert_eq!(seen.err.matches("IR Dump After").count(), 1, "{}", seen.err);
    let seen = on("failure", SUMS, &["-cse", "--mlir-print-ir-after-failure"]);
    assert_eq!(seen.err, "");
}

/// A pipeline that is printed can be read again, with the same values
#[test]
fn values_with_blanks_are_printed_in_braces() {
    let dump = |options: &str| {
        let pipeline = format!("--pass-pipeline=builtin.module(inline{{{options}}})");
        on("braces", SUMS, &[&pipeline, "--dump-pass-pipeline"]).err
    };
    let text = "default-pipeline={cse, canonicalize} inlining-threshold=16 ";
    assert!(dump("default-pipeline={cse, canonicalize} inlining-threshold=0x10").contains(text));
    assert!(dump(text).contains(text));
}

#[test]
fn all_names_of_a_pass_stand_for_it() {
    let lines = [("--licm", "loop-invariant-code-motion"), ("--loop-invariant-code-motion", "licm")];
    for (pass, name) in lines.into_iter().chain([("--licm", "licm")]) {
        let seen = on("aliases", SUMS, &[pass, &format!("--mlir-print-ir-after={name}")]);
        assert_eq!(seen.err.matches("IR Dump After").count(), 1, "{pass} {name}: {}", seen.err);
    }
}

/// Modules without a name or a place of their own differ in where they are
#[test]
fn the_module_is_printed_around_each_of_two_that_look_alike() {
    let one = |name| format!("module {{ func.func @{name}() {{ return }} }} loc(unknown)\n");
    let text = one("a") + &one("b");
    let args = [
        "--pass-pipeline=builtin.module(builtin.module(cse))",
        "--mlir-print-ir-after-all",
        "--mlir-print-ir-module-scope",
        "--mlir-disable-threading",
    ];
    let seen = on("alike", &text, &args);
    for name in ["@a", "@b"] {
        assert_eq!(seen.err.matches(name).count(), 2, "{name}: {}", seen.err);
    }
}

/// Passes inside of a step are not seen, however deep they nest
#[test]
fn what_a_step_has_inside_is_one_step() {
    let text = "func.func @f() {\n  module {}\n  return\n}\n";
    let inner = "--pass-pipeline=builtin.module(inline{default-pipeline=any(cse,canonicalize)})";
    let seen = on(
        "inside",
        text,
        &[
            "--mlir-very-unsafe-disable-verifier-on-parsing",
            "--verify-each=false",
            "--mlir-print-ir-after-all",
            inner,
        ],
    );
    assert!(!seen.err.contains("panicked"), "{}", seen.err);
    assert_eq!(seen.err.matches("IR Dump After").count(), 1, "{}", seen.err);
}

#[test]
fn nested_passes_print_their_function_or_the_module() {
    let nested = "--pass-pipeline=builtin.module(func.func(cse))";
    says("function", &[nested, "--mlir-print-ir-after-all"], &["(cse) //----- //\nfunc.func @f"]);
    let scope = ["--mlir-print-ir-after-all", "--mlir-print-ir-module-scope", "--mlir-disable-threading"];
    says(
        "module",
        &[&[nested], &scope[..]].concat(),
        &["(cse) ('func.func' operation: @f) //----- //\nmodule {", "muli %0, %0"],
    );
    let seen = on("threads", SUMS, &[nested, "--mlir-print-ir-after-all", "--mlir-print-ir-module-scope"]);
    let one = std::thread::available_parallelism().is_ok_and(|threads| threads.get() == 1);
    assert!(
        one || (seen.code == Some(1) && seen.err.contains("without disabling multi-threading")),
        "{}",
        seen.err
    );
}

#[test]
fn ir_is_printed_into_folders() {
    let folder = folder("tree");
    std::fs::write(folder.join("in.mlir"), SUMS).expect("it can be written");
    let nested = "--pass-pipeline=builtin.module(cse,func.func(canonicalize))";
    let seen =
        run(&folder, &["in.mlir", nested, "--mlir-print-ir-after-all", "--mlir-print-ir-tree-dir=tree"]);
    assert!(seen.status.success() && seen.stderr.is_empty());
    let module = folder.join("tree/builtin_module_no-symbol-name");
    for file in ["0_cse.mlir", "func_func_f/0_0_canonicalize.mlir"] {
        let text = std::fs::read_to_string(module.join(file)).expect(file);
        assert!(text.starts_with("// -----// IR Dump After"), "{text}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn forms_of_output() {
    prints("generic", &["-mlir-print-op-generic"], &["\"func.return\"(%3) : (i32) -> ()"]);
    prints("debuginfo", &["--mlir-print-debuginfo"], &["loc(\"in.mlir\":2:8)"]);
    prints("regions", &["--mlir-print-skip-regions"], &["module {...}\n"]);
    let seen = on("scope", SUMS, &["--mlir-print-local-scope"]);
    assert!(seen.out.starts_with("module {") && seen.out.ends_with("\n}\n"), "{}", seen.out);
    assert!(!seen.out.ends_with("\n\n"), "{}", seen.out);
}

#[test]
fn values_have_numbers_of_their_own() {
    let two = format!("{SUMS}{}", SUMS.replace("@f", "@g"));
    let numbers = |args: &[&str]| on("unique", &two, args).out.matches("%0 = ").count();
    assert_eq!((numbers(&[]), numbers(&["--mlir-print-unique-ssa-ids"])), (2, 1));
}

#[test]
fn numbers_go_on_in_generic_form() {
    let two = format!("{SUMS}{}", SUMS.replace("@f", "@g"));
    let seen = on("generic-numbers", &two, &["--mlir-print-op-generic"]);
    let (first, second) = seen.out.split_once("sym_name = \"g\"").expect("both are printed");
    assert!(first.contains("^bb0(%arg1: i32)") && first.contains("%4 = "), "{}", seen.out);
    assert!(second.contains("^bb0(%arg0: i32)") && second.contains("%0 = "), "{}", seen.out);
}

#[test]
fn comments_name_predecessors() {
    let text = "func.func @f(%c: i1) {\n  cf.cond_br %c, ^a, ^b\n^a:\n  cf.br ^b\n^b:\n  cf.br ^b\n^d:\n  return\n}\n";
    let seen = on("predecessors", text, &[]);
    for line in
        ["^bb1:  // pred: ^bb0\n", "^bb2:  // 3 preds: ^bb0, ^bb1, ^bb2\n", "^bb3:  // no predecessors\n"]
    {
        assert!(seen.out.contains(line), "{line}{}", seen.out);
    }
}

#[test]
fn elements_are_left_out_or_written_as_bytes() {
    let text =
        "module attributes {m.x = dense<[1, 2, 3]> : tensor<3xi8>, m.y = dense<4> : tensor<9xi8>} {}\n";
    let elided =
        on("elide", text, &["--mlir-elide-elementsattrs-if-larger=2", "--allow-unregistered-dialect"]);
    assert!(
        elided.out.contains("m.x = dense_resource<__elided__> : tensor<3xi8>, m.y = dense<4>"),
        "{}",
        elided.out
    );
    let hex =
        on("hex", text, &["--mlir-print-elementsattrs-with-hex-if-larger=2", "--allow-unregistered-dialect"]);
    assert!(hex.out.contains("dense<\"0x010203\">"), "{}", hex.out);
}

#[test]
fn resources_are_left_out() {
    let text = "module {}\n{-#\n  external_resources: {\n    mine: {\n      short: \"a\",\n      long: \"abcdefghijkl\"\n    }\n  }\n#-}\n";
    let all = on("resources", text, &[]);
    assert!(all.out.contains("long: \"abcdefghijkl\""), "{}", all.out);
    let some = on("resources-some", text, &["--mlir-elide-resource-strings-if-larger=5"]);
    assert!(some.out.contains("short: \"a\"\n") && !some.out.contains("long"), "{}", some.out);
    let none = on("resources-none", text, &["--mlir-elide-resource-strings-if-larger=1"]);
    assert!(!none.out.contains("{-#"), "{}", none.out);
}

#[test]
fn times_and_numbers() {
    says(
        "timing",
        &["-cse", "--mlir-timing"],
        &["Total Execution Time: ", "  ----Wall Time----  ----Name----\n", "  CSE\n", "%)  Total\n"],
    );
    let nested = "--pass-pipeline=builtin.module(func.func(cse))";
    says("timing-tree", &[nested, "--mlir-timing"], &["  'func.func' Pipeline\n", "    CSE\n"]);
    let list = on("timing-list", SUMS, &[nested, "--mlir-timing", "--mlir-timing-display=list"]);
    assert!(!list.err.contains("Pipeline") && list.err.contains("  CSE\n"), "{}", list.err);
    says(
        "timing-json",
        &[nested, "--mlir-timing", "--mlir-output-format=json"],
        &["\"name\": \"CSE\", \"passes\": [\n", "\"name\": \"Total\"}\n]\n"],
    );
    says(
        "statistics",
        &["-cse", "--mlir-pass-statistics"],
        &["... Pass statistics report ...", "CSE\n  (S) 1 "],
    );
    let list = ["--mlir-pass-statistics", "--mlir-pass-statistics-display=list"];
    says("statistics-list", &[&[nested], &list[..]].concat(), &["CSE\n  (S) 1 "]);
}

#[test]
fn parts_of_a_file() {
    let text = format!("{SUMS}// -----\nfunc.func @g() {{ nothing.here }}\n// -----\n{SUMS}");
    let seen = on("split", &text, &["--split-input-file"]);
    assert_eq!(seen.code, Some(1));
    assert!(seen.err.starts_with("in.mlir:9:"), "{}", seen.err);
    assert_eq!(seen.out.matches("// -----\n").count(), 2, "{}", seen.out);
    assert_eq!(seen.out.matches("@f").count(), 2, "{}", seen.out);
    let text = text.replace("// -----\n", "// here\n").replace("nothing.here", "return");
    let seen = on("markers", &text, &["--split-input-file=// here", "--output-split-marker=// there"]);
    assert_eq!((seen.code, seen.out.matches("\n// there\n").count()), (Some(0), 2), "{}", seen.out);
}

#[test]
fn a_file_is_written_only_if_all_parts_are_right() {
    let folder = folder("output");
    std::fs::write(folder.join("in.mlir"), format!("{SUMS}// -----\nwrong\n")).expect("it can be written");
    let args = ["in.mlir", "--split-input-file", "-o", "out.mlir"];
    assert_eq!(run(&folder, &args).status.code(), Some(1));
    assert!(!folder.join("out.mlir").exists());
    std::fs::write(folder.join("in.mlir"), SUMS).expect("it can be written");
    assert_eq!(run(&folder, &args).status.code(), Some(0));
    assert!(std::fs::read_to_string(folder.join("out.mlir")).is_ok_and(|text| text.contains("@f")));
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn messages_are_compared() {
    let text = "func.func @f() {\n  // expected-error@+1 {{not registered}}\n  nothing.here\n  return\n}\n";
    let seen = on("expected", text, &["--verify-diagnostics"]);
    assert_eq!((seen.code, seen.err.as_str()), (Some(0), ""));
    let wrong = text.replace("not registered", "something else");
    let seen = on("unexpected", &wrong, &["--verify-diagnostics"]);
    assert_eq!(seen.code, Some(1));
    assert!(
        seen.err.contains("in.mlir:3:3: error: unexpected error: ") && seen.err.contains("was not produced"),
        "{}",
        seen.err
    );
    let seen = on("only-expected", &wrong, &["--verify-diagnostics=only-expected"]);
    assert!(seen.code == Some(1) && !seen.err.contains("unexpected"), "{}", seen.err);
    let none = text.replace("  // expected-error@+1 {{not registered}}\n", "");
    assert_eq!(on("none-expected", &none, &["--verify-diagnostics=only-expected"]).code, Some(0));
}

#[test]
fn messages_show_line_caret_and_op() {
    let text = "func.func @f(%a: i32) -> i64 {\n  return %a : i32\n}\n";
    let seen = on("message", text, &[]);
    assert!(seen.err.starts_with("in.mlir:2:3: error: "), "{}", seen.err);
    assert!(seen.err.contains("\n  return %a : i32\n  ^\nin.mlir:2:3: note: see current operation: \"func.return\"(%arg0) : (i32) -> ()\n"), "{}", seen.err);
    let seen = on("notes", text, &["--mlir-disable-diagnostic-notes"]);
    assert!(seen.err.ends_with("  ^\n") && !seen.err.contains("note:"), "{}", seen.err);
    let seen = on("op", text, &["--mlir-print-op-on-diagnostic=false"]);
    assert!(!seen.err.contains("see current operation"), "{}", seen.err);
}

#[test]
fn what_is_verified() {
    let wrong = "func.func @f(%a: i32) -> i64 {\n  return %a : i32\n}\n";
    let seen = on("unverified", wrong, &["--mlir-very-unsafe-disable-verifier-on-parsing"]);
    assert_eq!(seen.code, Some(0), "{}", seen.err);
    prints("each", &["--verify-each=false", "-cse"], &["muli %0, %0"]);
    prints("roundtrip", &["--verify-roundtrip"], &["arith.muli %0, %1"]);
}

#[test]
fn without_a_module_around() {
    let seen = on("alone", SUMS, &["--no-implicit-module", "-cse", "--dump-pass-pipeline"]);
    assert!(
        seen.out.starts_with("func.func @f") && seen.err.contains("func.func(\n  cse\n)"),
        "{}",
        seen.out
    );
    let seen = on("two", &format!("{SUMS}{}", SUMS.replace("@f", "@g")), &["--no-implicit-module"]);
    assert_eq!(seen.err, "in.mlir:0:0: error: source must contain a single top-level operation, found: 2\n");
    let seen = on("other", "\"a.b\"() : () -> ()", &["--no-implicit-module", "--allow-unregistered-dialect"]);
    assert!(seen.code == Some(1) && seen.err.contains("does not stand for itself"), "{}", seen.err);
}

#[test]
fn unknown_dialects_are_accepted_on_demand() {
    let text = "\"a.b\"() : () -> ()\n";
    assert_eq!(on("unregistered", text, &[]).code, Some(1));
    assert_eq!(on("allowed", text, &["-allow-unregistered-dialect"]).code, Some(0));
}

#[test]
fn lists_stand_in_the_place_of_a_run() {
    prints(
        "help",
        &["--help"],
        &[
            "USAGE: mlir-opt [options] <input file>",
            "--pass-pipeline=<string>",
            "--loop-invariant-code-motion",
        ],
    );
    prints("version", &["--version"], &["in the place of mlir-opt 22"]);
    prints("passes", &["--list-passes"], &["--canonicalize", "--mem2reg", "--max-iterations=<long>"]);
    prints("dialects", &["--show-dialects"], &["Available Dialects: affine,arith,array,"]);
}

#[test]
fn response_files_and_ends_of_options() {
    let folder = folder("response");
    std::fs::write(folder.join("in.mlir"), SUMS).expect("it can be written");
    std::fs::write(folder.join("args"), "-cse\n--mlir-print-op-generic in.mlir").expect("it can be written");
    let out = run(&folder, &["@args"]);
    assert!(String::from_utf8_lossy(&out.stdout).contains("\"arith.muli\"(%1, %1)"));
    std::fs::write(folder.join("-cse"), SUMS).expect("it can be written");
    assert!(run(&folder, &["--", "-cse"]).status.success());
    std::fs::write(folder.join("inside"), "@inside @inside").expect("it can be written");
    let out = run(&folder, &["@inside"]);
    assert_eq!(String::from_utf8_lossy(&out.stderr), "mlir-opt: recursive expansion of: 'inside'\n");
    assert_eq!(out.status.code(), Some(1));
    let _ = std::fs::remove_dir_all(folder);
}

#[cfg(unix)]
#[test]
fn a_link_speaks_the_same() {
    let folder = folder("link");
    std::fs::write(folder.join("in.mlir"), SUMS).expect("it can be written");
    let link = folder.join("mlir-opt-22");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_terrace-opt"), &link).expect("links can be made");
    let out = std::process::Command::new(&link).current_dir(&folder).args(["in.mlir", "-css"]).output();
    let err = String::from_utf8_lossy(&out.expect("the link leads to the tool").stderr).into_owned();
    assert_eq!(
        err,
        "mlir-opt-22: Unknown command line argument '-css'.  Try: 'mlir-opt-22 --help'\nmlir-opt-22: Did you mean '--cse'?\n"
    );
    let _ = std::fs::remove_dir_all(folder);
}
