//! `terrace-benches fpga`: designs of convolutions as hardware, simulated cycle by cycle, next to the model.
//!
//! Values are compared with the interpreter's. Cycles of computation are counted in the simulation; those of reading and writing are those of a model of
//! main memory (an element in a cycle and port), so they are no evidence. Resources are counted by Yosys.

mod layers;

use crate::process::Complaint;
use crate::{Done, opt};
use layers::{LAYERS, Layer};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use terrace_schedule_fpga::{Estimate, Fpga};
use terrace_search_primitives::Chosen;
use terrace_search_primitives::design::judge;
use terrace_target_api::Scratch;
use terrace_target_api::program::output;

/// Options of `fpga`
#[derive(clap::Args)]
pub struct Options {
    /// Layers by name
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Leave resources out
    #[arg(long)]
    no_resources: bool,
    /// Terrace's tool that runs programs: a name or a path
    #[arg(long, default_value = "terrace-run")]
    terrace: String,
    /// Terrace's tool that prints code: a name or a path
    #[arg(long, default_value = "terrace-opt")]
    opt: String,
}

/// Cycles of a simulation
struct Simulated {
    total: u64,
    computing: u64,
}

/// What Yosys counts: look-up tables, flip-flops, multipliers, halves of blocks
#[derive(Default)]
struct Resources {
    lut: u64,
    ff: u64,
    dsp: u64,
    bram: u64,
}

struct Tools {
    run: PathBuf,
    opt: PathBuf,
    folder: Scratch,
    yosys: bool,
}

/// Time for one tool on one design; the simulation has a limit of its own
const LIMIT: Duration = Duration::from_secs(1200);

/// Simulates and prints
pub fn run(options: &Options) -> Done {
    let find = |name: &str| opt::find(name).ok_or_else(|| format!("`{name}` was not found"));
    let yosys = !options.no_resources && Command::new("yosys").arg("-V").output().is_ok();
    if !yosys {
        say!("skipped: resources (needs yosys)");
    }
    let tools =
        Tools { run: find(&options.terrace)?, opt: find(&options.opt)?, folder: Scratch::new()?, yosys };
    let device = Fpga::calyx();
    say!(
        "| layer | tiles | lanes × banks × pipelines | computing, cycles | model | error | all, cycles | model, by its memory | interval | LUT | FF | DSP, model | BRAM of 18 Kbit, model |"
    );
    say!("|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let named =
        |layer: &&Layer| options.only.is_empty() || options.only.iter().any(|name| name == layer.name);
    let mut errors = Vec::new();
    for layer in LAYERS.iter().filter(named) {
        for chosen in layer.designs() {
            let estimate = judge(&device, &layer.tiled(), &chosen)?;
            let (simulated, resources) = tools.row(layer, &chosen)?;
            let modeled = estimate.compute * estimate.rounds as f64;
            let error = (modeled - simulated.computing as f64).abs() / simulated.computing.max(1) as f64;
            errors.push(error);
            print(layer, &chosen, (&estimate, modeled, error), &simulated, resources);
        }
    }
    errors.sort_by(f64::total_cmp);
    let (Some(most), Some(median)) = (errors.last(), errors.get(errors.len() / 2)) else {
        return Err("no layer has such a name".into());
    };
    say!(
        "\n{} designs: values equal the interpreter's; error of the cycles of computation: median {:.1} %, largest {:.1} %",
        errors.len(),
        100.0 * median,
        100.0 * most
    );
    Ok(())
}

fn print(
    layer: &Layer,
    chosen: &Chosen,
    (estimate, modeled, error): (&Estimate, f64, f64),
    simulated: &Simulated,
    resources: Option<Resources>,
) {
    let tiles: Vec<String> = chosen.tiles.iter().map(i64::to_string).collect();
    let design = &chosen.design;
    let cell = |number: Option<u64>| number.map_or("–".into(), |number| number.to_string());
    let of = |own: fn(&Resources) -> u64| cell(resources.as_ref().map(own));
    say!(
        "| {} | {} | {} × {} × {} | {} | {modeled:.0} | {:.1} % | {} | {:.0} | {} | {} | {} | {}, {} | {}, {} |",
        layer.name,
        tiles.join("×"),
        design.lanes,
        design.banks,
        design.pipelines,
        simulated.computing,
        100.0 * error,
        simulated.total,
        estimate.cycles,
        estimate.interval,
        of(|own| own.lut),
        of(|own| own.ff),
        of(|own| own.dsp),
        estimate.dsp,
        of(|own| own.bram),
        estimate.bram,
    );
}

impl Tools {
    fn row(&self, layer: &Layer, chosen: &Chosen) -> Done<(Simulated, Option<Resources>)> {
        let file = &self.folder.path().join("layer.mlir");
        std::fs::write(file, layer.program()).map_err(|e| format!("{}: {e}", file.display()))?;
        let tiles: Vec<String> = chosen.tiles.iter().map(i64::to_string).collect();
        let design = &chosen.design;
        let pass = format!(
            "func.func(mdh-design{{device=calyx tiles={} lanes={} banks={} pipelines={}}})",
            tiles.join("x"),
            design.lanes,
            design.banks,
            design.pipelines
        );
        let mut command = self.folder.command(&self.run);
        command.arg(file).arg(format!("--pipeline={pass}"));
        command.args(["--in=A=random:1", "--in=B=random:2", "--compare=interp,calyx", "--time-limit=600"]);
        let simulated = simulated(&written(&mut command)?)?;
        if !self.yosys {
            return Ok((simulated, None));
        }
        let mut command = self.folder.command(&self.opt);
        command.arg(file).args([&format!("--pipeline={pass},to-calyx"), "--emit=verilog"]);
        let verilog = file.with_extension("sv");
        std::fs::write(&verilog, written(&mut command)?)?;
        Ok((simulated, Some(self.resources(&verilog)?)))
    }

    /// Of a file of SystemVerilog
    fn resources(&self, verilog: &Path) -> Done<Resources> {
        let script = format!(
            "read_verilog -sv {}; synth_xilinx -flatten -noiopad -family xcup -top main; stat",
            verilog.display()
        );
        Ok(counted(&written(self.folder.command("yosys").args(["-p", &script]))?))
    }
}

/// What a program writes; it is ended after [`LIMIT`]
fn written(command: &mut Command) -> Done<String> {
    let shown = crate::process::shown(command);
    let out = output(command, &format!("`{shown}`"), LIMIT, Vec::new()).map_err(|error| error.message)?;
    match out.status.success() {
        true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        false => Err(Complaint(String::from_utf8_lossy(&out.stderr).trim().to_owned()).into()),
    }
}

/// `calyx: 1511 cycles, 1000 of them computing, …`
fn simulated(text: &str) -> Done<Simulated> {
    let line = text.lines().find_map(|line| line.strip_prefix("calyx: ")).unwrap_or_default();
    let numbers: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [total, computing, ..] => Ok(Simulated { total, computing }),
        _ => Err(format!("no cycles in `{text}`").into()),
    }
}

/// The last table of cells
fn counted(text: &str) -> Resources {
    let mut all = Resources::default();
    let table = text.rsplit("Number of cells:").next().unwrap_or_default();
    for line in table.lines() {
        let mut words = line.split_whitespace();
        let (Some(cell), Some(count)) =
            (words.next(), words.next().and_then(|word| word.parse::<u64>().ok()))
        else {
            continue;
        };
        match cell {
            _ if cell.starts_with("LUT") => all.lut += count,
            "FDRE" | "FDSE" | "FDCE" | "FDPE" => all.ff += count,
            _ if cell.starts_with("DSP48") => all.dsp += count,
            _ if cell.starts_with("RAMB18") => all.bram += count,
            _ if cell.starts_with("RAMB36") => all.bram += 2 * count,
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_and_cells_are_read() {
        let read =
            simulated("calyx: 1511 cycles, 1000 of them computing, 5 reading, 7 writing, 0 doing both\n")
                .expect("it is one");
        assert_eq!((read.total, read.computing), (1511, 1000));
        assert!(simulated("C: all 12 elements are equal\n").is_err());
        let table = "Number of cells: 9\n LUT1 1\n Number of cells: 40\n  LUT6  30\n  LUT2 1\n  FDRE 7\n  DSP48E2 2\n  RAMB36E2 3\n  RAMB18E2 1\n";
        let all = counted(table);
        assert_eq!((all.lut, all.ff, all.dsp, all.bram), (31, 7, 2, 7));
    }
}
