//! Matrix units: what multiplies small matrices in one instruction.

terrace_support::words! {
    /// A processor's instructions on tiles: 16 rows of 64 bytes by groups of 4 bytes per column, added to 16 × 16 sums
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
    pub enum MatrixUnit {
        /// Signed bytes, added in 32 bits
        AmxInt8 = "amx-int8",
        /// `bf16`, added in `f32`
        AmxBf16 = "amx-bf16",
    }
}

/// Processors whose name alone states that they have AMX
const WITH_TILES: [&str; 5] =
    ["diamondrapids", "emeraldrapids", "graniterapids", "graniterapids-d", "sapphirerapids"];

impl MatrixUnit {
    /// Rows and columns of a tile of sums
    pub const SIDE: i64 = 16;
    /// Bytes of a row of a tile
    pub const ROW_BYTES: i64 = 64;
    /// Bytes of a column's group in a tile of the right operand
    pub const GROUP_BYTES: i64 = 4;

    /// Bytes of an element that it multiplies
    pub const fn bytes(self) -> i64 {
        match self {
            MatrixUnit::AmxInt8 => 1,
            MatrixUnit::AmxBf16 => 2,
        }
    }

    /// The units of a processor by LLVM's name of it and features as LLVM writes them (`+amx-int8,-amx-bf16`)
    pub fn of_processor(name: &str, features: &str) -> Vec<MatrixUnit> {
        let named = WITH_TILES.contains(&name);
        let has = |unit: &MatrixUnit| {
            let mut own = features.split(',').map(str::trim).filter_map(|feature| {
                match feature.split_at_checked(1)? {
                    (sign @ ("+" | "-"), word) if word == unit.word() => Some(sign == "+"),
                    _ => None,
                }
            });
            own.next_back().unwrap_or(named)
        };
        Self::ALL.iter().copied().filter(has).collect()
    }

    /// The units of this machine that its system has switched on
    pub(crate) fn present() -> Vec<MatrixUnit> {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return Vec::new();
        }
        // Linux lists a flag only where it saves the registers of the unit as well.
        let listed = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let flags = listed.lines().find(|line| line.starts_with("flags")).unwrap_or("");
        let has = |flag: &str| flags.split_whitespace().any(|one| one == flag);
        let known = [("amx_int8", MatrixUnit::AmxInt8), ("amx_bf16", MatrixUnit::AmxBf16)];
        known.into_iter().filter(|(flag, _)| has("amx_tile") && has(flag)).map(|(_, unit)| unit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        for unit in MatrixUnit::ALL {
            assert_eq!(unit.word().parse(), Ok(*unit));
        }
    }

    #[test]
    fn processors_have_units_by_name_and_feature() {
        assert_eq!(MatrixUnit::of_processor("sapphirerapids", ""), MatrixUnit::ALL);
        assert_eq!(MatrixUnit::of_processor("cooperlake", "+avx512bf16"), []);
        assert_eq!(MatrixUnit::of_processor("cooperlake", "+amx-tile,+amx-bf16"), [MatrixUnit::AmxBf16]);
        assert_eq!(MatrixUnit::of_processor("graniterapids", "-amx-int8"), [MatrixUnit::AmxBf16]);
        assert_eq!(MatrixUnit::of_processor("znver4", "-amx-int8,+amx-int8"), [MatrixUnit::AmxInt8]);
    }
}
