//! `terrace-benches compile`: how long `terrace-opt` takes from a mapped convolution to the text of its kernels
//!
//! The layers of VGG-16 at their own sizes: in one kernel, mapped here, and in four. Whole processes are timed: start, reading
//! the file, all passes, writing the text.
//!
//! With `--objects` instead from the text of each row of `cpu` to its object ([`objects`]), with `--graphs` from the sub-graphs of the
//! paper on reductions, in JSON, to CUDA C.

mod objects;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::conv::layers::ALL;
use crate::stats::Summary;
use crate::{Done, opt, process};

#[derive(clap::Args)]
pub struct Options {
    /// Runs of each; the median is shown
    #[arg(long, default_value_t = 11)]
    runs: usize,
    /// The tool: a path, or a name next to this program or on `PATH`
    #[arg(long, default_value = "terrace-opt")]
    terrace: String,
    /// Folder of `layer.mlir` and `four_kernels.mlir`
    #[arg(long, default_value = "test-files/programs")]
    programs: PathBuf,
    /// The rows of `cpu` instead, from text to object, by stages
    #[arg(long)]
    objects: bool,
    /// The sub-graphs of Table 2 of the paper on reductions instead, from JSON to CUDA C
    #[arg(long, conflicts_with = "objects")]
    graphs: bool,
}

/// Program and passes of a layer, in one kernel and in four
fn layers([c, o, size]: [u64; 3], target: &str) -> [Option<(&'static str, String)>; 2] {
    let bind = |sizes: &str, rest: &str| {
        format!(
            "--pipeline=array-expand,array-inline,func.func(array-bind{{sizes={sizes}}}{rest}),to-{target}"
        )
    };
    let one = bind(
        &format!("H={size},W={size},C={c},O={o},K=3,s=1,p=1"),
        &format!(",array-map{{device={target} mapping=Y=block.x,X=thread.x,O=seq}}"),
    );
    let added = (3 - (size - 3) % 3) % 3;
    let sizes = format!("H={size},W={size},C={c},M={o},K=3,p=1,r={added},theta=5,ts=3,ka=4,sg=3,om=144");
    // Chunks are whole vectors of four.
    [Some(("layer.mlir", one)), c.is_multiple_of(4).then(|| ("four_kernels.mlir", bind(&sizes, "")))]
}

fn measured(tool: &Path, options: &Options, file: &str, pipeline: &str, target: &str) -> Done<f64> {
    let messages = std::env::temp_dir().join(format!("terrace-compile-{}", std::process::id()));
    let mut times = Vec::new();
    for _ in 0..options.runs.max(1) {
        let mut command = Command::new(tool);
        command.arg(options.programs.join(file)).args([pipeline, &format!("--emit={target}")]);
        let cost = process::run(&mut command, &messages);
        let _ = std::fs::remove_file(&messages);
        times.push(cost?.wall.as_secs_f64() * 1e3);
    }
    Ok(Summary::of(times).median)
}

/// Folder of the sub-graphs, as seen from that of the programs
const GRAPHS: &str = "../frontends/composite";

fn graphs(tool: &Path, options: &Options) -> Done {
    let out = report(|number| {
        let file = format!("{GRAPHS}/table_2_{number:02}.info");
        measured(tool, options, &file, "--pipeline=to-cuda", "cuda")
    })?;
    io::stdout().write_all(out.as_bytes())?;
    Ok(())
}

/// A row for each sub-graph, and their sum
fn report<E>(mut milliseconds: impl FnMut(u32) -> Result<f64, E>) -> Result<String, E> {
    let mut out = String::from("| sub-graph | to CUDA C |\n|---|---:|\n");
    let mut all = 0.0;
    for number in 1..=12 {
        let ms = milliseconds(number)?;
        all += ms;
        let _ = writeln!(out, "| {number} | {ms:.1} ms |");
    }
    let _ = writeln!(out, "| all | {all:.1} ms |");
    Ok(out)
}

pub fn run(options: &Options) -> Done {
    if options.objects {
        return objects::run(options);
    }
    let tool = opt::find(&options.terrace).ok_or_else(|| format!("there is no `{}`", options.terrace))?;
    if options.graphs {
        return graphs(&tool, options);
    }
    let mut out = String::from(
        "| layer | one kernel, OpenCL C | CUDA C | four kernels, OpenCL C | CUDA C |\n|---|---|---|---|---|\n",
    );
    for layer in ALL {
        let layer = [layer.channels, layer.kernels, layer.size];
        let [c, o, size] = layer;
        let _ = write!(out, "| {c} to {o}, {size} x {size} |");
        for n in 0..2 {
            for target in ["opencl", "cuda"] {
                let cell = match &layers(layer, target)[n] {
                    Some((file, pipeline)) => {
                        format!("{:.1} ms", measured(&tool, options, file, pipeline, target)?)
                    }
                    None => "–".to_string(),
                };
                let _ = write!(out, " {cell} |");
            }
        }
        out.push('\n');
    }
    io::stdout().write_all(out.as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_each_sub_graph_and_their_sum() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test-files/programs").join(GRAPHS);
        let found: Result<String, u32> = report(|number| {
            let file = folder.join(format!("table_2_{number:02}.info"));
            if file.is_file() { Ok(f64::from(number) / 2.0) } else { Err(number) }
        });
        let found = found.expect("every sub-graph is there");
        assert_eq!(found.lines().count(), 15, "{found}");
        assert!(found.contains("| 11 | 5.5 ms |") && found.ends_with("| all | 39.0 ms |\n"), "{found}");
        assert_eq!(report(|number| if number < 3 { Ok(1.0) } else { Err(number) }), Err(3));
    }
}
