//! Random kernels whose thread loops use shared memory one after the other: the launch gives what the schedule means, and
//! the interpreter, which looks for races, finds none. Where every thread reads only what it wrote there is no barrier.

use crate::common;

use common::{parse, run_pipeline};
use terrace_support::Random;

struct Maker {
    r: Random,
    /// Threads along x and y
    nx: i64,
    ny: i64,
    names: usize,
    /// Levels of the two loops: threads along y and x, or warps and lanes
    outer: &'static str,
    inner: &'static str,
}

const SM: &str = "#gpu.address_space<workgroup>";

impl Maker {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    fn buffer(&mut self) -> &'static str {
        self.r.pick(&["%P", "%Q"])
    }

    fn ty(&self) -> String {
        format!("memref<{}x{}xi32, {SM}>", self.ny, self.nx)
    }

    /// A place near the thread's own
    fn place(&mut self, x: &str, y: &str) -> String {
        let (nx, ny) = (self.nx, self.ny);
        let dx = self.r.below(3) - 1;
        let dy = self.r.below(3) - 1;
        match self.r.below(5) {
            0 => format!("{y}, {} - {x}", nx - 1),
            1 if dx != 0 => format!("{y}, ({x} + {}) mod {nx}", (dx + nx) % nx),
            2 if dy != 0 => format!("({y} + {}) mod {ny}, {x}", (dy + ny) % ny),
            _ => format!("{y}, {x}"),
        }
    }

    /// What a thread does
    fn work(&mut self, x: &str, y: &str) -> String {
        let (a, b, ty) = (self.name(), self.name(), self.ty());
        let (from, to) = (self.buffer(), self.buffer());
        let at = self.place(x, y);
        let own = if self.r.below(4) == 0 { self.place(x, y) } else { format!("{y}, {x}") };
        format!(
            "{a} = sched.read {from}[{at}] : {ty}\n{b} = arith.addi {a}, %one : i32\n\
             sched.write {b}, {to}[{own}] : {ty}\n"
        )
    }

    fn statement(&mut self, depth: usize) -> String {
        let (nx, ny, outer, inner) = (self.nx, self.ny, self.outer, self.inner);
        let (x, y) = (format!("%x{}", self.names), format!("%y{}", self.names));
        self.names += 1;
        match self.r.below(7) {
            // Rows, and columns one after the other in them.
            0 => {
                let all: String = (0..1 + self.r.below(2))
                    .map(|_| format!("sched.for ({x} in {nx} by 1 : {inner}) {{\n{}}}\n", self.work(&x, &y)))
                    .collect();
                // And one element by the first of them.
                let one = if self.r.coin() { self.work("0", &y) } else { String::new() };
                format!("sched.for ({y} in {ny} by 1 : {outer}) {{\n{all}{one}}}\n")
            }
            // A row by the first thread along y.
            1 => {
                let row = self.r.below(ny).to_string();
                let work = self.work(&x, &row);
                let row = format!("sched.for ({x} in {nx} by 1 : {inner}) {{\n{work}}}\n");
                match inner {
                    "lane" => format!("sched.for ({y} in 1 by 1 : warp) {{\n{row}}}\n"),
                    _ => row,
                }
            }
            // One element by one thread.
            2 => {
                let (row, column) = (self.r.below(ny).to_string(), self.r.below(nx).to_string());
                self.work(&column, &row)
            }
            // Rounds.
            3 if depth < 2 => {
                let n = self.names;
                let all: String = (0..1 + self.r.below(3)).map(|_| self.statement(depth + 1)).collect();
                let level = self.r.pick(&["", "", " : unroll"]);
                format!("sched.for (%r{n} in {} by 1{level} ordered) {{\n{all}}}\n", 1 + self.r.below(3))
            }
            4 => {
                let (from, to, ty) = (self.buffer(), self.buffer(), self.ty());
                if from == to {
                    return String::new();
                }
                format!(
                    "sched.copy per block (%a, %b) in ({ny}, {nx}) by linear {from}[%a, %b] to {to}[%a, %b] : {ty} to {ty}\n"
                )
            }
            _ => format!(
                "sched.for ({y} in {ny} by 1 : {outer}, {x} in {nx} by 1 : {inner}) {{\n{}}}\n",
                self.work(&x, &y)
            ),
        }
    }
}

fn kernel(seed: u64) -> (String, i64, i64) {
    let mut r = Random::new(seed.wrapping_mul(0xBF58_476D_1CE4_E5B9) | 1);
    let warps = r.below(3) == 0;
    let (nx, ny) = (if warps { 2 << r.below(2) } else { 2 + r.below(4) }, 1 + r.below(3));
    let (outer, inner) = if warps { ("warp", "lane") } else { ("thread.y", "thread.x") };
    let mut m = Maker { r, nx, ny, names: 0, outer, inner };
    let block = if warps { format!("[{}, 1, 1] subgroup {nx}", nx * ny) } else { format!("[{nx}, {ny}, 1]") };
    let (ty, n) = (m.ty(), nx * ny);
    let body: String = (0..2 + m.r.below(4)).map(|_| m.statement(0)).collect();
    let text = format!(
        "func.func @f(%A: memref<{n}xi32>, %w: memref<1xi32>, %out: memref<{n}xi32>) {{\n\
         %one = arith.constant 1 : i32\n\
         sched.kernel @k grid [1, 1, 1] block {block} {{\n\
         %P = sched.alloc : {ty}\n%Q = sched.alloc : {ty}\n\
         sched.for (%y in {ny} by 1 : {outer}, %x in {nx} by 1 : {inner}) {{\n\
         %a = sched.read %A[%y * {nx} + %x] : memref<{n}xi32>\n\
         sched.write %a, %P[%y, %x] : {ty}\nsched.write %one, %Q[%y, %x] : {ty}\n}}\n\
         {body}\
         sched.for (%y in {ny} by 1 : {outer}, %x in {nx} by 1 : {inner}) {{\n\
         %p = sched.read %P[%y, %x] : {ty}\n%q = sched.read %Q[%y, %x] : {ty}\n\
         %s = arith.muli %p, %q : i32\n\
         sched.write %s, %out[%y * {nx} + %x] : memref<{n}xi32>\n}}\n}}\nreturn\n}}\n"
    );
    (text, nx, ny)
}

#[test]
fn joins_keep_their_meaning() {
    let (mut refused, mut without) = (0, 0);
    for seed in 1..=600 {
        let (text, nx, ny) = kernel(seed);
        let Ok(mut ir) = parse(&text) else {
            // Threads of one loop disturb each other.
            refused += 1;
            continue;
        };
        let n = nx * ny;
        let given = [(0..n).map(|i| i * 7 % 5 + 1).collect(), vec![1]];
        let wanted = common::lines(&ir, &given, n, &text, "schedule");
        if let Err(why) = common::try_pipeline(&mut ir, "sched-legalize,sched-to-scf") {
            // A warp that others wait for skips its loop.
            assert!(text.contains("1 by 1 : warp") && why.contains("leaves threads idle"), "{why}\n{text}");
            refused += 1;
            continue;
        }
        without += usize::from(!common::shown(&ir).contains("gpu.barrier"));
        assert_eq!(
            common::lines(&ir, &given, n, &text, "launch"),
            wanted,
            "launch\n{text}\n{}",
            common::shown(&ir)
        );
        run_pipeline(&mut ir, "canonicalize,cse,licm", &text);
        assert_eq!(common::lines(&ir, &given, n, &text, "optimised"), wanted, "optimised\n{text}");
        run_pipeline(&mut ir, "gpu-launch-to-parallel", &text);
        assert_eq!(common::lines(&ir, &given, n, &text, "on the host"), wanted, "on the host\n{text}");
    }
    assert!(refused < 400 && without > 5, "{refused} refused, {without} without barriers");
}
