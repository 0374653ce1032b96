//! The program that simulates: it gives the component a clock and memories, and counts cycles from `go` to `done`.

use std::fmt::Write;
use terrace_lowering_calyx::{PROBES, Printed};
use terrace_runtime_buffers::Buffer;
use terrace_target_api::{Form, Signature, bits};

const HELPERS: &str = include_str!("driver.cpp");

/// The text for these arguments
pub(crate) fn text(printed: &Printed, signature: &Signature, given: &[Buffer]) -> String {
    let (mut read, mut serve, mut give, mut take) = <(String, String, String, String)>::default();
    for (n, (slot, buffer)) in signature.params.iter().zip(given).enumerate() {
        if slot.form == Form::MemRef {
            let size = buffer.elem().size();
            let _ = writeln!(read, "  Memory m{n}({}, {size});", buffer.bytes().len());
            let _ = writeln!(give, "  m{n}.give();");
        }
    }
    for port in &printed.ports {
        let (name, n) = (&port.name, port.argument);
        let (write, value) = match port.writes {
            true => (format!("top.{name}_write"), format!("top.{name}_in")),
            false => ("false".into(), "0".into()),
        };
        let _ = writeln!(
            serve,
            "    uint64_t {name} = m{n}.serve(top.{name}_en, {write}, top.{name}_addr, {value}, top.{name}_out);"
        );
        let _ = writeln!(take, "    top.{name}_out = {name};");
    }
    for number in &printed.numbers {
        let value = given.get(number.argument).map_or(0, |buffer| bits(buffer, 0));
        let _ = writeln!(read, "  top.{} = {value:#x}ull;", number.name);
    }
    for (n, probe) in PROBES.iter().enumerate() {
        let _ = writeln!(serve, "    cycles[{n}] += top.is_{probe};");
    }
    format!(
        "{HELPERS}
int main(int argc, char **argv) {{
  Verilated::commandArgs(argc, argv);
  Vmain top;
{read}  uint64_t cycles[{}] = {{0}}, total = 0;
  top.go = 0, top.reset = 1;
  for (int n = 0; n < 4; n++) tick(top);
  top.reset = 0, top.go = 1;
  for (;;) {{
    top.clk = 0, top.eval();
    if (top.done) break;
{serve}    top.clk = 1, top.eval();
{take}    total++;
  }}
{give}  put(&total, 8);
  put(cycles, sizeof cycles);
  return 0;
}}
",
        PROBES.len()
    )
}
