//! Layers: the words of schedules for who runs a loop.
//!
//! A layer is no level. Which level a thread of a schedule has depends on the whole schedule: `THR` is a task, a thread of a block
//! or a lane of a warp.

terrace_support::words! {
    /// Who runs the loop of a step
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
    pub enum Layer {
        /// Devices with a grid
        Gpu = "GPU",
        /// Processors
        Cpu = "CPU",
        /// Blocks
        Blk = "BLK",
        /// Warps of a block
        Wrp = "WRP",
        /// Threads of a block, lanes of a warp, or threads of a pool
        Thr = "THR",
        /// One iteration after the other
        For = "FOR",
        /// Copies of the body
        Unr = "UNR",
        /// Lanes of a vector
        Vec = "VEC",
    }
}

impl Layer {
    /// Do its loops have numbers, which are their order? Others have an axis
    pub const fn is_sequential(self) -> bool {
        matches!(self, Layer::For | Layer::Unr)
    }

    /// All of a device: the layers of a schedule's start
    pub const fn is_device(self) -> bool {
        matches!(self, Layer::Gpu | Layer::Cpu)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        for layer in Layer::ALL {
            assert_eq!(layer.word().parse(), Ok(*layer));
        }
        assert_eq!("thr".parse::<Layer>(), Err(()));
    }
}
