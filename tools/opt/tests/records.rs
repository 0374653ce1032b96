//! `--records`: schedules of a store, from the command line.

use std::path::Path;
use std::process::{Command, Output};
use terrace_dialect_mdh::Compute;
use terrace_ir::Ir;
use terrace_opt::Tool;
use terrace_passes_mdh::records::alone::{Alone, Functions};
use terrace_search_records::record::FORM;
use terrace_search_records::{About, Hash, Here, Record, Store, Target, setting};
use terrace_text::ParseOptions;

const PROGRAM: &str = "\
func.func @mm(%A: tensor<12x30xi32>, %B: tensor<30x20xi32>) -> tensor<12x20xi32> {
  %C = mdh.compute \"mm\" (i in 12, j in 20, k in 30 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<12x30xi32>, tensor<30x20xi32>) -> tensor<12x20xi32>
  return %C : tensor<12x20xi32>
}
";

/// The hash of its only computation
fn program_hash() -> Hash {
    let cx = Tool::OPT.context().expect("all go together");
    let source = cx.sources().add("test.mlir", PROGRAM.to_owned());
    let root =
        terrace_text::parse(&cx, source, &ParseOptions::default(), &mut terrace_diag::Diags::default());
    let root = root.expect("it is right");
    let unit: &Ir = root.walk().find_map(|op| root.child(op)).expect("there is a function");
    let op = unit.walk().find_map(|op| Compute::cast(unit, op)).expect("there is a computation");
    Alone::of(&Functions::of(&root), unit, op).hash()
}

/// A folder with the program, and a store with one record of it for this machine, with so many threads
fn folder(threads: u32, change: impl FnOnce(Record) -> Record) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("mm.mlir"), PROGRAM).expect("it can be written");
    let here = Here::now();
    let target = Target { device: terrace_devices::Device::host(), on: "host".into(), threads };
    let record = Record {
        form: FORM,
        program: program_hash(),
        target: target.hash(),
        compiler: here.compiler.hash(),
        machine: setting::of_machine(&here.machine),
        schedule: vec![
            "1: (4,10,^) (^,^ ; ^) (FOR.1,FOR.2,^)".into(),
            "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.3,FOR.2)".into(),
        ],
        seconds: 0.002,
        chosen: 0.003,
        about: About { machine: "some machine".into(), ..About::default() },
        unix: 0,
    };
    let store = Store::create(folder.path().join("store")).expect("a store");
    store.write(&[change(record)]).expect("it can be written");
    folder
}

fn cores() -> u32 {
    Here::now().machine.cores as u32
}

fn opt(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-opt"));
    let Output { status, stdout, stderr } =
        command.current_dir(folder).arg("mm.mlir").args(args).output().expect("cargo built the tool");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn a_named_pipeline_takes_the_schedule_and_says_so() {
    let folder = folder(cores(), |record| record);
    let (code, with, said) = opt(folder.path(), &["--pipeline=to-host", "--records=store"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("remark: schedule of record "), "{said}");
    assert!(
        said.contains("2.000 ms, 1.50 × the schedule chosen without measuring, on some machine"),
        "{said}"
    );
    assert!(said.contains("mm.mlir:2:"), "the remark has a place: {said}");
    let (_, without, said) = opt(folder.path(), &["--pipeline=to-host"]);
    assert_ne!(with, without, "another schedule is other code");
    assert!(!said.contains("record"), "{said}");
    let (code, steps, _) =
        opt(folder.path(), &["--pipeline=mdh-apply-records,func.func(mdh-schedule)", "--records=store"]);
    assert_eq!(code, Some(0));
    assert!(steps.contains("mdh.schedule = [\"1: (4,10,^)"), "{steps}");
}

#[test]
fn threads_are_those_of_units() {
    let folder = folder(3, |record| record);
    for (args, wanted) in [
        (&["--pipeline=to-host", "--records=store", "--units=3"][..], "remark: schedule of record "),
        (&["--pipeline=to-host", "--records=store", "--units=5"], "for other targets or numbers of threads"),
        (
            &["--pipeline=to-openmp-native", "--records=store", "--units=3"],
            "for other targets or numbers of threads",
        ),
    ] {
        let (code, _, said) = opt(folder.path(), args);
        assert!(code == Some(0) && said.contains(wanted), "{args:?}: {said}");
    }
}

#[test]
fn records_of_others_are_taken_on_request() {
    let folder = folder(cores(), |record| Record { machine: Hash::of("another one"), ..record });
    let host = ["--pipeline=to-host", "--records=store"];
    let (code, _, said) = opt(folder.path(), &host);
    assert!(code == Some(0) && said.contains("of other machines (`any-machine` takes them)"), "{said}");
    for from in ["--records-from=any-machine", "--records-from=any-compiler,any-machine"] {
        let (code, _, said) = opt(folder.path(), &[host[0], host[1], from]);
        assert!(code == Some(0) && said.contains("; this machine is another one"), "{said}");
    }
    let (code, _, said) = opt(folder.path(), &[host[0], host[1], "--records-from=anywhere"]);
    assert!(code == Some(2) && said.contains("any-machine, any-compiler"), "{said}");
    let (code, _, said) = opt(folder.path(), &["--pipeline=to-host", "--records-from=any-machine"]);
    assert!(code == Some(2) && said.contains("--records"), "{said}");
}

#[test]
fn what_is_no_store_has_a_code() {
    let folder = folder(1, |record| record);
    let place = |name: &str| folder.path().join(name);
    std::fs::create_dir(place("notes")).expect("it can be made");
    std::fs::create_dir(place("newer")).expect("it can be made");
    let newer = place("newer").join("terrace-records.json");
    std::fs::write(newer, "{\"store\":\"terrace-records/2\"}").expect("it can be written");
    for (records, wanted) in [
        ("--records=nowhere", "error[E0421]: there is no store `nowhere`"),
        ("--records=notes", "error[E0421]: `notes` is no store of records"),
        ("--records=mm.mlir", "error[E0421]: `mm.mlir` is no store of records"),
        ("--records=newer", "error[E0421]: `newer` is a store of the form `terrace-records/2`"),
    ] {
        let (code, out, said) = opt(folder.path(), &["--pipeline=to-host", records]);
        assert!(code == Some(1) && out.is_empty() && said.contains(wanted), "{records}: {said}");
    }
    let (code, _, said) = opt(folder.path(), &["--pipeline=func.func(mdh-schedule)", "--records=store"]);
    assert!(
        code == Some(1) && said.contains("`--records` wants a pipeline with `mdh-apply-records`"),
        "{said}"
    );
}

#[test]
fn damaged_lines_are_a_warning_and_the_others_are_taken() {
    let folder = folder(cores(), |record| record);
    std::fs::write(folder.path().join("store/other.jsonl"), "{}\n").expect("it can be written");
    let (code, _, said) = opt(folder.path(), &["--pipeline=to-host", "--records=store"]);
    assert!(code == Some(0) && said.contains("remark: schedule of record "), "{said}");
    assert!(said.contains("warning[E0423]: 1 damaged line of `other.jsonl` in `store` left out"), "{said}");
}
