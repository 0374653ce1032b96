//! `terrace-benches elsewhere`: the computations of `cpu` on the other back ends, without a GPU.
//!
//! Values: each program as OpenCL C on an OpenCL device and as C with OpenMP, against the code for this processor, all at full size, with the
//! schedule that is chosen for each. Acceptance: CUDA C by NVRTC and PTX by `ptxas`, with the registers and the shared memory of the
//! largest kernel. Nothing is timed. What a machine lacks is named in its column's head and counted as skipped.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use terrace_runtime_cuda::{PtxasReport, nvrtc_compile, ptxas_check};

use crate::cpu::cases::{self, Case};
use crate::process::Complaint;
use crate::{Done, opt};

/// Options of `elsewhere`
#[derive(clap::Args)]
pub struct Options {
    /// Rows of `cpu`, or a part of a case's name
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Back ends whose values are compared with the host's
    #[arg(long, default_value = "opencl,openmp", value_delimiter = ',')]
    on: Vec<String>,
    /// NVIDIA's architecture
    #[arg(long, default_value = "sm_90")]
    arch: String,
    /// Terrace's tool that runs programs: a name or a path
    #[arg(long, default_value = "terrace-run")]
    terrace: String,
    /// Terrace's tool that prints code: a name or a path
    #[arg(long, default_value = "terrace-opt")]
    opt: String,
}

/// Programs and libraries that are asked
struct Tools {
    run: PathBuf,
    opt: PathBuf,
    /// Folder of NVRTC
    nvrtc: Option<PathBuf>,
    ptxas: Option<PathBuf>,
}

/// How many cells of the table were right, wrong, skipped
#[derive(Default)]
struct Counts {
    right: usize,
    wrong: Vec<String>,
    skipped: usize,
}

impl Counts {
    /// The cell's text; what is wrong is kept for the end
    fn cell(&mut self, what: &str, verdict: Option<Done<String>>) -> String {
        match verdict {
            None => {
                self.skipped += 1;
                "skipped".into()
            }
            Some(Ok(text)) => {
                self.right += 1;
                text
            }
            Some(Err(why)) => {
                self.wrong.push(format!("{what}: {why}"));
                "**no**".into()
            }
        }
    }
}

/// Compares, compiles and prints
pub fn run(options: &Options) -> Done {
    let find = |name: &str| opt::find(name).ok_or_else(|| format!("`{name}` was not found"));
    let tools = Tools {
        run: find(&options.terrace)?,
        opt: find(&options.opt)?,
        nvrtc: recorded("nvrtc_dir"),
        ptxas: recorded("ptxas"),
    };
    let cases: Vec<Case> = cases::all().into_iter().filter(|case| case.named_by(&options.only)).collect();
    if cases.is_empty() {
        return Err(
            format!("no case is named by `{}`; `cpu --list` shows them", options.only.join(",")).into()
        );
    }
    for (name, path) in [("NVRTC", &tools.nvrtc), ("ptxas", &tools.ptxas)] {
        if path.is_none() {
            say!("skipped: {name} (`cargo xtask setup --nvidia` puts it there)");
        }
    }
    let file = std::env::temp_dir().join(format!("terrace-elsewhere-{}.mlir", std::process::id()));
    let mut counts = Counts::default();
    say_part!("| work |");
    options.on.iter().for_each(|on| say_part!(" {on}: values |"));
    say!(" CUDA C, NVRTC | PTX, ptxas | registers | shared memory |");
    say!("|---|{}---|---|---:|---:|", "---|".repeat(options.on.len()));
    for case in &cases {
        std::fs::write(&file, case.program()).map_err(|e| format!("{}: {e}", file.display()))?;
        say_part!("| {} |", case.name);
        for on in &options.on {
            let _ = io::stdout().flush();
            let cell = counts.cell(&format!("{} on {on}", case.name), agreement(&tools.run, &file, case, on));
            say_part!(" {cell} |");
        }
        let cuda = tools.nvrtc.as_deref().map(|folder| cuda(&tools.opt, &file, folder, &options.arch));
        say_part!(" {} |", counts.cell(&format!("{} as CUDA C", case.name), cuda));
        let ptx = tools.ptxas.as_deref().map(|ptxas| ptx(&tools.opt, &file, ptxas, &options.arch));
        let (verdict, figures) = match ptx {
            None => (None, "– | –".to_owned()),
            Some(Err(why)) => (Some(Err(why)), "– | –".to_owned()),
            Some(Ok(report)) => {
                (Some(Ok("accepted".to_owned())), format!("{} | {}", report.registers(), report.shared()))
            }
        };
        say!(" {} | {figures} |", counts.cell(&format!("{} as PTX", case.name), verdict));
    }
    std::fs::remove_file(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    say!("\n{} right, {} wrong, {} skipped", counts.right, counts.wrong.len(), counts.skipped);
    counts.wrong.iter().for_each(|line| say!("  {line}"));
    if counts.wrong.is_empty() { Ok(()) } else { Err("not all are right".into()) }
}

/// A place that the set-up has found, by the record next to the build profiles
fn recorded(key: &str) -> Option<PathBuf> {
    let exe = std::env::current_exe().ok()?;
    let text = std::fs::read_to_string(exe.parent()?.parent()?.join("terrace/setup.toml")).ok()?;
    let table: toml::Table = text.parse().ok()?;
    let value = table.get("paths")?.get(key)?;
    value.as_str().map(PathBuf::from).filter(|path| path.exists())
}

/// Values on a back end against the host's; nothing where the machine has no such back end
fn agreement(tool: &Path, file: &Path, case: &Case, on: &str) -> Option<Done<String>> {
    let mut command = Command::new(tool);
    command.arg(file).arg("--entry=@main").arg(format!("--compare=host,{on}"));
    command.args((0..case.inputs()).map(|n| format!("--in={n}=random:{}", n + 1)));
    let text = match said(&mut command) {
        Ok(text) => text,
        Err(Complaint(why)) if crate::gpu::lacks(&why) => return None,
        Err(why) => return Some(Err(why.into())),
    };
    // One line for each result; the worst of several is said by the tool itself.
    let exact = text.lines().filter(|line| line.contains("agree")).all(|line| line.contains("without any"));
    Some(Ok(if exact { "equal" } else { "within bounds" }.into()))
}

/// CUDA C of all kernels, compiled
fn cuda(tool: &Path, file: &Path, folder: &Path, arch: &str) -> Done<String> {
    let source = printed(tool, file, &["--pipeline=to-cuda", "--emit=cuda"])?;
    let flags = terrace_lowering_c::Flavor::Cuda.compile_flags();
    nvrtc_compile(&source, arch, flags, Some(folder))?;
    Ok("accepted".into())
}

/// PTX of all kernels, assembled
fn ptx(tool: &Path, file: &Path, ptxas: &Path, arch: &str) -> Done<PtxasReport> {
    let target = format!("--target-cpu={arch}");
    let text = printed(tool, file, &["--pipeline=to-ptx", "--emit=ptx", &target])?;
    Ok(ptxas_check(ptxas, &text, arch)?)
}

fn printed(tool: &Path, file: &Path, args: &[&str]) -> Result<String, Complaint> {
    said(Command::new(tool).arg(file).args(args))
}

/// What a command prints, or the first line of its complaint
fn said(command: &mut Command) -> Result<String, Complaint> {
    let output = command.stdin(Stdio::null()).output().map_err(|e| Complaint(e.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let line = errors.lines().chain(text.lines()).find(|line| line.contains("error"));
    Err(Complaint(line.unwrap_or("it failed without a word").trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_by_what_they_say() {
        let mut counts = Counts::default();
        assert_eq!(counts.cell("a", None), "skipped");
        assert_eq!(counts.cell("b", Some(Ok("equal".into()))), "equal");
        assert_eq!(counts.cell("c", Some(Err("why".into()))), "**no**");
        assert_eq!((counts.right, counts.skipped, counts.wrong), (1, 1, vec!["c: why".to_owned()]));
    }

    #[test]
    fn a_command_that_fails_gives_its_error() {
        let failing = said(Command::new("sh").args(["-c", "echo progress; echo 'error: no' >&2; exit 1"]));
        assert_eq!(failing, Err(Complaint("error: no".to_owned())));
        assert_eq!(said(Command::new("echo").arg("yes")), Ok("yes\n".to_owned()));
    }
}
