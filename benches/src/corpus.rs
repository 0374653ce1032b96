//! The programs that `cargo xtask replay` gives to the tools: those of `cpu`, and random ones from fixed seeds.
//!
//! **Invariant:** equal sources write equal files. A recording is compared with one of the same programs, so a change of a
//! generator here needs a new baseline.

use std::path::Path;

use terrace_dialect_test::programs::{mdh, nests, structured};
use terrace_support::Random;

use crate::{Done, cpu};

/// A family of random programs: its folder, how many, and the program of a seed
type Family = (&'static str, u64, fn(u64) -> String);

const FAMILIES: &[Family] = &[
    ("computations", 200, |seed| mdh::program(&mut Random::new(seed), &mdh::Options::default())),
    ("schedules", 200, |seed| {
        mdh::program(&mut Random::new(seed), &mdh::Options { schedules: true, ..mdh::Options::default() })
    }),
    ("structured", 50, |seed| structured::closed(&mut Random::new(seed), &structured::Options::default())),
    ("nests", 50, nests::closed),
];

/// Write `bench/` and one folder per family
pub fn write(folder: &Path) -> Done {
    cpu::write_programs(&cpu::cases::all(), &folder.join("bench"))?;
    for (name, count, program) in FAMILIES {
        let folder = folder.join(name);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for seed in 0..*count {
            let path = folder.join(format!("{seed:03}.mlir"));
            std::fs::write(&path, program(seed)).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_program() {
        for (name, _, program) in FAMILIES {
            assert_eq!(program(7), program(7), "{name}");
            assert_ne!(program(7), program(8), "{name}");
        }
    }

    #[test]
    fn there_are_five_hundred() {
        assert_eq!(FAMILIES.iter().map(|(_, count, _)| count).sum::<u64>(), 500);
    }
}
