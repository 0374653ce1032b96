//! The derivation of *Mapping Parallelism in a Functional IR* (CC 2022, §3.3): all six groups of rewrites on one convolution.
//!
//! Input and weights are tiled three times, each level fetched into nearer memory before its loops, with rows and columns
//! exchanged; sums are kept in registers and added up as a tree; weights are in groups; numbers are read in vectors. Copies
//! become maps, in parts, so that who copies what can be chosen like all other parallelism.

use terrace_rewrite::library::Named;

/// Copies as maps
pub(crate) const COPIES: Named = Named {
    name: "convCopies",
    parameters: &["v"],
    text: "somewhere(copyAsMaps(fill, v)); at(blocks) somewhere(copyAsMaps(stage, v)); \
           at(parts) somewhere(copyAsMaps(restage, v)); at(kernelBlocks) somewhere(copyAsMaps(weights, v)); \
           at(kernelParts) somewhere(copyAsMaps(reweights, v)); at(chunks) topdown(copyAsMaps(fetch)); \
           somewhere(copyAsMaps(cut))",
    docs: "All copies of `convDeep` as maps, vectors of `v` at once: `fill` of what is padded, `stage` and `restage` of tiles, \
           `weights` and `reweights`, `fetch` to registers, `cut` of the result",
};

/// Parts of copies
pub(crate) const COPY_TILES: Named = Named {
    name: "convCopyTiles",
    parameters: &["f1", "f2", "s1", "s2", "c1", "c2", "w"],
    text: "at(fill) tile2D(f1, f1, fillBlocks, fillBlock); at(fill) tile2D(f2, f2, fillThreads, fillThread); \
           at(stage) tile2D(s1, s1, stageThreads, stageThread); at(restage) tile2D(s2, s2, restageThreads, restageThread); \
           at(cut) tile2D(w, c1, cutBlocks, cutBlock); at(cut) tile2D(w, c2, cutThreads, cutThread); \
           at(weights) splitJoin(w, weightThreads, weights); at(reweights) splitJoin(w, reweightThreads, reweights)",
    docs: "The copies of `convCopies` in tiles: `fill` by `f1`, then `f2`; `stage` by `s1`, `restage` by `s2`; `cut` by `w` maps of \
           `c1`, then `c2` columns; `weights` by `w` kernels",
};

/// The whole
pub(crate) const DEEP: Named = Named {
    name: "convDeep",
    parameters: &["t1", "t2", "t3", "rho", "k1", "k2", "k3", "sg", "om", "v", "n"],
    text: "at(o0) padExtend2D(rho); at(padded) toGlobal; \
           convLevel(t1, k1, blocks, kernelBlocks); convLevel(t2, k2, parts, kernelParts); convTile(t3, k3, sg); \
           at(s) reduceByVectors(v); coalesceReduce(s, om / v); at(kernel) mapFissionZip(chunks, sum); \
           at(window) mapFission(kernel); at(windows) mapFission(window); at(groups) mapFissionZip(windows, sums); convBlock; \
           at(blocks) introduceReuse(local, transposed); at(parts) introduceReuse(local, transposed); \
           at(kernelBlocks) introduceReuse(local); at(kernelParts) introduceReuse(local); at(chunks) introduceReuse(private); \
           at(groups) toLocal; at(s) splitReduceStrided(n); at(blocks) toGlobal; at(o) toGlobal; simplify",
    docs: "Direct convolution as `convBlocked`, tiled three times (`t1`, `t2`, `t3` rows and columns; `k1`, `k2`, `k3` kernels), each \
           tile fetched to local memory, chunks to registers, sums of chunks as a tree of `n` branches in local memory \
           (CC'22, §3.3; `o` names the result)",
};

/// One level of tiles
pub(crate) const LEVEL: Named = Named {
    name: "convLevel",
    parameters: &["theta", "ka", "inputs", "kernels"],
    text: "at(windows) tileStencil2D(theta); at(tiles) joinSplit; at(tiles) rename(inputs); at(r) splitJoin(ka, kernels, r); \
           at(window) extractFromMap; at(windows) extractFromMap; at(inputs) extractFromMap; \
           at(window) mapFission(kernels); at(window) mapMapInterchange; \
           at(windows) mapFission(kernels); at(windows) mapMapInterchange",
    docs: "The windows in tiles of `theta` by `theta`, a map `inputs`, in each a map `kernels` over groups of `ka` kernels, in \
           these the windows as before",
};

/// The last level of tiles
pub(crate) const TILE: Named = Named {
    name: "convTile",
    parameters: &["theta", "ka", "sg"],
    text: "at(windows) tileStencil2D(theta); at(tiles) joinSplit; at(windows) joinSplit; \
           at(windows) splitJoin(sg, windows, window); at(r) splitJoin(ka, groups, kernel); \
           at(window) extractFromMap; at(windows) extractFromMap; at(tiles) extractFromMap; \
           at(window) mapFission(groups); at(window) mapMapInterchange; \
           at(windows) mapFission(groups); at(windows) mapMapInterchange",
    docs: "The same with groups of `sg` windows: maps `tiles`, `groups`, `windows`, `window`, `kernel`",
};

/// The paper's eight parameters
pub(crate) const TUNED: Named = Named {
    name: "convTuned",
    parameters: &["theta", "rho", "kappa", "sigma", "omega", "v", "coalescing", "unrolling"],
    text: "convTiles(theta, rho, kappa, sigma); at(s) reduceByVectors(v); at(s) coalesce(omega / v, coalescing); \
           at(s) splitReduce(omega / v, chunks); \
           at(kernel) mapFissionZip(chunks); at(window) mapFission(kernel); at(windows) mapFission(window); \
           at(groups) mapFissionZip(windows); at(tiles) mapFission(groups, sums); convBlock; convKernels; \
           at(partial) unroll(unrolling)",
    docs: "`convBlocked` with all eight parameters of GPGPU'20 (Table 4): the last two are 0 or 1",
};
