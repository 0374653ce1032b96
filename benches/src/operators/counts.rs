//! What a row counts: loops and operations, by both conventions of Table 3.
//!
//! The table counts the loops of all nodes for some operators, and those of the main node for others. Its FLOPs are points of the main
//! node: a product with its addition is one.

use std::fmt;

use terrace_search_graphs::Graph;

use crate::Done;
use crate::shapes::programs::Program;
use crate::shapes::signature;

/// Counts of a program at its sizes
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Independent and folded loops of all nodes
    pub all: [usize; 2],
    /// Those of the main node
    pub own: [usize; 2],
    /// Computations
    pub nodes: usize,
    /// Name of the main node
    pub main: String,
    /// Points of the main node, and its operations with each addition as one; nothing where it adds nothing
    pub operations: Option<(u64, u64)>,
}

impl Counts {
    /// From the program's graph
    pub fn of(program: &Program) -> Done<Self> {
        let text =
            std::fs::read_to_string(&program.file).map_err(|e| format!("{}: {e}", program.file.display()))?;
        let (_, module) = signature::read(&program.file, &text, &program.sizes)?;
        let function = module.walk().find_map(|op| module.child(op)).ok_or("no function")?;
        let graph = Graph::read(function).map_err(|why| format!("{}: {why}", program.name))?;
        let main = graph.main().and_then(|n| graph.nodes.get(n)).ok_or("no computation")?;
        let own = main.counts();
        let operations = main.points.zip(main.operations).filter(|_| own[1] > 0);
        Ok(Self { all: graph.counts(), own, nodes: graph.nodes.len(), main: main.name.clone(), operations })
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([spatial, reduce], [own_spatial, own_reduce], nodes) = (self.all, self.own, self.nodes);
        write!(f, "loops {spatial}/{reduce} in {nodes}, {own_spatial}/{own_reduce} in `{}`", self.main)?;
        match self.operations {
            Some((points, all)) => write!(f, "; {} points, {} operations", short(points), short(all)),
            None => Ok(()),
        }
    }
}

/// `3.7G`, as the paper writes numbers
fn short(number: u64) -> String {
    let (value, unit) = match number as f64 {
        n if n < 1e6 => (n / 1e3, "K"),
        n if n < 1e9 => (n / 1e6, "M"),
        n => (n / 1e9, "G"),
    };
    let digits = usize::from(value < 10.0);
    format!("{value:.digits$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_written_as_in_the_table() {
        let all = [16_384, 77_070_336, 3_699_376_128].map(short);
        assert_eq!(all, ["16K", "77M", "3.7G"]);
    }
}
