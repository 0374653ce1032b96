//! Layers: the words of schedules for who runs a loop.
//!
//! A layer is no level. Which level a thread of a schedule has depends on the whole schedule: `THR` is a task, a thread of a block
//! or a lane of a warp.

use crate::words::by_words;

/// Who runs the loop of a step
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Layer {
    /// Devices with a grid
    Gpu,
    /// Processors
    Cpu,
    /// Blocks
    Blk,
    /// Warps of a block
    Wrp,
    /// Threads of a block, lanes of a warp, or threads of a pool
    Thr,
    /// One iteration after the other
    For,
    /// Copies of the body
    Unr,
    /// Lanes of a vector
    Vec,
}

impl Layer {
    /// The words, from wide to narrow
    pub const WORDS: [(&'static str, Layer); 8] = [
        ("GPU", Layer::Gpu),
        ("CPU", Layer::Cpu),
        ("BLK", Layer::Blk),
        ("WRP", Layer::Wrp),
        ("THR", Layer::Thr),
        ("FOR", Layer::For),
        ("UNR", Layer::Unr),
        ("VEC", Layer::Vec),
    ];

    /// The word
    pub const fn word(self) -> &'static str {
        Layer::WORDS[self as usize].0
    }

    /// Do its loops have numbers, which are their order? Others have an axis
    pub const fn is_sequential(self) -> bool {
        matches!(self, Layer::For | Layer::Unr)
    }

    /// All of a device: the layers of a schedule's start
    pub const fn is_device(self) -> bool {
        matches!(self, Layer::Gpu | Layer::Cpu)
    }
}

by_words!(Layer);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        for (word, layer) in Layer::WORDS {
            assert_eq!((layer.word(), word.parse()), (word, Ok(layer)));
        }
        assert_eq!("thr".parse::<Layer>(), Err(()));
    }
}
