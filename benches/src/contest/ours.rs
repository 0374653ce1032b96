//! A program of ours with its inputs: the command that runs it, and its blocks.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::peers::{Peers, Prepared};
use super::{Limit, Options, Program, Timed, Times, Tools};
use crate::Done;
use crate::process::shown;

/// Time of a block, in nanoseconds
const BLOCK: f64 = 2e8;

/// The contender that `--against` names
const BEFORE: &str = "before";

/// A program as a file, and the command that runs it
pub(super) struct Ours {
    command: Vec<String>,
    tool: PathBuf,
    before: Option<PathBuf>,
    outputs: Vec<(String, PathBuf)>,
}

impl Ours {
    pub fn new(
        program: Program,
        prepared: &Prepared,
        tools: &Tools,
        folder: &Path,
        options: &Options,
    ) -> Self {
        let file = |name: &str| folder.join(format!("{name}.npy"));
        let mut command = vec![program.file.display().to_string()];
        command.extend(program.arguments);
        command.push(format!("--on={}", options.placement.on));
        command.extend(prepared.inputs.iter().map(|name| format!("--in={name}={}", file(name).display())));
        command.extend(options.pipeline.as_ref().map(|p| format!("--pipeline={p}")));
        // Arguments and results may have the same names: their positions.
        let result = |name: String| (name.clone(), folder.join(format!("{name}.result.npy")));
        let outputs = program.outputs.into_iter().map(result).collect();
        Self { command, tool: tools.now.clone(), before: tools.before.clone(), outputs }
    }

    /// On so many threads
    pub fn on_threads(mut self, threads: usize) -> Self {
        self.command.push(format!("--threads={threads}"));
        self
    }

    /// Blocks of all sides, alternating; the first runs of ours are compared with the reference
    pub fn alternate(
        &self,
        further: &[(String, Ours)],
        (peers, prepared): (&mut Peers, &Prepared),
        options: &Options,
        limit: Option<Limit>,
        timed: &mut Timed,
    ) -> Done {
        let blocks = options.blocks();
        let block = if options.quick { BLOCK / 4.0 } else { BLOCK };
        let runs = |ns: f64| ((block / ns.max(1.0)) as u32).clamp(3, options.runs.max(3));
        let sides: Vec<&Ours> = std::iter::once(self).chain(further.iter().map(|(_, other)| other)).collect();
        let mut firsts = vec![];
        for (n, side) in sides.iter().enumerate() {
            let (first, right, worst) = side.checked(peers)?;
            firsts.push(first);
            match n.checked_sub(1).and_then(|n| further.get(n)) {
                Some((name, _)) if !right => {
                    return Err(format!("the values of `{name}` differ by {worst:.0e}").into());
                }
                Some(_) => {}
                None => timed.values = format!("{} {worst:.0e}", if right { "right" } else { "WRONG" }),
            }
        }
        timed.further = further.iter().map(|(name, _)| Times { name: name.clone(), ns: vec![] }).collect();
        let names =
            prepared.peers.iter().map(|(name, _)| name.as_str()).chain(self.before.as_ref().map(|_| BEFORE));
        timed.peers = names.map(|name| Times { name: name.to_owned(), ns: vec![] }).collect();
        for round in 0..blocks {
            for (times, (name, ns)) in timed.peers.iter_mut().zip(&prepared.peers) {
                times.ns.push(peers.median_ns(name, runs(*ns))?);
            }
            // Who comes first after a library may be slower: from block to block that is another one.
            for turn in 0..sides.len() {
                let n = if round % 2 == 0 { turn } else { sides.len() - 1 - turn };
                let ns = sides[n].median_ns(&sides[n].tool, runs(firsts[n]), false)?;
                match n.checked_sub(1) {
                    Some(other) => timed.further[other].ns.push(ns),
                    None => timed.terrace.push(ns),
                }
            }
            if let (Some(tool), Some(times)) = (&self.before, timed.peers.last_mut()) {
                times.ns.push(self.median_ns(tool, runs(firsts[0]), false)?);
            }
            timed.limit.extend(limit.as_ref().map(|limit| limit()));
        }
        Ok(())
    }

    /// A first time, whether the results are the reference's, and how far they are from it
    fn checked(&self, peers: &mut Peers) -> Done<(f64, bool, f64)> {
        let first = self.median_ns(&self.tool, 3, true)?;
        let files: Vec<PathBuf> = self.outputs.iter().map(|(_, path)| path.clone()).collect();
        let (right, worst) = peers.check(&files)?;
        Ok((first, right, worst))
    }

    fn median_ns(&self, tool: &Path, runs: u32, write: bool) -> Done<f64> {
        let mut command = Command::new(tool);
        command.args(&self.command).arg(format!("--bench={runs}"));
        for (name, path) in self.outputs.iter().filter(|_| write) {
            command.arg(format!("--out={name}={}", path.display()));
        }
        let output = command.stdin(Stdio::null()).output();
        let output = output.map_err(|e| format!("`{}`: {e}", shown(&command)))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("`{}` failed: {}", shown(&command), text.trim()).into());
        }
        median_in(&String::from_utf8_lossy(&output.stdout))
            .ok_or_else(|| format!("`{}` printed no `median_ns`", shown(&command)).into())
    }
}

/// The last median that a tool printed
pub(crate) fn median_in(text: &str) -> Option<f64> {
    text.lines().rev().find_map(|line| serde_json::from_str::<Value>(line).ok()?["median_ns"].as_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_median_counts() {
        let text = "compiling\n{\"median_ns\": 5}\n{\"median_ns\": 7.5, \"on\": \"host\"}\n{\"other\": 1}\n";
        assert_eq!(median_in(text), Some(7.5));
        assert_eq!(median_in("nothing"), None);
    }
}
