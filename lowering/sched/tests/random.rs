//! Random schedules of one computation: what the interpreter gives for the schedule, for its loops and copies made explicit,
//! and for the structured code is the same, and is what the computation means.
//!
//! out[i] = Σ_k A[i + 1, k − 1] · v[k], zero outside of A, by chains of tiles in random nesting at random levels, with tails
//! cut off, peeled or masked; contributions are merged in memory or as values. Numbers are small integers.

use crate::common;

use common::{meaning, outputs, parse, run_pipeline};
use terrace_support::Random;

/// One loop of a chain
struct Link {
    name: String,
    extent: i64,
    tile: i64,
    /// Text between the tile and the level
    limit: String,
    peel: bool,
    reduces: bool,
}

/// Tiles of a dimension: the first may leave a rest, those inside divide
fn chain(r: &mut Random, name: &str, size: i64, reduces: bool) -> Vec<Link> {
    let mut sizes = vec![size];
    let mut tile = 1 + r.below(size.min(9));
    while tile > 1 && sizes.len() < 4 {
        sizes.push(tile);
        let divisors: Vec<i64> = (1..tile).filter(|d| tile % d == 0).collect();
        tile = divisors[r.below(divisors.len() as i64) as usize];
    }
    sizes.push(1);
    let links = sizes.len() - 1;
    let cut = size % sizes[1] != 0 && links > 1;
    (0..links)
        .map(|n| {
            let others: String = (0..links - 1).map(|n| format!(" - %{name}{n}")).collect();
            let limit = if cut && n + 1 == links { format!(" limit {size}{others}") } else { String::new() };
            let peel = cut && n == 0 && r.coin();
            Link { name: format!("{name}{n}"), extent: sizes[n], tile: sizes[n + 1], limit, peel, reduces }
        })
        .collect()
}

fn level(r: &mut Random, link: &Link, task: bool, innermost: bool) -> &'static str {
    let trip = (link.extent + link.tile - 1) / link.tile;
    if innermost && link.tile == 1 && r.coin() {
        return " : vector";
    }
    if task && r.coin() {
        return " : task";
    }
    if trip <= 9 && r.coin() { " : unroll" } else { "" }
}

fn header(link: &Link, level: &str, word: &str) -> String {
    let Link { name, extent, tile, limit, peel, reduces } = link;
    let (dim, kind) = if *reduces { (1, word) } else { (0, "") };
    let tail = if *peel { " tail peel" } else { "" };
    format!("sched.for (%{name} in {extent} by {tile}{limit} dim {dim}{level}{kind}{tail})")
}

fn sum(links: &[Link], reduces: bool) -> String {
    let names: Vec<String> =
        links.iter().filter(|link| link.reduces == reduces).map(|link| format!("%{}", link.name)).collect();
    names.join(" + ")
}

/// A program, and the sizes of its two dimensions
fn program(seed: u64) -> (String, i64, i64, &'static str) {
    let mut r = Random::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (m, n) = (1 + r.below(13), 1 + r.below(17));
    let elem = r.pick(&["f32", "i32", "f64"]);
    let (mul, zero) = if elem == "i32" { ("arith.muli", "0") } else { ("arith.mulf", "0.0") };
    let (mut kept, mut reduced) = (chain(&mut r, "i", m, false), chain(&mut r, "k", n, true));
    let values = r.coin();
    let mut links = Vec::new();
    kept.reverse();
    reduced.reverse();
    while !kept.is_empty() || !reduced.is_empty() {
        // Values are merged inside of all that is kept.
        let first = !kept.is_empty() && (values || reduced.is_empty() || r.coin());
        links.extend(if first { kept.pop() } else { reduced.pop() });
    }
    let (i, k) = (sum(&links, false), sum(&links, true));
    let body = format!(
        "%a = sched.read %A[{i} + 1, {k} - 1] else %z : memref<{m}x{n}x{elem}>\n\
         %b = sched.read %v[{k}] : memref<{n}x{elem}>\n%p = {mul} %a, %b : {elem}\n"
    );
    let mut text = format!(
        "func.func @f(%A: memref<{m}x{n}x{elem}>, %v: memref<{n}x{elem}>, %out: memref<{m}x{elem}>) {{\n\
         %z = arith.constant {zero} : {elem}\n"
    );
    if !values {
        let by = if r.coin() { " by (vector 4)" } else { "" };
        text += &format!("sched.copy (%x) in ({m}){by} %z to %out[%x] : {elem} to memref<{m}x{elem}>\n");
    }
    let order = r.pick(&[" pw add", " pw add", " pw add source"]);
    let last = links.len() - 1;
    // A vector loop that reduces in memory, or lanes of rows: both have a form.
    let mut levels: Vec<&str> = Vec::new();
    for (n, link) in links.iter().enumerate() {
        // Tasks follow each other; those that reduce merge into memory.
        let task = levels.iter().all(|level| *level == " : task") && (!link.reduces || !values);
        let level = level(&mut r, link, task, n == last);
        levels.push(if order.ends_with("source") && level == " : vector" { "" } else { level });
    }
    let mut close = Vec::new();
    for (n, link) in links.iter().enumerate() {
        let plain = header(link, levels[n], if values { order } else { " pw add" });
        if values && link.reduces {
            text += &format!("%r{n} = {plain} -> {elem} {{\n");
            close.push(format!("sched.yield %r{n} : {elem}\n}}\n"));
        } else {
            text += &format!("{plain} {{\n");
            close.push("}\n".into());
        }
    }
    text += &body;
    if values {
        let first = links.iter().position(|link| link.reduces).unwrap_or(0);
        for n in (first..links.len()).rev() {
            let inner = if n == last { "%p".into() } else { format!("%r{}", n + 1) };
            text += &format!("sched.yield {inner} : {elem}\n}}\n");
        }
        text += &format!("sched.write %r{first}, %out[{i}] : memref<{m}x{elem}>\n");
        text += &"}\n".repeat(first);
    } else {
        text += &format!("sched.write %p, %out[{i}] combine add : memref<{m}x{elem}>\n");
        text += &"}\n".repeat(links.len());
    }
    (text + "return\n}\n", m, n, elem)
}

/// The same computation as a kernel: rows over blocks and threads, k in rounds or over threads, parts of v in shared memory
fn kernel(seed: u64) -> (String, i64, i64, &'static str) {
    let mut r = Random::new(seed.wrapping_mul(0xD134_2543_DE82_EF95) | 1);
    let (m, n) = (1 + r.below(11), 1 + r.below(13));
    let elem = r.pick(&["f32", "i32"]);
    let (mul, zero) = if elem == "i32" { ("arith.muli", "0") } else { ("arith.mulf", "0.0") };
    let (rows, part) = (1 + r.below(5), 1 + r.below(6));
    let (staged, across, private) = (r.coin(), r.coin(), r.coin());
    // Threads that are idle: only where nobody waits for them.
    let idle = if staged || across { 0 } else { r.below(3) };
    let divisors: Vec<i64> = (1..=part).filter(|d| part % d == 0).collect();
    let columns = if across { divisors[r.below(divisors.len() as i64) as usize] } else { 1 };
    let (blocks, threads) = ((m + rows - 1) / rows, rows + idle);
    let sm = "#gpu.address_space<workgroup>";
    let rm = "#gpu.address_space<private>";
    let mut text = format!(
        "func.func @f(%A: memref<{m}x{n}x{elem}>, %v: memref<{n}x{elem}>, %out: memref<{m}x{elem}>) {{\n\
         %z = arith.constant {zero} : {elem}\n\
         sched.kernel @k grid [{blocks}, 1, 1] block [{threads}, {columns}, 1] {{\n\
         sched.for (%i0 in {m} by {rows} dim 0 : block.x{}) {{\n\
         sched.for (%i1 in {rows} by 1 dim 0 : thread.x) {{\n",
        if m % rows == 0 { "" } else { " tail pad" }
    );
    let pad = if staged && n % part != 0 { " tail pad" } else { "" };
    let ahead = if staged { r.pick(&["", " stages 2", " stages 3"]) } else { "" };
    let pad = format!("{pad}{ahead}");
    if private {
        text += &format!(
            "%acc = sched.alloc : memref<1x{elem}, {rm}>\n\
             sched.copy (%x) in (1) %z to %acc[%x] : {elem} to memref<1x{elem}, {rm}>\n"
        );
        text += &format!("sched.for (%k0 in {n} by {part} dim 1 pw add{pad}) {{\n");
    } else {
        text += &format!("%s = sched.for (%k0 in {n} by {part} dim 1 pw add{pad}) -> {elem} {{\n");
    }
    let source = if staged {
        text += &format!(
            "%w = sched.alloc per block : memref<{part}x{elem}, {sm}>\n\
             sched.copy per block (%x) in ({part}) by linear %v[%k0 + %x] else %z to %w[%x] : memref<{n}x{elem}> to memref<{part}x{elem}, {sm}>\n"
        );
        // Sometimes a second one, which reads what the first one wrote.
        if r.coin() {
            text += &format!(
                "%u = sched.alloc per block : memref<{part}x{elem}, {sm}>\n\
                 sched.copy per block (%x) in ({part}) by linear %w[%x] to %u[%x] : memref<{part}x{elem}, {sm}> to memref<{part}x{elem}, {sm}>\n"
            );
            ("%u", format!("memref<{part}x{elem}, {sm}>"))
        } else {
            ("%w", format!("memref<{part}x{elem}, {sm}>"))
        }
    } else {
        ("%v", format!("memref<{n}x{elem}>"))
    };
    // What is left of the last part: read as zero where all meet, else not done at all.
    let limit = format!(" limit {n} - %k0");
    let inner = if across {
        let limit = if staged { String::new() } else { limit };
        format!(
            "%q = sched.for (%k1 in {part} by {each} dim 1 : thread.y pw add) -> {elem} {{\n\
             %t = sched.for (%k2 in {each} by 1{cut} dim 1 pw add) -> {elem} {{\n",
            each = (part + columns - 1) / columns,
            cut = if limit.is_empty() { String::new() } else { format!("{limit} - %k1") },
        )
    } else {
        let limit = if staged || n % part == 0 { String::new() } else { limit };
        format!("%q = sched.for (%k2 in {part} by 1{limit} dim 1 pw add) -> {elem} {{\n")
    };
    text += &inner;
    let within = if across { "%k1 + %k2" } else { "%k2" };
    let at = if staged { within.to_string() } else { format!("%k0 + {within}") };
    text += &format!(
        "%a = sched.read %A[%i0 + %i1 + 1, %k0 + {within} - 1] else %z : memref<{m}x{n}x{elem}>\n\
         %b = sched.read {}[{at}] else %z : {}\n%p = {mul} %a, %b : {elem}\nsched.yield %p : {elem}\n}}\n",
        source.0, source.1
    );
    if across {
        text += &format!("sched.yield %t : {elem}\n}}\n");
    }
    if private {
        text += &format!("sched.write %q, %acc[0] combine add : memref<1x{elem}, {rm}>\n}}\n");
        text += &format!("%s = sched.read %acc[0] : memref<1x{elem}, {rm}>\n");
    } else {
        text += &format!("sched.yield %q : {elem}\n}}\n");
    }
    text += &format!("sched.write %s, %out[%i0 + %i1] clip : memref<{m}x{elem}>\n}}\n}}\n}}\nreturn\n}}\n");
    (text, m, n, elem)
}

#[test]
fn kernels_keep_their_meaning() {
    let mut refused = 0;
    for seed in 1..=300 {
        let (text, m, n, elem) = kernel(seed);
        let mut ir = match parse(&text) {
            Ok(ir) => ir,
            Err(why) => {
                assert!(
                    ["TAIL", "COVER", "HW", "SYNC"].iter().any(|rule| why.contains(rule)),
                    "{why}\n{text}"
                );
                refused += 1;
                continue;
            }
        };
        let wanted = meaning(m, n);
        assert_eq!(outputs(&ir, m, n, elem, &text, "schedule"), wanted, "schedule\n{text}");
        run_pipeline(&mut ir, "sched-legalize,sched-to-scf", &text);
        assert_eq!(outputs(&ir, m, n, elem, &text, "launch"), wanted, "launch\n{text}");
        run_pipeline(&mut ir, "canonicalize,cse,promote-buffers,canonicalize,cse,licm", &text);
        assert_eq!(outputs(&ir, m, n, elem, &text, "optimised"), wanted, "optimised\n{text}");
        run_pipeline(&mut ir, "gpu-launch-to-parallel", &text);
        assert_eq!(outputs(&ir, m, n, elem, &text, "on the host"), wanted, "on the host\n{text}");
    }
    assert!(refused < 100, "{refused} refused");
}

#[test]
fn schedules_keep_their_meaning() {
    let (mut refused, mut vectors, mut peeled, mut parts) = (0, 0, 0, 0);
    for seed in 1..=400 {
        let (text, m, n, elem) = program(seed);
        let mut ir = match parse(&text) {
            Ok(ir) => ir,
            Err(why) => {
                // Lanes along a column of A are no neighbours; nothing else is refused.
                assert!(why.contains("VEC"), "{why}\n{text}");
                refused += 1;
                continue;
            }
        };
        vectors += usize::from(text.contains(": vector"));
        peeled += usize::from(text.contains("tail peel"));
        parts += usize::from(text.contains(": task pw"));
        let wanted = meaning(m, n);
        assert_eq!(outputs(&ir, m, n, elem, &text, "schedule"), wanted, "schedule\n{text}");
        run_pipeline(&mut ir, "sched-legalize", &text);
        assert_eq!(outputs(&ir, m, n, elem, &text, "explicit"), wanted, "explicit\n{text}");
        run_pipeline(&mut ir, "sched-to-scf", &text);
        assert_eq!(outputs(&ir, m, n, elem, &text, "scf"), wanted, "scf\n{text}");
        run_pipeline(&mut ir, "canonicalize,cse,promote-buffers,canonicalize,cse,licm", &text);
        assert_eq!(outputs(&ir, m, n, elem, &text, "optimised"), wanted, "optimised\n{text}");
    }
    assert!(
        refused < 150 && vectors > 40 && peeled > 20 && parts > 20,
        "{refused} refused, {vectors} vectors, {peeled} peeled, {parts} with partial buffers"
    );
}
