//! `cargo xtask demo`: a matrix product from mathematics to machine code
//!
//! Sets up, builds the tools, then drives them over `test-files/demo/matmul.mlir`, as a user would: it calls no
//! crate of the framework. What a machine cannot serve is reported and left out; failures are reported, the demo continues, and
//! the exit code is 1.

mod arrays;
mod excerpt;
mod numpy;

use crate::components;
use crate::setup::nvidia::Wheels;
use crate::tools::{Backend, Profile};
use crate::workspace::Workspace;
use crate::{Fallible, process, tools};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

const PROGRAM: &str = "test-files/demo/matmul.mlir";

/// Rows of A, columns of B, and what is summed over
const SHAPE: [usize; 3] = [16, 1000, 2048];

/// `cargo xtask demo`
pub fn command(ws: &Workspace) -> Fallible {
    let tools = tools::build(ws, tools::TO_RUN, Profile::Tools)?;
    let start = Instant::now();
    let mut demo = Demo::new(ws, tools)?;
    demo.show();
    say!("\nThe demo took {:.1} s. {}", start.elapsed().as_secs_f64(), tools::to_call(&demo.tools));
    say!("`cargo xtask build` builds the others: terrace-view, terrace-tune, terrace-filetest.");
    match demo.failures {
        0 => Ok(()),
        count => Err(format!("{count} steps of the demo failed (see above)")),
    }
}

/// The demo proper, on built tools
struct Demo<'a> {
    ws: &'a Workspace,
    tools: PathBuf,
    /// Where files of the demo go
    work: PathBuf,
    /// What `terrace-opt --list-passes` says
    passes: String,
    failures: usize,
}

impl<'a> Demo<'a> {
    fn new(ws: &'a Workspace, tools: PathBuf) -> Fallible<Demo<'a>> {
        let work = ws.state().join("demo");
        fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
        let passes = process::text(Command::new(tools::program(&tools, "terrace-opt")).arg("--list-passes"))?;
        Ok(Demo { ws, tools, work, passes, failures: 0 })
    }

    fn show(&mut self) {
        self.title("The program: mathematics alone");
        say!("terrace-opt {PROGRAM}\n");
        self.step(|demo| demo.level("", "mlir", &[], 16));
        self.levels();
        self.devices();
        let backends = self.agreement();
        self.arrays(&backends);
    }

    fn title(&self, text: &str) {
        say!("\n━━ {text} {}", "━".repeat(100usize.saturating_sub(text.chars().count() + 4)));
    }

    fn step(&mut self, what: impl FnOnce(&Self) -> Fallible) {
        if let Err(why) = what(self) {
            self.failures += 1;
            say!("FAILED: {why}");
        }
    }

    /// Text of a named pipeline, if the tool has it
    fn pipeline(&self, name: &str) -> Option<String> {
        let mut lines = self.passes.lines().skip_while(|line| line.split_whitespace().next() != Some(name));
        lines.nth(1)?.trim().strip_prefix("= ").map(str::to_owned)
    }

    /// One level: the tool's output, shortened to the lines that tell most
    fn level(&self, pipeline: &str, form: &str, telling: &[&str], lines: usize) -> Fallible {
        let mut tool = self.opt(pipeline, form);
        let start = Instant::now();
        let text = process::text(&mut tool)?;
        let ms = start.elapsed().as_secs_f64() * 1e3;
        say!("{}", excerpt::of(&text, telling, lines));
        say!("  [{} lines, {ms:.0} ms from the file]", text.lines().count());
        Ok(())
    }

    fn opt(&self, pipeline: &str, form: &str) -> Command {
        let mut tool = Command::new(self.tool("terrace-opt"));
        tool.current_dir(&self.ws.root).arg(PROGRAM).arg(format!("--emit={form}"));
        tool.arg(format!("--pipeline={pipeline}"));
        tool.args((form == "ptx").then_some("--target-cpu=sm_90"));
        tool
    }

    fn levels(&mut self) {
        let Some(host) = self.pipeline("to-host") else { return };
        let before = |pass: &str| host.find(pass).map(|at| host[..at].trim_end_matches(',').to_owned());
        if let Some(text) = before("sched-legalize") {
            self.title("Scheduled loops: tiles, levels, memory");
            say!("terrace-opt {PROGRAM} --pipeline={text:?}\n");
            self.step(|demo| demo.schedule());
            self.step(|demo| demo.level(&text, "mlir", &[], 24));
        }
        if let Some(text) = before("scf-parallel-to-calls") {
            self.title("Upstream's vocabulary: loops, memory, vectors; accumulators are values");
            say!("terrace-opt {PROGRAM} --pipeline={text:?}\n");
            let telling =
                ["vector.fma", "math.fma", "arith.mulf", "arith.addf", "memref.load", "vector.load"];
            self.step(|demo| demo.level(&text, "mlir", &telling, 20));
        }
        self.title("Blocks and branches: what LLVM IR is built from");
        say!("terrace-opt {PROGRAM} --pipeline=to-host\n");
        self.step(|demo| {
            demo.level("to-host", "mlir", &["vector.fma", "math.fma", "arith.mulf", "cf.br"], 14)
        });
        if !self.tool("terrace-native").is_file() {
            say!("\nskipped: LLVM IR and assembly (needs llvm)");
            return;
        }
        self.title("LLVM IR");
        say!("terrace-opt {PROGRAM} --pipeline=to-host --emit=llvm\n");
        self.step(|demo| demo.level("to-host", "llvm", &["fma", "fmul", "fadd"], 12));
        self.title("Assembly of this CPU");
        say!("terrace-opt {PROGRAM} --pipeline=to-host --emit=asm\n");
        self.step(|demo| demo.level("to-host", "asm", &["vfmadd", "vmulss", "vmulps", "fmla"], 14));
    }

    /// The steps that were chosen for this CPU
    fn schedule(&self) -> Fallible {
        let text = process::text(&mut self.opt("func.func(mdh-schedule)", "mlir"))?;
        let steps = text.split("mdh.schedule = [").nth(1).unwrap_or_default();
        for step in steps.split('"').skip(1).step_by(2).take_while(|s| s.contains(": (")) {
            say!("  step {step}");
        }
        say!("");
        Ok(())
    }

    fn tool(&self, name: &str) -> PathBuf {
        tools::program(&self.tools, name)
    }

    /// Texts for devices
    fn devices(&mut self) {
        if self.pipeline("to-opencl").is_some() {
            self.title("The same program for a device: OpenCL C");
            say!("terrace-opt {PROGRAM} --pipeline=to-opencl --emit=opencl\n");
            self.step(|demo| demo.level("to-opencl", "opencl", &["barrier", "get_local_id", "fma"], 18));
        }
        if self.pipeline("to-ptx").is_none() || !self.tool("terrace-native").is_file() {
            return;
        }
        self.title("PTX for an H100");
        say!("terrace-opt {PROGRAM} --pipeline=to-ptx --emit=ptx --target-cpu=sm_90\n");
        self.step(|demo| demo.level("to-ptx", "ptx", &["fma.rn", "bar.sync", "ld.shared"], 12));
        let wheels = Wheels::find(self.ws).map(|wheels| wheels.ptxas);
        let ptxas = wheels.or_else(|| process::in_path("ptxas").then(|| "ptxas".into()));
        let Some(ptxas) = ptxas else {
            say!("\nskipped: ptxas (needs nvidia: cargo xtask setup --nvidia)");
            return;
        };
        self.step(|demo| {
            let file = demo.work.join("matmul.ptx");
            process::text(demo.opt("to-ptx", "ptx").arg("-o").arg(&file))?;
            let cubin = demo.work.join("matmul.cubin");
            let mut command = Command::new(ptxas);
            let out = process::capture(command.args(["-arch=sm_90", "-v"]).arg(&file).arg("-o").arg(cubin))?;
            let said = String::from_utf8_lossy(&out.stderr).into_owned();
            if !out.status.success() {
                return Err(format!("ptxas refuses it: {said}"));
            }
            say!("\nptxas accepts it:");
            said.lines().filter(|line| line.contains("Used")).for_each(|line| say!("  {line}"));
            Ok(())
        });
    }

    /// Every back end against the interpreter, at a size that it finishes at once
    fn agreement(&mut self) -> Vec<Backend> {
        self.title("Do they agree? The interpreter against each, at 16×20×48");
        let backends = tools::backends(&self.tools);
        self.step(|demo| {
            let text =
                fs::read_to_string(demo.ws.root.join(PROGRAM)).map_err(|e| format!("{PROGRAM}: {e}"))?;
            let small = demo.work.join("small.mlir");
            fs::write(&small, text.replace("2048", "48").replace("1000", "20"))
                .map_err(|e| format!("{}: {e}", small.display()))?;
            let names: Vec<&str> = backends.iter().map(|backend| backend.name).collect();
            let list = format!("--compare=interp,{}", names.join(","));
            say!("terrace-run small.mlir --in=A=random:1 --in=B=random:2 {list}\n");
            let mut run = Command::new(demo.tool("terrace-run"));
            let run = run.arg(&small).args(["--in=A=random:1", "--in=B=random:2"]).arg(list);
            for line in process::text(run)?.lines() {
                say!("  {line}");
            }
            Ok(())
        });
        backends
    }

    /// Real arrays out of files and back into files, timed
    fn arrays(&mut self, backends: &[Backend]) {
        let [m, n, k] = SHAPE;
        self.title(&format!("Real arrays, {m}×{n}×{k}, read from and written to .npy files"));
        let (a, b) = (self.work.join("A.npy"), self.work.join("B.npy"));
        let mut written = Ok(());
        self.step(|_| {
            written = arrays::write(&a, [m, k], 1).and_then(|()| arrays::write(&b, [k, n], 2));
            written.clone()
        });
        if written.is_err() {
            return;
        }
        let mut rows = Vec::new();
        for backend in backends {
            let out = self.work.join(format!("C-{}.npy", backend.name));
            let mut run = Command::new(self.tool("terrace-run"));
            run.current_dir(&self.ws.root).arg(PROGRAM);
            run.arg(format!("--in=A={}", a.display())).arg(format!("--in=B={}", b.display()));
            run.arg(format!("--out=C={}", out.display()));
            run.args([format!("--on={}", backend.name), "--bench=10".to_owned()]);
            if rows.is_empty() {
                let name = backend.name;
                say!(
                    "terrace-run {PROGRAM} --in=A=A.npy --in=B=B.npy --out=C=C-{name}.npy --on={name} --bench\n"
                );
            }
            self.step(|_| {
                let line = process::text(&mut run)?;
                let times: Value =
                    serde_json::from_str(&line).map_err(|e| format!("terrace-run: {e}: {line}"))?;
                let ms = times["median_ns"].as_f64().unwrap_or(0.0) / 1e6;
                rows.push((backend.what.to_owned(), Some(ms), times["gflops"].as_f64(), Some(out)));
                Ok(())
            });
        }
        match components::python_with_numpy() {
            None => say!("skipped: numpy's opinion and speed (needs numpy)"),
            Some(python) => self.step(|_| {
                let files: Vec<PathBuf> = rows.iter().filter_map(|row| row.3.clone()).collect();
                let said = numpy::compare(&python, &a, &b, &files)?;
                said.lines.iter().for_each(|line| say!("  {line}"));
                for (threads, gflops) in said.gflops {
                    rows.push((format!("numpy, {threads}"), None, Some(gflops), None));
                }
                Ok(())
            }),
        }
        say!("\n  {:<36} {:>10} {:>10}", "", "ms", "GFLOP/s");
        for (what, ms, gflops, _) in &rows {
            let number = |value: &Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.2}"));
            say!("  {what:<36} {:>10} {:>10}", number(ms), number(gflops));
        }
    }
}
