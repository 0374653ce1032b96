//! Derivations of the papers as named strategies.
//!
//! A strategy finds its places by names: those that maps carry (`array.map "A"`), and those of values. Rules that make maps
//! give them names of their own (`tiles`, `tile`, `windows`, `window`), which later steps go by.

use crate::deep;
use terrace_rewrite::library::Named;

/// All strategies, in alphabetical order
pub const ALL: &[Named] = &[
    Named {
        name: "coalesceReduce",
        parameters: &["place", "m"],
        text: "at(place) coalesce(m); at(place) splitReduce(m, chunks)",
        docs: "The reduction of that name in chunks of `m` elements that lie far apart, so that chunks side by side are \
               read side by side; the start value is used once, outside",
    },
    Named {
        name: "convBlock",
        parameters: &[],
        // Parts of windows and of kernels apart, chunks outside of both, then the sum outside of both.
        text: "at(kernel) (somewhere(reorderIntoZip); somewhere(splitIntoZip(wc, kc)); somewhere(mapFusion)); \
               at(kernel) extractFromMap; at(kernel) mapFission(kc, dots); \
               at(window) extractFromMap; at(windows) extractFromMap; at(dots) mapMapInterchangeZip; \
               at(window) extractFromMap; at(windows) extractFromMap; \
               at(window) mapFission(wc, block); at(block) mapFission(chunks); at(block) mapMapInterchangeZip; \
               at(dots) mapReduceInterchangeZip; at(block) extractFromMap; \
               at(block) mapReduceInterchangeZip(partial); at(partial) toPrivate; at(block) introduceReuse(private)",
        docs: "Partial sums of a group of windows and a group of kernels together, in registers: each vector of a window is \
               fetched once for all kernels of the group",
    },
    Named {
        name: "convBlocked",
        parameters: &["theta", "rho", "ka", "sg", "om", "v"],
        text: "convTiles(theta, rho, ka, sg); convPartials(om, v); convBlock; convKernels",
        docs: "Direct convolution as `convMid`, its partial sums blocked in registers (GPGPU'20, listing 4)",
    },
    deep::COPIES,
    deep::COPY_TILES,
    deep::DEEP,
    Named {
        name: "convHost",
        parameters: &["h", "q", "o", "v"],
        text: "convHostTiles(h, q, o); convHostPanels; convHostLanes(v); convHostMemory",
        docs: "Direct convolution for a processor (names: `Y` and `X` of the maps over rows of windows and windows, `O` over \
               kernels, `xs` and `ys` of a window and a kernel as one row each): strips of `h` rows of windows with a copy of \
               what they read, kernels in panels of `o` with a copy whose rows are the panel's lanes, and sums of `q` windows \
               and a panel in registers, `v` kernels at once. `blocks` and `panels` are the maps for tasks",
    },
    Named {
        name: "convHostDirect",
        parameters: &["q", "o", "v"],
        text: "at(X) splitJoin(q, X, pixel); at(O) splitJoin(o, panels, kernel); convHostPanels; convHostLanes(v); \
               at(acc) toPrivate; at(weights) toLocal; simplify",
        docs: "`convHost` without strips: windows are read where they are, and the border is a zero that a read finds outside; \
               `sched-skip-zeros` leaves it out. `panels` is the map for tasks, which share nothing",
    },
    Named {
        name: "convHostDirectParts",
        parameters: &["q", "o", "c", "v"],
        text: "(at(X) extractFromMap)?; (at(Y) extractFromMap)?; at(Y) sumOfParts(c, parts, starts); convHostDirect(q, o, v)",
        docs: "The same with the sum over parts of `c` channels outside of panels, which hold no more than a part's",
    },
    Named {
        name: "convHostLanes",
        parameters: &["v"],
        // First kernels side by side for one number of a window, then windows too: the sum is outermost.
        text: "at(lanes) mapReduceInterchangeZip(dots, weights); \
               at(pixels) extractFromMap(weights); at(X) extractFromMap(weights); at(Y) extractFromMap(weights); \
               at(lanes) vectorize(v); at(pixels) mapReduceInterchangeZip(sums); \
               at(pixels) mapFission(lanes); at(sums) reduceLayout(acc)",
        docs: "Sums of a group of windows and a panel of kernels at once, `v` kernels in a vector: what `convHostPanels` leaves",
    },
    Named {
        name: "convHostMemory",
        parameters: &[],
        text: "at(acc) toPrivate; at(weights) toLocal; at(blocks) introduceReuse(global); simplify",
        docs: "Sums in registers, a panel and a strip in memory of their own: what `convHostLanes` leaves",
    },
    Named {
        name: "convHostPacked",
        parameters: &["h", "q", "o", "v"],
        // What a panel is copied to does not depend on the strip: all panels in one map, outside of strips.
        text: "convHostTiles(h, q, o); convHostPanels; convHostLanes(v); at(acc) toPrivate; \
               at(panels) mapFission(weights, work); at(panels) rename(packs); at(work) rename(panels); \
               at(blocks) extractFromMap; at(packs) toGlobal; at(blocks) introduceReuse(global); simplify; \
               somewhere(copyAsMaps(packs, v))",
        docs: "`convHost` with all panels packed once for all strips, by a map `packs`: for weights that are small",
    },
    Named {
        name: "convHostPanels",
        parameters: &[],
        // Rows of windows and kernels apart, panels outside of windows, tiles and rows.
        text: "at(kernel) extractFromMap; at(panels) extractFromMap; at(pixel) extractFromMap; \
               at(pixel) mapFission(xs, pixels); at(X) extractFromMap; at(Y) extractFromMap; \
               at(kernel) mapFission(ys, lanes); \
               at(pixels) mapFission(panels); at(pixels) mapMapInterchange; \
               at(X) mapFission(panels); at(X) mapMapInterchange; at(Y) mapFission(panels); at(Y) mapMapInterchange",
        docs: "Panels of kernels outside of the strip's windows: what `convHostTiles` leaves",
    },
    Named {
        name: "convHostParts",
        parameters: &["h", "q", "o", "c", "v"],
        text: "(at(X) extractFromMap)?; (at(Y) extractFromMap)?; at(Y) tileRows(h, blocks, Y); at(Y) sumOfParts(c, parts, starts); \
               at(X) splitJoin(q, X, pixel); at(O) splitJoin(o, panels, kernel); \
               convHostPanels; convHostLanes(v); \
               at(acc) toPrivate; at(weights) toLocal; at(parts) introduceReuseOf(0, global, strip); simplify; \
               (at(strip) copyAsMaps(strip, v) | at(strip) copyAsMaps(strip))",
        docs: "`convHost` with the sum over parts of `c` channels outside of panels: strip and panel hold no more than a part's, and \
               results are added to once for each part. Their start values, which may be one of each kernel, and the strip are \
               written by maps, `starts` and `strip`: with `panels` for tasks, all threads share one strip",
    },
    Named {
        name: "convHostShared",
        parameters: &["h", "q", "o", "v"],
        text: "convHostTiles(h, q, o); convHostPanels; convHostLanes(v); \
               at(acc) toPrivate; at(weights) toLocal; at(blocks) introduceReuseOf(0, global, strip); simplify; \
               (at(strip) copyAsMaps(strip, v) | at(strip) copyAsMaps(strip))",
        docs: "`convHost` with the strip written by a map, `strip`: with `panels` for tasks, all threads share one",
    },
    Named {
        name: "convHostTiles",
        parameters: &["h", "q", "o"],
        text: "at(Y) tileRows(h, blocks, Y); at(X) splitJoin(q, X, pixel); at(O) splitJoin(o, panels, kernel)",
        docs: "Strips of `h` rows of windows, tiles of `q` windows, panels of `o` kernels",
    },
    Named {
        name: "convKernels",
        parameters: &[],
        text: "at(tiles) toGlobal; at(sums) toGlobal; simplify",
        docs: "Partial sums and sums in the device's memory: what writes there is a kernel",
    },
    deep::LEVEL,
    Named {
        name: "convMid",
        parameters: &["theta", "rho", "ka", "sg", "om", "v"],
        text: "convTiles(theta, rho, ka, sg); convPartials(om, v); convKernels",
        docs: "Direct convolution (GPGPU'20, listing 3, with the names `o0` of the map over rows of windows, `r` of the map over \
               kernels, `s` of the dot product) in four kernels: padding, partial sums of chunks by tiles of `theta`, groups of \
               `ka` kernels and `sg` windows, their sums with the biases, and cutting off what `rho` more elements made too much",
    },
    Named {
        name: "convPartials",
        parameters: &["om", "v"],
        // Vectors first, then their order: numbers in another order are no neighbors that a vector could hold.
        text: "at(s) reduceByVectors(v); coalesceReduce(s, om / v); \
               at(kernel) mapFissionZip(chunks); at(window) mapFission(kernel); at(windows) mapFission(window); \
               at(groups) mapFissionZip(windows); at(tiles) mapFission(groups, sums)",
        docs: "The dot product of a window and a kernel in chunks of `om` numbers, `v` at once, and the sums of chunks with the \
               biases as a map of their own",
    },
    deep::TILE,
    Named {
        name: "convTiles",
        parameters: &["theta", "rho", "ka", "sg"],
        text: "at(o0) padExtend2D(rho); at(padded) toGlobal; at(extended) tileStencil2D(theta); \
               at(tiles) joinSplit; at(windows) joinSplit; \
               at(windows) splitJoin(sg, windows, window); at(r) splitJoin(ka, groups, kernel); \
               at(window) extractFromMap; at(windows) extractFromMap; at(tiles) extractFromMap; \
               at(window) mapFission(groups); at(window) mapMapInterchange; \
               at(windows) mapFission(groups); at(windows) mapMapInterchange",
        docs: "Windows in tiles of `theta` by `theta`, in each tile groups of `ka` kernels, and for these groups of `sg` windows",
    },
    deep::TUNED,
    Named {
        name: "multiLevelTile1D",
        parameters: &["place", "n", "m"],
        text: "at(place) splitJoin(n, outer, middle); at(middle) splitJoin(m, middle, inner)",
        docs: "The map of that name in parts of `n`, and these in parts of `m`",
    },
    Named {
        name: "partialReductionTree",
        parameters: &["place", "n", "levels"],
        text: "repeat(at(place) splitReduce(n), levels)",
        docs: "The reduction of that name as a tree: parts of `n` elements, parts of `n` partial results, and so on",
    },
    Named {
        name: "partitionWeights",
        parameters: &["place", "k"],
        text: "at(place) splitJoin(k, groups, kernel)",
        docs: "The map of that name over weights in groups of `k`",
    },
    Named {
        name: "prefetch",
        parameters: &["place", "space"],
        text: "at(place) introduceReuse(space)",
        docs: "What the map of that name works on is fetched to memory of the space (private, local, global) first",
    },
    Named {
        name: "prefetchTransposed",
        parameters: &["place", "space"],
        text: "at(place) introduceReuse(space, transposed)",
        docs: "The same with rows and columns exchanged in that memory, so that columns are read side by side",
    },
    Named {
        name: "registerBlock",
        parameters: &["rows", "columns"],
        text: "at(columns) mapReduceInterchangeZip; at(rows) extractFromMap?; \
               at(rows) mapReduceInterchangeZip(sum); at(sum) toPrivate",
        docs: "Reductions of all pairs of rows and columns at once: the sum outside, products of all pairs inside, partial \
               results in registers",
    },
    Named {
        name: "simplify",
        parameters: &[],
        text: "(topdown(transposeTranspose | joinSplitId | splitJoinId | asScalarAsVector | asVectorAsScalar | zipUnzip | \
               unzipZip | padSlice | mapId | removeDuplicateZipArg | removeDuplicateZipArgReduce | getTuple | tupleGet | \
               sliceAll | castCast))*",
        docs: "Pairs that undo each other, until there are none",
    },
    Named {
        name: "tile1D",
        parameters: &["place", "n"],
        text: "at(place) splitJoin(n, outer, inner)",
        docs: "The map of that name in parts of `n`",
    },
    Named {
        name: "tileBoth",
        parameters: &["place", "n", "m"],
        text: "at(place) tile2D(n, m)",
        docs: "The map of that name over rows and columns in tiles of `n` by `m`",
    },
    Named {
        name: "tileMapMap",
        parameters: &["rows", "columns", "n", "m"],
        text: "at(rows) splitJoin(n, rowTiles, inRows); at(columns) splitJoin(m, columnTiles, inColumns); \
               at(inRows) extractFromMap; at(rowTiles) extractFromMap; \
               at(inRows) mapFission(columnTiles); at(inRows) mapMapInterchange",
        docs: "A map of pairs from two arrays in tiles of `n` by `m`: maps `rowTiles`, `columnTiles`, `inRows`, `inColumns`",
    },
    Named {
        name: "tileStencil",
        parameters: &["place", "u"],
        text: "at(place) tileStencil2D(u); simplify",
        docs: "The map of that name over windows in overlapped tiles of `u` by `u`",
    },
    Named {
        name: "vectorizeMaps",
        parameters: &["v"],
        text: "topdown(vectorize(v))",
        docs: "Every map of a function of numbers at `v` numbers at once, where `v` divides its size",
    },
    Named {
        name: "vectorizeReduction",
        parameters: &["place", "v"],
        text: "at(place) reduceByVectors(v)",
        docs: "The reduction of that name by vectors of `v` neighbors",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LIBRARY;
    use terrace_rewrite::library::Choice;
    use terrace_rewrite::strategy::Strategy;

    #[test]
    fn all_are_made_of_rules_that_there_are() {
        let all = LIBRARY.rules.iter().copied().flatten().copied().collect();
        let choice = Choice { all, strategies: ALL, only: &[] };
        for named in ALL {
            // Numbers do everywhere but for places.
            let value = |name: &&str| if *name == "place" { "x".to_string() } else { "4".to_string() };
            let strategy =
                Strategy::With(named.name.to_string(), named.parameters.iter().map(value).collect());
            let strategy =
                if named.parameters.is_empty() { Strategy::Rule(named.name.into()) } else { strategy };
            let found = choice.resolve(&strategy).map_err(|error| error.message.to_string());
            assert!(found.is_ok(), "{}: {}", named.name, found.err().unwrap_or_default());
        }
    }

    #[test]
    fn names_are_in_order_and_no_rules() {
        let names: Vec<&str> = ALL.iter().map(|named| named.name).collect();
        assert!(names.is_sorted());
        let rules = LIBRARY.rules.iter().copied().flatten();
        assert_eq!(rules.filter(|rule| names.contains(&rule.name())).count(), 0);
    }

    #[test]
    fn rules_have_names_of_their_own() {
        let mut names: Vec<&str> = LIBRARY.rules.iter().copied().flatten().map(|rule| rule.name()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|two| two[0] != two[1]));
    }
}
