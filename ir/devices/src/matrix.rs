//! Units for sums of products of narrow types: tiles of matrices, and dot products in lanes.

terrace_support::words! {
    /// A processor's instructions that multiply groups of 4 bytes and add the products to a sum of 32 bits
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
    pub enum MatrixUnit {
        /// Tiles of bytes, added in 32 bits: 16 rows of 64 bytes by 16 columns
        AmxInt8 = "amx-int8",
        /// Tiles of `bf16`, added in `f32`
        AmxBf16 = "amx-bf16",
        /// Lanes of 512 bits: four bytes or two signed words each, added in 32 bits
        Avx512Vnni = "avx512-vnni",
        /// The same in lanes of 256 bits
        AvxVnni = "avx-vnni",
        /// Lanes of 512 bits: two `bf16` each, added in `f32`; subnormal numbers are zero
        Avx512Bf16 = "avx512-bf16",
        /// Lanes of 256 bits: two signed words each, whose products are added; bytes are widened to words. Several instructions
        Avx2Madd = "avx2-madd",
    }
}

/// Products that units add
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Products {
    /// Of bytes, each of either sign
    Bytes,
    /// Of signed words of 16 bits
    Words,
    /// Of `bf16`, with the subnormal numbers that dot products lack
    Bf16,
    /// Of `bf16`, where values may differ from run to run
    FreeBf16,
}

impl Products {
    /// Bytes of a factor
    pub const fn bytes(self) -> i64 {
        match self {
            Products::Bytes => 1,
            Products::Words | Products::Bf16 | Products::FreeBf16 => 2,
        }
    }
}

/// What processors have, by name alone: LLVM's features, and the processors from which on they are there
const KNOWN: [(MatrixUnit, &str, &[&str]); 6] = [
    (MatrixUnit::AmxInt8, "amx-int8", WITH_TILES),
    (MatrixUnit::AmxBf16, "amx-bf16", WITH_TILES),
    (MatrixUnit::Avx512Vnni, "avx512vnni", WITH_VNNI),
    (MatrixUnit::AvxVnni, "avxvnni", WITH_AVX_VNNI),
    (MatrixUnit::Avx512Bf16, "avx512bf16", WITH_BF16),
    (MatrixUnit::Avx2Madd, "avx2", WITH_AVX2_ALONE),
];

const WITH_TILES: &[&str] =
    &["diamondrapids", "emeraldrapids", "graniterapids", "graniterapids-d", "sapphirerapids"];
const WITH_VNNI: &[&str] = &[
    "cascadelake",
    "cooperlake",
    "diamondrapids",
    "emeraldrapids",
    "graniterapids",
    "graniterapids-d",
    "icelake-client",
    "icelake-server",
    "rocketlake",
    "sapphirerapids",
    "tigerlake",
    "znver4",
    "znver5",
];
const WITH_AVX_VNNI: &[&str] = &[
    "alderlake",
    "arrowlake",
    "arrowlake-s",
    "clearwaterforest",
    "diamondrapids",
    "emeraldrapids",
    "gracemont",
    "grandridge",
    "graniterapids",
    "graniterapids-d",
    "lunarlake",
    "meteorlake",
    "pantherlake",
    "raptorlake",
    "sapphirerapids",
    "sierraforest",
    "znver5",
];
const WITH_BF16: &[&str] = &[
    "cooperlake",
    "diamondrapids",
    "emeraldrapids",
    "graniterapids",
    "graniterapids-d",
    "sapphirerapids",
    "znver4",
    "znver5",
];
/// Processors that have AVX2 and none of the other units
const WITH_AVX2_ALONE: &[&str] = &[
    "bdver4",
    "broadwell",
    "cannonlake",
    "haswell",
    "skylake",
    "skylake-avx512",
    "x86-64-v3",
    "x86-64-v4",
    "znver1",
    "znver2",
    "znver3",
];

impl MatrixUnit {
    /// Rows and columns of a tile of sums
    pub const SIDE: i64 = 16;
    /// Bytes of a row of a tile
    pub const ROW_BYTES: i64 = 64;
    /// Bytes of a column's group in a panel of the right operand
    pub const GROUP_BYTES: i64 = 4;

    /// Vectors of a block of sums in lanes
    pub const VECTORS: i64 = 2;

    /// Instructions of a row, a vector of sums and a group. Bytes are taken apart into those at even and at odd places, of a group for all
    /// vectors of a block
    pub const fn instructions(self, products: Products) -> f64 {
        match (self, products) {
            (MatrixUnit::Avx2Madd, Products::Bytes) => 5.5,
            (MatrixUnit::Avx2Madd, _) => 2.0,
            _ => 1.0,
        }
    }

    /// Registers for sums and operands, of so many: what is taken apart needs others
    pub const fn registers(self, products: Products, all: i64) -> i64 {
        match (self, products) {
            (MatrixUnit::Avx2Madd, Products::Bytes) => all - 6,
            (MatrixUnit::Avx2Madd, _) => all - 1,
            _ => all,
        }
    }

    /// Rows of a block of sums in lanes: as equal as rows allow, with a register for each sum, for each vector of the right operand,
    /// and for a group of the left one
    pub fn block(rows: i64, registers: i64) -> i64 {
        let most = ((registers - Self::VECTORS - 2) / Self::VECTORS).max(1);
        let blocks = (rows + most - 1) / most;
        (rows + blocks - 1) / blocks.max(1)
    }

    /// Does it add these products?
    pub const fn adds(self, products: Products) -> bool {
        matches!(
            (self, products),
            (MatrixUnit::AmxInt8, Products::Bytes)
                | (MatrixUnit::AmxBf16, Products::Bf16 | Products::FreeBf16)
                | (
                    MatrixUnit::Avx512Vnni | MatrixUnit::AvxVnni | MatrixUnit::Avx2Madd,
                    Products::Bytes | Products::Words
                )
                | (MatrixUnit::Avx512Bf16, Products::FreeBf16)
        )
    }

    /// Columns of a vector of sums; `None` if it has tiles
    pub const fn lanes(self) -> Option<i64> {
        match self {
            MatrixUnit::AmxInt8 | MatrixUnit::AmxBf16 => None,
            MatrixUnit::Avx512Vnni | MatrixUnit::Avx512Bf16 => Some(16),
            MatrixUnit::AvxVnni | MatrixUnit::Avx2Madd => Some(8),
        }
    }

    /// The units of a processor by LLVM's name of it and features as LLVM writes them (`+amx-int8,-amx-bf16`)
    pub fn of_processor(name: &str, features: &str) -> Vec<MatrixUnit> {
        let has = |(unit, feature, names): &&(MatrixUnit, &str, &[&str])| {
            let own = names.contains(&name);
            // A processor with one of the other units has AVX2.
            let any =
                || *unit == MatrixUnit::Avx2Madd && KNOWN.iter().any(|(.., names)| names.contains(&name));
            states(features, feature).unwrap_or_else(|| own || any())
        };
        KNOWN.iter().filter(has).map(|(unit, ..)| *unit).collect()
    }

    /// The units of what code is compiled for, of those that a device may have: without a processor's name all that the
    /// features do not switch off
    pub fn compiled_for(processor: Option<&str>, features: &str) -> Vec<MatrixUnit> {
        match processor.filter(|name| *name != "native") {
            Some(name) => Self::of_processor(name, features),
            None => {
                let has =
                    |(_, feature, _): &&(MatrixUnit, &str, &[&str])| states(features, feature) != Some(false);
                KNOWN.iter().filter(has).map(|(unit, ..)| *unit).collect()
            }
        }
    }

    /// Units from `all`, `none`, or words with `+` between them
    pub fn of_words(words: &str) -> Option<Vec<MatrixUnit>> {
        match words {
            "all" => Some(Self::ALL.to_vec()),
            "none" => Some(Vec::new()),
            _ => words.split('+').map(|word| word.parse().ok()).collect(),
        }
    }

    /// The words that [`MatrixUnit::of_words`] reads
    pub fn words(units: &[MatrixUnit]) -> String {
        match units {
            [] => "none".to_owned(),
            _ => units.iter().map(|unit| unit.word()).collect::<Vec<_>>().join("+"),
        }
    }

    /// The units of this machine that its system has switched on
    pub(crate) fn present() -> Vec<MatrixUnit> {
        let mut all = tiles_of_this_machine();
        #[cfg(target_arch = "x86_64")]
        {
            use std::is_x86_feature_detected as has;
            let wide = has!("avx512vl") && has!("avx512bw");
            let lanes = [
                (wide && has!("avx512vnni"), MatrixUnit::Avx512Vnni),
                (has!("avxvnni"), MatrixUnit::AvxVnni),
                (wide && has!("avx512bf16"), MatrixUnit::Avx512Bf16),
                (has!("avx2"), MatrixUnit::Avx2Madd),
            ];
            all.extend(lanes.into_iter().filter(|(has, _)| *has).map(|(_, unit)| unit));
        }
        all
    }
}

/// Is a feature switched on or off in a list? The last mention counts
fn states(features: &str, word: &str) -> Option<bool> {
    let mut own = features.split(',').map(str::trim).filter_map(|feature| {
        let (sign, rest) = feature.split_at_checked(1)?;
        (matches!(sign, "+" | "-") && rest == word).then_some(sign == "+")
    });
    own.next_back()
}

fn tiles_of_this_machine() -> Vec<MatrixUnit> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Vec::new();
    }
    // Linux lists a flag only where it saves the registers of the unit as well.
    let flags = crate::machine::field(&crate::machine::listed(), "flags").unwrap_or_default();
    let has = |flag: &str| flags.split_whitespace().any(|one| one == flag);
    let known = [("amx_int8", MatrixUnit::AmxInt8), ("amx_bf16", MatrixUnit::AmxBf16)];
    known.into_iter().filter(|(flag, _)| has("amx_tile") && has(flag)).map(|(_, unit)| unit).collect()
}

#[cfg(test)]
mod tests {
    use super::MatrixUnit::{AmxBf16, AmxInt8, Avx2Madd, Avx512Bf16, Avx512Vnni, AvxVnni};
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
        assert_eq!(
            MatrixUnit::of_processor("cascadelake", "+avx512bf16"),
            [Avx512Vnni, Avx512Bf16, Avx2Madd]
        );
        assert_eq!(MatrixUnit::of_processor("skylake-avx512", "+amx-tile,+amx-bf16"), [AmxBf16, Avx2Madd]);
        assert_eq!(
            MatrixUnit::of_processor("graniterapids", "-amx-int8,-avx512bf16"),
            [AmxBf16, Avx512Vnni, AvxVnni, Avx2Madd]
        );
        assert_eq!(
            MatrixUnit::of_processor("alderlake", "-amx-int8,+amx-int8"),
            [AmxInt8, AvxVnni, Avx2Madd]
        );
        assert_eq!(MatrixUnit::of_processor("x86-64-v4", ""), [Avx2Madd]);
        assert_eq!(MatrixUnit::of_processor("x86-64-v2", ""), []);
    }

    #[test]
    fn units_of_this_machine_are_left_out_by_feature() {
        assert_eq!(MatrixUnit::compiled_for(None, ""), MatrixUnit::ALL);
        assert_eq!(
            MatrixUnit::compiled_for(Some("native"), "-amx-int8,-amx-bf16,-avxvnni"),
            [Avx512Vnni, Avx512Bf16, Avx2Madd]
        );
        assert_eq!(MatrixUnit::compiled_for(Some("haswell"), ""), [Avx2Madd]);
        assert_eq!(MatrixUnit::compiled_for(Some("haswell"), "-avx2"), []);
    }

    #[test]
    fn lists_of_units_are_words() {
        assert_eq!(MatrixUnit::of_words("all"), Some(MatrixUnit::ALL.to_vec()));
        assert_eq!(MatrixUnit::of_words("tiles"), None);
        for units in [&[][..], &[AvxVnni], &[AmxInt8, Avx512Bf16]] {
            assert_eq!(MatrixUnit::of_words(&MatrixUnit::words(units)), Some(units.to_vec()));
        }
    }

    #[test]
    fn each_product_has_a_unit() {
        for products in [Products::Bytes, Products::Words, Products::Bf16, Products::FreeBf16] {
            assert!(MatrixUnit::ALL.iter().any(|unit| unit.adds(products)), "{products:?}");
        }
        // Dot products of bf16 flush subnormal numbers: only where values may differ.
        assert!(!Avx512Bf16.adds(Products::Bf16) && Avx512Bf16.adds(Products::FreeBf16));
    }
}
