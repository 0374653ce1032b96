//! Flattened indices of tiles (paper, §5.3), by brute force: at every point of every iteration each place of a tile stands for one element
//! of the buffer that it was cut out of, each element has one place, what is read is the element that the point
//! wants, and what is written goes out to where it belongs.

use crate::common::{lower, parse};

use std::collections::{BTreeMap, BTreeSet};
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{Alloc, Copy, For, Kernel, Read, Write};
use terrace_ir::{BlockId, Ir, OpId, RegionId, Value};
use terrace_support::HashMap;

/// An element of an argument
type Element = (usize, Vec<i64>);

/// What the places of a tile stand for
#[derive(Default)]
struct Tile {
    places: BTreeMap<Vec<i64>, Element>,
    elements: BTreeSet<Element>,
}

impl Tile {
    fn put(&mut self, place: Vec<i64>, element: Element) {
        let before = self.places.insert(place.clone(), element.clone());
        assert!(before.as_ref().is_none_or(|old| *old == element), "{place:?}: {before:?} and {element:?}");
        let new = self.elements.insert(element.clone());
        assert_eq!(new, before.is_none(), "{element:?} has two places, one is {place:?}");
    }
}

struct Walk<'a> {
    ir: &'a Ir,
    arguments: Vec<Value>,
    ivs: HashMap<Value, i64>,
    /// Variables of loops around, with their dimensions
    around: Vec<(Value, i64)>,
    tiles: HashMap<Value, Tile>,
    /// Places checked of tiles
    seen: usize,
    /// Elements of the result that were written
    written: BTreeSet<Vec<i64>>,
}

impl Walk<'_> {
    fn coordinate(&self, dim: i64) -> i64 {
        self.around.iter().filter(|(_, of)| *of == dim).map(|(iv, _)| self.ivs[iv]).sum()
    }

    /// A\[i, k\], B\[k, j\], C\[i, j\]
    fn wanted(&self, argument: usize) -> Element {
        let [i, j, k] = [0, 1, 2].map(|dim| self.coordinate(dim));
        (argument, [vec![i, k], vec![k, j], vec![i, j]][argument].clone())
    }

    fn at(&self, access: &Access, domain: &[i64]) -> Vec<i64> {
        let values = access.values.iter().map(|value| self.ivs[value]);
        let dims: Vec<i64> = domain.iter().copied().chain(values).collect();
        access.map.eval(&dims, &[]).expect("small numbers")
    }

    fn argument(&self, memref: Value) -> Option<usize> {
        self.arguments.iter().position(|other| *other == memref)
    }

    fn region(&mut self, region: RegionId) {
        let block = self.ir.entry(region).expect("a block");
        self.block(block);
    }

    fn block(&mut self, block: BlockId) {
        for op in self.ir.block_ops(block).collect::<Vec<_>>() {
            self.op(op);
        }
    }

    fn op(&mut self, op: OpId) {
        let ir = self.ir;
        if let Some(kernel) = Kernel::cast(ir, op) {
            self.region(kernel.body(ir));
        } else if let Some(info) = For::cast(ir, op).and_then(|op| op.info(ir)) {
            assert!(info.limit.is_none() && info.from.is_none(), "sizes divide here");
            self.around.push((info.iv, info.dim.expect("loops of a schedule have dimensions")));
            for n in 0..info.trip() {
                self.ivs.insert(info.iv, n * info.tile);
                self.region(info.op.body(ir));
            }
            self.around.pop();
        } else if let Some(alloc) = Alloc::cast(ir, op) {
            self.tiles.insert(alloc.memref(ir), Tile::default());
        } else if let Some(copy) = Copy::cast(ir, op) {
            self.copy(copy);
        } else if let Some(read) = Read::cast(ir, op) {
            let place = self.at(&read.access(ir), &[]);
            self.uses(read.memref(ir), place);
        } else if let Some(write) = Write::cast(ir, op) {
            let (memref, place) = (write.memref(ir), self.at(&write.access(ir), &[]));
            let wanted = self.wanted(2);
            match self.tiles.get_mut(&memref) {
                Some(tile) => tile.put(place, wanted),
                None => assert_eq!((2, place.clone()), wanted),
            }
        }
    }

    /// What a point reads is what it wants
    fn uses(&mut self, memref: Value, place: Vec<i64>) {
        match self.tiles.get(&memref) {
            Some(tile) => {
                let found = &tile.places[&place];
                assert_eq!(*found, self.wanted(found.0), "{place:?}");
                self.seen += 1;
            }
            None => {
                let argument = self.argument(memref).expect("an argument");
                assert_eq!((argument, place), self.wanted(argument));
            }
        }
    }

    fn copy(&mut self, copy: Copy) {
        let ir = self.ir;
        let (src, dst, to) = (copy.src(ir), copy.dst(ir), copy.to(ir));
        // Neutral elements are no copies of anything.
        let Some(from) = copy.from(ir) else { return };
        let sizes = copy.sizes(ir);
        for n in 0..sizes.iter().product::<i64>() {
            let (mut rest, mut point) = (n, vec![0; sizes.len()]);
            for (at, size) in point.iter_mut().zip(&sizes).rev() {
                (*at, rest) = (rest % size, rest / size);
            }
            let (here, there) = (self.at(&from, &point), self.at(&to, &point));
            let element = match self.tiles.get(&src) {
                // A result's place that no point of this iteration has is not looked at.
                Some(tile) => match tile.places.get(&here) {
                    Some(element) => element.clone(),
                    None => continue,
                },
                None => (self.argument(src).expect("an argument"), here),
            };
            match self.tiles.get_mut(&dst) {
                Some(tile) => tile.put(there, element),
                None => {
                    assert_eq!(element, (2, there.clone()), "results go to their places");
                    self.written.insert(there);
                }
            }
        }
        if let Some(tile) = self.tiles.get(&dst) {
            let shape = ir.ty(dst).shape(ir.cx()).unwrap_or(&[]);
            assert_eq!(tile.places.len() as i64, shape.iter().product::<i64>(), "every place is used");
        }
    }
}

fn check(steps: &[&str], tiles: bool) {
    let steps: Vec<String> = steps.iter().map(|step| format!("\"{step}\"")).collect();
    let text = format!(
        "func.func @f(%A: tensor<16x32xf32>, %B: tensor<32x40xf32>) -> tensor<16x40xf32> {{
  %C = mdh.compute (i in 16, j in 40, k in 32 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) attributes {{mdh.schedule = [{}]}} {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<16x32xf32>, tensor<32x40xf32>) -> tensor<16x40xf32>
  return %C : tensor<16x40xf32>
}}",
        steps.join(", ")
    );
    let mut module = parse(&text);
    lower(&mut module, "func.func(mdh-to-sched)", &text);
    let unit = module.walk().find_map(|op| module.child(op)).expect("a function");
    let block = unit.entry(unit.regions(unit.root()).next().expect("a body")).expect("a block");
    let mut walk = Walk {
        ir: unit,
        arguments: unit.block_args(block).to_vec(),
        ivs: HashMap::default(),
        around: Vec::new(),
        tiles: HashMap::default(),
        seen: 0,
        written: BTreeSet::new(),
    };
    walk.block(block);
    assert_eq!(walk.seen > 0, tiles, "{text}");
    // Tiles of results: each element of the result goes out of one.
    assert!(walk.written.is_empty() || walk.written.len() == 16 * 40, "{}", walk.written.len());
}

#[test]
fn of_listing_5() {
    let steps = [
        "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)",
        "6: (4,^,^) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)",
        "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,THR.z)",
        "3: (^,^,16) (SM,SM ; ^) (FOR.2,FOR.3,FOR.1)",
        "4: (^,^,2) (^,^ ; ^) (FOR.2,FOR.3,FOR.1)",
        "5: (^,^,1) (^,^ ; ^) (FOR.2,FOR.3,FOR.1)",
    ];
    check(&steps, true);
}

#[test]
fn of_tiles_in_other_orders_and_places() {
    for layouts in [
        "SM,SM",
        "SM[2,1],SM",
        "SM,SM[2,1]",
        "SM[1/4,2,1%4],SM",
        "SM[2/8,1,2%8],SM[1,2/4,2%4]",
        "SM swizzle 1,SM xor 4",
    ] {
        let first = match layouts {
            "SM[2,1],SM" => "1: (4,20,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
            _ => "1: (8,8,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
        };
        let steps = [
            first,
            "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)",
            &format!("3: (^,^,8) ({layouts} ; ^) (^,^,FOR.1)"),
            "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
        ];
        check(&steps, true);
    }
    // Elements of a thread that are not neighbors, and tiles inside of tiles.
    let steps = [
        "1: (8,40,^) (^,^ ; ^) (BLK.y,^,^)",
        "4: (2,8,^) (^,^ ; ^) (FOR.1,FOR.2,^)",
        "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)",
        "3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
    ];
    check(&steps, false);
    let steps = [
        "1: (8,40,16) (^,L2 ; ^) (FOR.1,FOR.2,FOR.3)",
        "2: (4,8,^) (L1,L1 ; ^) (FOR.1,FOR.2,^)",
        "3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)",
    ];
    check(&steps, true);
}
