//! Atomic updates: each operator on each type, in device and in shared memory, on each back end. What a device's table has
//! compiles and gives the interpreter's values; what it has not is refused before anything is printed.

use crate::common;

use common::{installed, refused, run, stdout};
use terrace_devices::{Device, Element, Support, Update, Updated};
use terrace_opt::{Tool, run_on};
use terrace_runtime_cuda::{nvrtc_compile, ptxas_check};

/// An update by all operators of a type: each thread updates one of three elements
///
/// Values are small integers, so that sums and products are exact in any order. Three elements of 16 bits end within a word.
fn program(element: Element, memory: Updated) -> String {
    let ty = element.word();
    let suffix = if element.is_float() { "f" } else { "i" };
    let (convert, value) = match element.is_float() {
        true => (
            format!("    %w = arith.index_cast %r : index to i32\n    %v = arith.sitofp %w : i32 to {ty}\n"),
            "%v",
        ),
        false => (format!("    %v = arith.index_cast %r : index to {ty}\n"), "%v"),
    };
    let shared = memory == Updated::Shared;
    let space = if shared { ", #gpu.address_space<workgroup>" } else { "" };
    let (mut args, mut locals, mut first, mut updates, mut last) =
        (vec![], vec![], String::new(), String::new(), String::new());
    for update in element.updates() {
        let kind = match update {
            Update::Add | Update::Mul => format!("{update}{suffix}"),
            Update::Min | Update::Max if element.is_float() => format!("{update}imumf"),
            Update::Min | Update::Max => format!("{update}s"),
            Update::MinU | Update::MaxU => update.word().replace("ui", "u"),
            Update::And | Update::Or | Update::Xor => format!("{update}i"),
        };
        args.push(format!("%{update}: memref<3x{ty}>"));
        let place = if shared { format!("%s_{update}") } else { format!("%{update}") };
        if shared {
            locals.push(format!("{place} : memref<3x{ty}{space}>"));
            first += &format!(
                "      %f_{update} = memref.load %{update}[%k] : memref<3x{ty}>\n      memref.store %f_{update}, {place}[%k] : memref<3x{ty}{space}>\n"
            );
            last += &format!(
                "      %l_{update} = memref.load {place}[%k] : memref<3x{ty}{space}>\n      memref.store %l_{update}, %{update}[%k] : memref<3x{ty}>\n"
            );
        }
        updates += &format!(
            "    memref.atomic_rmw {kind} {value}, {place}[%k] : ({ty}, memref<3x{ty}{space}>) -> {ty}\n"
        );
    }
    let (blocks, locals) = match shared {
        true => ("%c1", format!(" workgroup({})", locals.join(", "))),
        false => ("%c5", String::new()),
    };
    let guarded = |body: String| match shared {
        true => format!("    scf.if %own {{\n{body}    }}\n    gpu.barrier\n"),
        false => String::new(),
    };
    format!(
        "\
func.func @f({}) {{
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c13 = arith.constant 13 : index
  gpu.launch blocks(%a, %b, %c) in (%g = {blocks}, %h = %c1, %o = %c1) threads(%x, %y, %z) in (%p = %c13, %q = %c1, %n = %c1){locals} {{
    %k = arith.remui %x, %c3 : index
    %own = arith.cmpi ult, %x, %c3 : index
    %e = arith.muli %a, %c3 : index
    %i = arith.addi %e, %x : index
    %j = arith.remui %i, %c5 : index
    %d = arith.divui %j, %c2 : index
    %big = arith.cmpi eq, %i, %c13 : index
    %one = arith.select %big, %c3, %c1 : index
    %t = arith.addi %d, %one : index
    %s = arith.cmpi ult, %x, %c5 : index
    %r = arith.select %s, %t, %c1 : index
{convert}{}{updates}{}    gpu.terminator
  }}
  return
}}
",
        args.join(", "),
        guarded(first),
        if shared { format!("    gpu.barrier\n{}", guarded(last)) } else { String::new() }
    )
}

/// All programs: types and memories
fn programs() -> impl Iterator<Item = (Element, Updated, String)> {
    let memories = [Updated::Device, Updated::Shared];
    Element::ALL
        .iter()
        .flat_map(move |element| memories.map(|memory| (*element, memory, program(*element, memory))))
}

/// Does the device update the type by every operator, or by none?
fn accepted(device: &str, memory: Updated, element: Element) -> bool {
    let atomics = Device::find(device).expect("built in").atomics;
    let all: Vec<bool> =
        element.updates().map(|update| atomics.of(memory, update, element) != Support::None).collect();
    assert!(all.iter().all(|has| *has == all[0]), "{device} {memory} {element}");
    all[0]
}

/// Values of the interpreter and of a back end, or its refusal
fn compare(on: &str, device: &str, code: &str) {
    for (element, memory, text) in programs() {
        compare_one(on, device, code, element, memory, &text);
    }
}

fn compare_one(on: &str, device: &str, code: &str, element: Element, memory: Updated, text: &str) {
    let name = format!("atomics-{on}-{element}-{memory}");
    if let Some(component) = terrace_targets::find(on).expect("it is in the list").missing() {
        println!("skipped: {name} (needs {component})");
        return;
    }
    let of_table = if device == "openmp" { Updated::Main } else { memory };
    let inputs: Vec<String> = element.updates().map(|update| format!("--in={update}=fill:1")).collect();
    let on = format!("--compare=interp,{on}");
    let args: Vec<&str> = inputs.iter().map(String::as_str).chain([on.as_str()]).collect();
    let out = run(&name, text, &args);
    if !accepted(device, of_table, element) {
        return refused(&out, 1, code);
    }
    let messages = String::from_utf8_lossy(&out.stderr);
    if element == Element::F16 && messages.contains("lacks cl_khr_fp16") {
        println!("skipped: {name} (needs a device with cl_khr_fp16)");
        return;
    }
    let shown = stdout(&out);
    for update in element.updates() {
        assert!(shown.contains(&format!("{update}: all 3 elements agree")), "{name}:\n{shown}");
    }
}

#[test]
fn opencl_gives_the_values_that_its_table_has() {
    compare("opencl", "opencl", "E0750");
}

#[test]
fn openmp_gives_the_values_that_its_table_has() {
    compare("openmp", "openmp", "E0750");
}

#[test]
fn the_host_gives_the_values_that_its_table_has() {
    compare("host", "openmp", "E0720");
}

/// Code of a target, or its messages
fn emit(name: &str, text: &str, form: &str, cpu: &str) -> Result<String, String> {
    let target = if form == "spirv-text" { "spirv" } else { form };
    let args = [format!("--pipeline=to-{target}"), format!("--emit={form}"), format!("--target-cpu={cpu}")];
    let finished = run_on(Tool::OPT, &args[..if form == "spirv-text" { 2 } else { 3 }], name, text)
        .expect("the arguments are right");
    match finished.failed {
        true => Err(finished.messages),
        false => Ok(String::from_utf8(finished.out.expect("it did not fail")).expect("it is text")),
    }
}

#[test]
fn nvrtc_takes_the_updates_of_the_table() {
    let folder = installed("nvrtc_dir");
    if folder.is_none() {
        println!("skipped: nvrtc_takes_the_updates_of_the_table (needs nvidia)");
    }
    for (element, memory, text) in programs() {
        let name = format!("{element} {memory}");
        match emit(&name, &text, "cuda", "sm_90") {
            Ok(source) => {
                assert!(accepted("cuda", memory, element), "{name}");
                assert_eq!(source.contains("atomicAdd"), element.bits() >= 32, "{name}:\n{source}");
                for arch in ["compute_80", "compute_90"] {
                    let flags = terrace_lowering_c::Flavor::Cuda.compile_flags();
                    let Some(folder) = &folder else { continue };
                    let ptx = nvrtc_compile(&source, arch, flags, Some(folder));
                    let ptx = ptx.unwrap_or_else(|error| panic!("{name}: {error}\n{source}"));
                    let native = ["atom.", "red."].iter().any(|word| ptx.text.contains(word));
                    assert!(native, "{name}");
                }
            }
            Err(messages) => {
                assert!(!accepted("cuda", memory, element), "{name}: {messages}");
                assert!(messages.contains("E0750"), "{messages}");
            }
        }
    }
}

#[test]
fn ptxas_takes_the_updates_of_the_table() {
    if terrace_native_client::client::find().is_err() {
        println!("skipped: ptxas_takes_the_updates_of_the_table (needs llvm)");
        return;
    }
    let ptxas = installed("ptxas");
    if ptxas.is_none() {
        println!("skipped: ptxas_takes_the_updates_of_the_table (needs nvidia)");
    }
    for (element, memory, text) in programs() {
        for arch in ["sm_80", "sm_90"] {
            let name = format!("{element} {memory} {arch}");
            match (emit(&name, &text, "ptx", arch), &ptxas) {
                (Ok(ptx), Some(ptxas)) => {
                    assert!(accepted("cuda", memory, element), "{name}");
                    ptxas_check(ptxas, &ptx, arch).unwrap_or_else(|error| panic!("{name}: {error}\n{ptx}"));
                }
                (Ok(_), None) => assert!(accepted("cuda", memory, element), "{name}"),
                (Err(messages), _) => {
                    assert!(!accepted("cuda", memory, element), "{name}: {messages}");
                    assert!(messages.contains("E0720"), "{messages}");
                }
            }
        }
    }
}

/// SPIR-V has no bf16 at all; all else is as the table has it
#[test]
fn spirv_has_the_updates_of_the_table() {
    if terrace_native_client::client::find().is_err() {
        println!("skipped: spirv_has_the_updates_of_the_table (needs llvm)");
        return;
    }
    for (element, memory, text) in programs() {
        let name = format!("{element} {memory}");
        let code = match element {
            Element::Bf16 => Some("E0721"),
            _ => (!accepted("opencl", memory, element)).then_some("E0720"),
        };
        match (emit(&name, &text, "spirv-text", ""), code) {
            (Ok(text), None) => assert!(text.contains("OpAtomic"), "{name}:\n{text}"),
            (Err(messages), Some(code)) => assert!(messages.contains(code), "{name}: {messages}"),
            (Ok(text), Some(_)) => panic!("{name} is refused\n{text}"),
            (Err(messages), None) => panic!("{name}: {messages}"),
        }
        if element == Element::Bf16 {
            continue;
        }
        compare_one("spirv", "opencl", "E0720", element, memory, &text);
    }
}
