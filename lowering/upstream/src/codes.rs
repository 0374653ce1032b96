//! Codes of the edges between upstream dialects, E05xx.

terrace_diag::codes! {
    /// An op that holds exactly one block has structured control flow inside, and blocks may not stand there. Lower the
    /// op around it first.
    pub ONE_BLOCK: "E0501" Verifier "blocks do not fit here";
    /// A reduction over the threads of a block needs a buffer of the block: inside of `gpu.func` or `gpu.launch`, without
    /// private attributions, and with an operator of one block.
    pub NO_BLOCK_BUFFER: "E0503" Verifier "no buffer of the block";
    /// A reduction that keeps the last value has no value to start from. Let the loop store the value instead.
    pub NO_IDENTITY: "E0502" Verifier "reduction without identity";
    /// An op combines, or looks into, values of a float that no target computes with. Widen them to f32 first, and narrow
    /// the result.
    pub SMALL_FLOAT: "E0504" Verifier "no meaning on small floats";
    /// A kernel cannot be run as loops on the host: an op in it has no counterpart there, threads wait inside of an op that
    /// cannot be split, or keep what has no place in a buffer.
    pub NOT_ON_HOST: "E0505" Verifier "kernel cannot run on the host";
    /// Sizes that were promised do not fit the types, or what ops need of each other.
    pub SIZES: "E0506" Verifier "sizes do not fit";
    /// A kernel keeps more in its block's memory than the device has for one block.
    pub SHARED_MEMORY: "E0507" Verifier "too much memory of the block";
}
