//! What each condition is for: a program that meets all of a rule's conditions but one, where the rule would be wrong.

use crate::left::tile::{pairs, stencil};
use crate::left::{any, rows, with};
use crate::random::{Gen, Left, Ty, Val};

/// A rule, one of its conditions, programs where that does not hold
pub type Rows = &'static [(&'static str, &'static str, Left)];

/// Conditions that keep work, memory or levels in bounds, or a strategy from going on: values do not show them
pub const OF_COST: &[&str] = &[
    "one_use",
    "same_level",
    "sequential",
    "pure_layout",
    "not there yet",
    "same space",
    "nothing is computed",
    "has another name",
    "no level yet",
    "same order",
    // Else there is one cast instead of two.
    "the types are equal",
    // What would not be a function of numbers has no vector type: there is nothing to build.
    "elementwise",
    "scalar",
];

pub const ROWS: Rows = &[
    ("splitJoinId", "parts are as long as the rows", |g| {
        let (a, m) = (g.size(3), g.size(3));
        let n = a * m;
        let elem = g.scalar();
        let x = g.array(n, &Ty::array(m * 2, &elem));
        let joined = g.join(&x);
        plain(g.split(m, &joined))
    }),
    ("asVectorAsScalar", "the vectors are equally long", |g| {
        let (a, v) = (g.size(3), 1 + g.size(2));
        let x = g.array(a * v, &Ty::I32);
        let vectors = as_vector(g, v, &x);
        let scalars = g.view("as_scalar", &vectors, x.ty);
        plain(as_vector(g, 1, &scalars))
    }),
    ("padSlice", "the slice is what was padded", |g| {
        let (n, low) = (1 + g.size(4), 1 + g.below(2));
        let x = g.array(n, &Ty::I32);
        let padded = g.view(&format!("pad {low}, 1 wrap"), &x, Ty::array(n + low + 1, &Ty::I32));
        plain(g.view(&format!("slice 0, {n}"), &padded, x.ty))
    }),
    ("sliceAll", "the slice is the whole", |g| {
        let n = 1 + g.size(4);
        let x = g.array(n, &Ty::I32);
        plain(g.view(&format!("slice 1, {}", n - 1), &x, Ty::array(n - 1, &Ty::I32)))
    }),
    ("zipReduceFusion", "equal sizes", |g| {
        let n = g.size(3);
        let all: Vec<Val> = [n, n + 1]
            .map(|n| {
                let x = any(g, n);
                g.reduce_to("add", "", &x, &Ty::I32)
            })
            .to_vec();
        plain(g.tuple(&all))
    }),
    ("tupleMap", "equal sizes", |g| {
        let n = g.size(3);
        let all: Vec<Val> = [n, n + 1]
            .map(|n| {
                let x = any(g, n);
                g.map_to(&x, &Ty::I32)
            })
            .to_vec();
        plain(g.tuple(&all))
    }),
    ("mapFission", "independent", |g| {
        let n = g.size(5);
        let x = g.array(n, &Ty::I32);
        let root = g.map("", &x, &mut |g, args| {
            let cut = g.expr(args, &Ty::I32);
            let cut = crate::random::rename(g, cut, "%cut");
            vec![g.put(format!("arith.addi {}, {} : i32", cut.name, args[0].name), Ty::I32)]
        });
        (root, vec!["cut".into()])
    }),
    ("extractFromMap", "total or elements", |g| {
        let x = g.array(0, &Ty::I32);
        let zero = g.put("arith.constant 0 : i32", Ty::I32);
        plain(g.map("", &x, &mut |g, args| {
            let never = g.put(format!("arith.divsi {}, {} : i32", zero.name, zero.name), Ty::I32);
            vec![g.put(format!("arith.addi {}, {} : i32", never.name, args[0].name), Ty::I32)]
        }))
    }),
    ("mapMapInterchange", "independent", |g| {
        let x = rows(g);
        plain(g.map("", &x, &mut |g, row| vec![g.map_to(&row[0], &Ty::I32)]))
    }),
    ("mapMapInterchangeZip", "independent", |g| {
        let (n, m) = (g.size(3), g.size(3));
        let x = g.array(n, &Ty::array(m, &Ty::I32));
        plain(g.map("", &x, &mut |g, row| {
            let other = g.map_to(&row[0], &Ty::I32);
            let zipped = g.zip(&[row[0].clone(), other]);
            vec![g.map("", &zipped, &mut |_, a| vec![a[1].clone()])]
        }))
    }),
    ("mapReduceInterchange", "independent", |g| {
        let (n, m) = (g.size(3), g.size(3));
        let elem = g.array(n, &Ty::Tuple(vec![Ty::array(m, &Ty::I32), Ty::I32]));
        plain(g.map("", &elem, &mut |g, args| {
            let start = args[1].clone();
            vec![g.reduce("add", &format!("init {}", start.name), &args[0], &mut |_, a| a.to_vec())]
        }))
    }),
    ("mapReduceInterchange", "one known operator", |g| {
        let (n, m) = (1 + g.size(3), 1 + g.size(3));
        let x = g.array(n, &Ty::array(m, &Ty::I32));
        plain(g.map("", &x, &mut |g, row| vec![g.reduce("@left", "", &row[0], &mut |_, a| a.to_vec())]))
    }),
    ("mapReduceInterchange", "a number as start value", |g| {
        let (n, m) = (g.size(3), g.size(3));
        let x = g.array(n, &Ty::array(m, &Ty::array(2, &Ty::I32)));
        let start = g.array(2, &Ty::I32);
        plain(g.map("", &x, &mut |g, row| {
            vec![g.reduce("add", &format!("init {}", start.name), &row[0], &mut |_, a| a.to_vec())]
        }))
    }),
    ("mapReduceInterchangeZip", "independent", |g| {
        let (n, m) = (g.size(3), g.size(3));
        let x = g.array(n, &Ty::array(m, &Ty::I32));
        plain(g.map("", &x, &mut |g, row| {
            let other = g.map_to(&row[0], &Ty::I32);
            let zipped = g.zip(&[row[0].clone(), other]);
            vec![g.reduce("add", "", &zipped, &mut |_, a| vec![a[1].clone()])]
        }))
    }),
    ("mapReduceInterchangeZip", "one known operator", |g| {
        let (n, m) = (1 + g.size(3), 1 + g.size(3));
        let x = g.array(n, &Ty::array(m, &Ty::I32));
        let other = g.array(m, &Ty::I32);
        plain(g.map("", &x, &mut |g, row| {
            let zipped = g.zip(&[row[0].clone(), other.clone()]);
            vec![g.reduce("@left", "", &zipped, &mut |_, a| vec![a[0].clone()])]
        }))
    }),
    ("mapReduceInterchangeZip", "a number as start value", |g| {
        let (n, m) = (g.size(3), g.size(3));
        let x = g.array(n, &Ty::array(m, &Ty::array(2, &Ty::I32)));
        let (start, other) = (g.array(2, &Ty::I32), g.array(m, &Ty::I32));
        plain(g.map("", &x, &mut |g, row| {
            let zipped = g.zip(&[row[0].clone(), other.clone()]);
            vec![g.reduce("add", &format!("init {}", start.name), &zipped, &mut |_, a| vec![a[0].clone()])]
        }))
    }),
    ("reduceMapInterchange", "independent", |g| {
        let x = rows_of(g, &Ty::I32);
        let two = g.put("arith.constant 0 : index", Ty::I32);
        plain(g.reduce("add", "", &x, &mut |g, column| {
            let column = column[0].clone();
            vec![g.map("", &column, &mut |g, args| {
                let first = g.put(format!("array.at {}[{}]", column.name, two.name), Ty::I32);
                vec![g.put(format!("arith.addi {}, {} : i32", args[0].name, first.name), Ty::I32)]
            })]
        }))
    }),
    ("reduceMapInterchange", "one known operator", |g| {
        let x = g.array(2, &Ty::array(3, &Ty::I32));
        plain(g.reduce("@rows", "", &x, &mut |g, column| vec![g.map("", &column[0], &mut |_, a| a.to_vec())]))
    }),
    ("transposeBothSides", "independent", |g| {
        let x = rows_of(g, &Ty::I32);
        let zero = g.put("arith.constant 0 : index", Ty::I32);
        plain(from_first(g, &x, &zero))
    }),
    ("joinSplit", "independent", |g| {
        let x = rows_of(g, &Ty::I32);
        let zero = g.put("arith.constant 0 : index", Ty::I32);
        plain(from_first(g, &x, &zero))
    }),
    ("joinSwap", "independent", |g| {
        let x = rows_of(g, &Ty::I32);
        let zero = g.put("arith.constant 0 : index", Ty::I32);
        let y = from_first(g, &x, &zero);
        plain(g.join(&y))
    }),
    ("transposeSwap", "independent", |g| {
        let x = rows_of(g, &Ty::I32);
        let zero = g.put("arith.constant 0 : index", Ty::I32);
        let y = from_first(g, &x, &zero);
        plain(g.transpose(&y))
    }),
    ("joinSplit", "rows have elements", |g| {
        let n = g.size(3);
        let x = g.array(n, &Ty::array(0, &Ty::I32));
        plain(g.map("", &x, &mut |g, row| vec![g.map_to(&row[0], &Ty::I32)]))
    }),
    ("splitJoin", "parts divide the size", |g| {
        let (n, m) = (1 + g.size(4), g.size(3));
        let x = any(g, n * m + 1);
        with(g.map_to(&x, &Ty::I32), &[n])
    }),
    ("slideTiling", "tiles overlap as windows do", |g| slide_tiling(g, |n, s, v| (n + v - s + 1, v))),
    ("slideTiling", "tiles begin where windows do", |g| {
        let (s, k) = (2 + g.below(2), g.size(3));
        let v = k * s + 1;
        let n = s + g.below(3);
        let u = v + n - s;
        let tiles = g.size(2);
        let x = g.array(u + v * tiles, &Ty::I32);
        with(g.slide(n, s, &x), &[u, v])
    }),
    ("slideTiling", "tiles leave no rest", |g| {
        let (s, k) = (1 + g.below(2), 1 + g.size(2));
        let v = k * s;
        let n = s + g.below(3);
        let u = v + n - s;
        let (tiles, rest) = (g.size(2), 1 + g.below(v - 1));
        let x = g.array(u + v * tiles + rest, &Ty::I32);
        with(g.slide(n, s, &x), &[u, v])
    }),
    ("slideTilingStep", "parts divide the windows", |g| {
        let (n, s, k) = (g.size(3), g.size(3), 1 + g.size(3));
        let windows = k * g.size(2) + 1;
        let x = g.array(n + (windows - 1) * s, &Ty::I32);
        with(g.slide(n, s, &x), &[k])
    }),
    ("tileRows", "parts divide the windows", |g| {
        let (n, s, k) = (g.size(3), g.size(2), 1 + g.size(3));
        let windows = k * g.size(2) + 1;
        let wide = n + g.below(3);
        with(stencil(g, n + (windows - 1) * s, wide, n, s), &[k])
    }),
    ("sumOfParts", "parts divide the channels", |g| {
        let m = 1 + g.size(3);
        with(pairs(g, 2, 1, 2 * m + 1, None), &[m])
    }),
    ("sumOfParts", "order", |g| {
        let x = g.array(2, &Ty::array(2, &Ty::array(4, &Ty::F32)));
        with(of_thirds(g, &x), &[1])
    }),
    ("sumOfParts", "independent", |g| {
        let x = g.array(3, &Ty::array(3, &Ty::array(2, &Ty::I32)));
        let windows = windows_of(g, &x);
        let root = g.map("", &windows, &mut |g, row| {
            vec![g.map("", &row[0], &mut |g, window| {
                let kernels = g.view("single", &window[0], Ty::array(1, &window[0].ty));
                vec![products(g, &window[0], &kernels)]
            })]
        });
        with(root, &[1])
    }),
    ("sumOfParts", "one known operator", |g| with(pairs(g, 2, 1, 4, Some(("@left", "", &Ty::I32))), &[2])),
    ("padExtend", "padding is not negative", |g| {
        let x = g.array(5, &Ty::I32);
        let windows = g.slide(2, 1, &x);
        (sums(g, &windows), vec!["0 - 2".into()])
    }),
    ("padExtend", "total", |g| {
        let padded = ones(g, 3, 0);
        let windows = g.slide(1, 1, &padded);
        let root = g.map("", &windows, &mut |g, window| {
            vec![g.reduce("add", "", &window[0], &mut |g, a| {
                let seven = g.put("arith.constant 7 : i32", Ty::I32);
                vec![g.put(format!("arith.divsi {}, {} : i32", seven.name, a[0].name), Ty::I32)]
            })]
        });
        with(root, &[1])
    }),
    ("padExtend", "elements", |g| {
        let x = g.array(0, &Ty::I32);
        let windows = g.slide(0, 1, &x);
        with(sums(g, &windows), &[1])
    }),
    ("cropBack", "padding is not negative", |g| {
        let x = g.array(5, &Ty::I32);
        (g.map_to(&x, &Ty::I32), vec!["0 - 2".into()])
    }),
    ("cropBack", "total", |g| {
        let padded = ones(g, 3, 0);
        with(quotients(g, &padded), &[1])
    }),
    ("cropBack", "elements", |g| {
        let x = g.array(0, &Ty::I32);
        with(g.map_to(&x, &Ty::I32), &[1])
    }),
    ("sliceMap", "total", |g| {
        let padded = ones(g, 3, 1);
        let part = g.view("slice 0, 3", &padded, Ty::array(3, &Ty::I32));
        plain(quotients(g, &part))
    }),
    ("tileStencil2D", "tiles overlap as windows do", |g| with(stencil(g, 7, 7, 3, 1), &[5, 2])),
    ("tileStencil2D", "tiles begin where windows do", |g| with(stencil(g, 9, 9, 3, 2), &[4, 3])),
    ("tileStencil2D", "tiles leave no rest", |g| with(stencil(g, 7, 8, 3, 1), &[5, 3])),
    ("tileStencil2D", "independent", |g| {
        let x = g.array(5, &Ty::array(5, &Ty::I32));
        let in_rows = g.map("", &x, &mut |g, row| vec![g.slide(2, 1, &row[0])]);
        let both = g.slide(2, 1, &in_rows);
        let windows = g.map("", &both, &mut |g, row| vec![g.transpose(&row[0])]);
        with(from_first_window(g, &windows), &[3, 2])
    }),
    ("padExtend2D", "padding is not negative", |g| (stencil(g, 5, 5, 3, 1), vec!["0 - 2".into()])),
    ("padExtend2D", "total", |g| {
        let x = g.array(3, &Ty::array(3, &Ty::I32));
        let one = g.put("arith.constant 1 : i32", Ty::I32);
        let zero = g.put("arith.constant 0 : i32", Ty::I32);
        let ones = g.map("", &x, &mut |g, row| vec![g.map("", &row[0], &mut |_, _| vec![one.clone()])]);
        let x = g.view(&format!("pad 0, 0 value {}", zero.name), &ones, ones.ty.clone());
        let in_rows = g.map("", &x, &mut |g, row| vec![g.slide(1, 1, &row[0])]);
        let both = g.slide(1, 1, &in_rows);
        let windows = g.map("", &both, &mut |g, row| vec![g.transpose(&row[0])]);
        let root = g.map("", &windows, &mut |g, row| {
            vec![g.map("", &row[0], &mut |g, window| {
                let all = g.join(&window[0]);
                vec![g.reduce("add", "", &all, &mut |g, a| {
                    let seven = g.put("arith.constant 7 : i32", Ty::I32);
                    vec![g.put(format!("arith.divsi {}, {} : i32", seven.name, a[0].name), Ty::I32)]
                })]
            })]
        });
        with(root, &[1])
    }),
    ("padExtend2D", "elements", |g| with(stencil(g, 3, 0, 0, 1), &[1])),
    ("padExtend2D", "independent", |g| {
        let x = g.array(5, &Ty::array(5, &Ty::I32));
        let in_rows = g.map("", &x, &mut |g, row| vec![g.slide(2, 1, &row[0])]);
        let both = g.slide(2, 1, &in_rows);
        let windows = g.map("", &both, &mut |g, row| vec![g.transpose(&row[0])]);
        with(from_first_window(g, &windows), &[1])
    }),
    ("tile2D", "tiles divide the rows", |g| {
        let x = g.array(5, &Ty::array(4, &Ty::I32));
        with(crate::left::interchange::all_elements(g, &x), &[2, 2])
    }),
    ("tile2D", "tiles divide the columns", |g| {
        let x = g.array(4, &Ty::array(5, &Ty::I32));
        with(crate::left::interchange::all_elements(g, &x), &[2, 2])
    }),
    ("tile2D", "independent", |g| {
        let x = g.array(4, &Ty::array(4, &Ty::I32));
        let zero = g.put("arith.constant 0 : index", Ty::I32);
        with(from_first(g, &x, &zero), &[2, 2])
    }),
    ("coalesce", "parts divide the size", |g| {
        let x = g.array(5, &Ty::I32);
        with(g.reduce_to("add", "", &x, &Ty::I32), &[2])
    }),
    ("coalesce", "order", |g| with(rounding(g), &[3])),
    ("coalesce", "commutative", |g| {
        let x = g.array(6, &Ty::Tuple(vec![Ty::I32; 4]));
        with(g.reduce("@product", "", &x, &mut |_, a| a.to_vec()), &[3])
    }),
    ("coalesce", "elements", |g| {
        let x = g.array(0, &Ty::I32);
        with(g.reduce("add", "", &x, &mut |_, a| a.to_vec()), &[2])
    }),
    ("splitReduce", "parts divide the size", |g| {
        let x = g.array(5, &Ty::I32);
        with(g.reduce_to("add", "", &x, &Ty::I32), &[2])
    }),
    ("splitReduce", "order", |g| with(rounding(g), &[3])),
    ("splitReduceStrided", "parts divide the size", |g| {
        let x = g.array(5, &Ty::I32);
        with(g.reduce_to("add", "", &x, &Ty::I32), &[2])
    }),
    ("splitReduceStrided", "order", |g| with(rounding(g), &[3])),
    ("splitReduceStrided", "commutative", |g| {
        let x = g.array(6, &Ty::Tuple(vec![Ty::I32; 4]));
        with(g.reduce("@product", "", &x, &mut |_, a| a.to_vec()), &[3])
    }),
    ("splitReduceStrided", "identity or elements", |g| {
        let x = g.array(0, &Ty::I32);
        with(g.reduce("@least", "init %in0", &x, &mut |_, a| a.to_vec()), &[2])
    }),
    ("reduceLayout", "one known operator", |g| {
        let x = g.array(3, &Ty::array(3, &Ty::I32));
        plain(g.reduce("@rows", "", &x, &mut |g, a| {
            let parts = g.split(1, &a[0]);
            vec![g.join(&parts)]
        }))
    }),
    ("reduceLayout", "a number as start value", |g| {
        let (x, start) = (g.array(3, &Ty::array(3, &Ty::I32)), g.array(3, &Ty::I32));
        plain(g.reduce("add", &format!("init {}", start.name), &x, &mut |g, a| {
            let parts = g.split(1, &a[0]);
            vec![g.join(&parts)]
        }))
    }),
    ("reduceFlatten", "same operator", |g| {
        let x = rows_of(g, &Ty::I32);
        let parts = g.map("", &x, &mut |g, row| vec![g.reduce("mul", "", &row[0], &mut |_, a| a.to_vec())]);
        plain(g.reduce("add", "", &parts, &mut |_, a| a.to_vec()))
    }),
    ("reduceFlatten", "order", |g| {
        let x = g.array(3, &Ty::array(3, &Ty::F32));
        let parts = g
            .map("", &x, &mut |g, row| vec![g.reduce("add", "", &row[0], &mut |g, a| vec![third(g, &a[0])])]);
        plain(g.reduce("add", "source", &parts, &mut |_, a| a.to_vec()))
    }),
    ("reduceFlatten", "independent", |g| {
        let x = rows_of(g, &Ty::I32);
        let zero = g.put("arith.constant 0 : index", Ty::I32);
        let parts = g.map("", &x, &mut |g, row| {
            let row = row[0].clone();
            vec![g.reduce("add", "", &row, &mut |g, a| {
                let first = g.put(format!("array.at {}[{}]", row.name, zero.name), Ty::I32);
                vec![g.put(format!("arith.addi {}, {} : i32", a[0].name, first.name), Ty::I32)]
            })]
        });
        plain(g.reduce("add", "", &parts, &mut |_, a| a.to_vec()))
    }),
    ("initOut", "order", |g| {
        let x = g.array(6, &Ty::F32);
        let start = g.put("arith.constant 0.7 : f32", Ty::F32);
        let words = format!("init {} source", start.name);
        plain(g.reduce("add", &words, &x, &mut |g, a| vec![third(g, &a[0])]))
    }),
    ("initOut", "identity or elements", |g| {
        let x = g.array(0, &Ty::I32);
        plain(g.reduce("@left", "init %in0", &x, &mut |_, a| a.to_vec()))
    }),
    ("foldToReduce", "independent", |g| {
        let n = 1 + g.size(4);
        let x = g.array(n, &Ty::I32);
        let start = g.input(&Ty::I32);
        plain(g.fold(&start, &x, &mut |g, args| {
            let product = g.put(format!("arith.muli {}, {} : i32", args[0].name, args[1].name), Ty::I32);
            vec![g.put(format!("arith.addi {}, {} : i32", args[0].name, product.name), Ty::I32)]
        }))
    }),
    ("joinFromZip", "equal rows", |g| {
        let (a, b) = (g.array(2, &Ty::array(3, &Ty::I32)), g.array(3, &Ty::array(2, &Ty::I32)));
        let all = [g.join(&a), g.join(&b)];
        plain(g.zip(&all))
    }),
    ("reorderBothSides", "strides divide the size", |g| {
        let x = g.array(5, &Ty::I32);
        with(g.map_to(&x, &Ty::I32), &[2])
    }),
    ("vectorize", "lanes divide the size", |g| {
        let x = g.array(5, &Ty::I32);
        g.scope.clear();
        with(g.map_to(&x, &Ty::I32), &[2])
    }),
    ("copyAsMaps", "lanes divide the size", |g| {
        let x = g.array(5, &Ty::I32);
        let placed = g.view("place \"local\"", &x, x.ty.clone());
        (placed, vec!["copy".into(), "2".into()])
    }),
    ("reduceVectorize", "lanes divide the size", |g| {
        let x = g.array(5, &Ty::I32);
        with(g.reduce("add", "", &x, &mut |_, a| a.to_vec()), &[2])
    }),
    ("reduceVectorize", "order", |g| {
        let x = g.array(6, &Ty::F32);
        with(g.reduce("add", "source", &x, &mut |g, a| vec![third(g, &a[0])]), &[2])
    }),
    ("reduceByVectors", "lanes divide the size", |g| {
        let x = g.array(5, &Ty::I32);
        with(g.reduce("add", "", &x, &mut |_, a| a.to_vec()), &[2])
    }),
    ("reduceByVectors", "order", |g| {
        let x = g.array(6, &Ty::F32);
        let start = g.put("arith.constant 0.7 : f32", Ty::F32);
        let words = format!("init {} source", start.name);
        with(g.reduce("add", &words, &x, &mut |g, a| vec![third(g, &a[0])]), &[3])
    }),
    ("reduceVectorize", "commutative", |g| {
        let x = g.array(6, &Ty::I32);
        with(g.reduce("@left", "", &x, &mut |_, a| a.to_vec()), &[2])
    }),
    ("iterateId", "no step", |g| plain(doubled(g, 2))),
    ("iterate1", "one step", |g| plain(doubled(g, 2))),
    ("iterateSplit", "a steps there are", |g| with(doubled(g, 2), &[3])),
];

fn plain(root: Val) -> (Val, Vec<String>) {
    (root, Vec::new())
}

fn rows_of(g: &mut Gen, elem: &Ty) -> Val {
    let (n, m) = (1 + g.size(2), 1 + g.size(2));
    g.array(n, &Ty::array(m, elem))
}

fn as_vector(g: &mut Gen, v: usize, x: &Val) -> Val {
    let vector = Ty::Vector(v, Box::new(x.ty.elem().clone()));
    g.view(&format!("as_vector {v}"), x, Ty::array(x.ty.len() / v, &vector))
}

/// Each element with the first of its row
fn from_first(g: &mut Gen, x: &Val, zero: &Val) -> Val {
    g.map("", x, &mut |g, row| {
        let row = row[0].clone();
        vec![g.map("", &row, &mut |g, a| {
            let first = g.put(format!("array.at {}[{}]", row.name, zero.name), Ty::I32);
            vec![g.put(format!("arith.subi {}, {} : i32", a[0].name, first.name), Ty::I32)]
        })]
    })
}

/// Each window with the first of its row: what does not hold in tiles
fn from_first_window(g: &mut Gen, windows: &Val) -> Val {
    let zero = g.put("arith.constant 0 : index", Ty::I32);
    g.map("", windows, &mut |g, row| {
        let row = row[0].clone();
        vec![g.map("", &row, &mut |g, window| {
            let window = g.join(&window[0]);
            let first = g.put(format!("array.at {}[{}]", row.name, zero.name), row.ty.elem().clone());
            let first = g.join(&first);
            let both = g.zip(&[window, first]);
            vec![g.reduce("add", "", &both, &mut |g, a| {
                vec![g.put(format!("arith.subi {}, {} : i32", a[0].name, a[1].name), Ty::I32)]
            })]
        })]
    })
}

fn slide_tiling(g: &mut Gen, tile: fn(usize, usize, usize) -> (usize, usize)) -> (Val, Vec<String>) {
    let (s, k) = (g.size(2), g.size(3));
    let n = s + g.below(3);
    let (u, v) = tile(n, s, k * s);
    let tiles = g.size(2);
    let x = g.array(u + v * tiles, &Ty::I32);
    with(g.slide(n, s, &x), &[u, v])
}

fn sums(g: &mut Gen, windows: &Val) -> Val {
    g.map("", windows, &mut |g, window| vec![g.reduce("add", "", &window[0], &mut |_, a| a.to_vec())])
}

fn quotients(g: &mut Gen, x: &Val) -> Val {
    g.map("", x, &mut |g, a| {
        let seven = g.put("arith.constant 7 : i32", Ty::I32);
        vec![g.put(format!("arith.divsi {}, {} : i32", seven.name, a[0].name), Ty::I32)]
    })
}

/// A third of a number: sums of these are rounded
fn third(g: &mut Gen, a: &Val) -> Val {
    let third = g.put("arith.constant 0.333333343 : f32", Ty::F32);
    g.put(format!("arith.mulf {}, {} : f32", a.name, third.name), Ty::F32)
}

/// A sum in the order of the source
/// Windows of 2 by 2 of a matrix
fn windows_of(g: &mut Gen, x: &Val) -> Val {
    let in_rows = g.map("", x, &mut |g, row| vec![g.slide(2, 1, &row[0])]);
    let both = g.slide(2, 1, &in_rows);
    g.map("", &both, &mut |g, row| vec![g.transpose(&row[0])])
}

/// Sums of a window and each of some kernels
fn products(g: &mut Gen, window: &Val, kernels: &Val) -> Val {
    let window = window.clone();
    g.map("", kernels, &mut |g, kernel| {
        let joined = [&window, &kernel[0]].map(|of| {
            let rows = g.join(of);
            g.join(&rows)
        });
        let zipped = g.zip(&joined);
        vec![g.reduce("add", "", &zipped, &mut |_, a| a[..1].to_vec())]
    })
}

/// Sums that round, in the order of the source
fn of_thirds(g: &mut Gen, x: &Val) -> Val {
    let windows = windows_of(g, x);
    let kernels = g.array(2, &windows.ty.elem().elem().clone());
    g.map("", &windows, &mut |g, row| {
        vec![g.map("", &row[0], &mut |g, window| {
            let window = window[0].clone();
            vec![g.map("", &kernels, &mut |g, kernel| {
                let joined = [&window, &kernel[0]].map(|of| {
                    let rows = g.join(of);
                    g.join(&rows)
                });
                let zipped = g.zip(&joined);
                vec![g.reduce("add", "source", &zipped, &mut |g, a| vec![third(g, &a[0])])]
            })]
        })]
    })
}

fn rounding(g: &mut Gen) -> Val {
    let x = g.array(9, &Ty::F32);
    g.reduce("add", "source", &x, &mut |g, a| vec![third(g, &a[0])])
}

fn doubled(g: &mut Gen, times: usize) -> Val {
    let x = g.array(3, &Ty::I32);
    let name = g.fresh();
    g.line(format!("{name} = array.iterate {times} init {} as ($l) %array {{", x.name));
    g.line("%twice = array.map %array as %a {");
    g.line("%b = arith.addi %a, %in0 : i32");
    g.line("array.yield %b\n}\narray.yield %twice\n}");
    Val { name, ty: x.ty }
}

/// So many ones, then zeros, which is also what the array is padded with
fn ones(g: &mut Gen, n: usize, zeros: usize) -> Val {
    let x = g.array(n, &Ty::I32);
    let one = g.put("arith.constant 1 : i32", Ty::I32);
    let zero = g.put("arith.constant 0 : i32", Ty::I32);
    let ones = g.map("", &x, &mut |_, _| vec![one.clone()]);
    g.view(&format!("pad 0, {zeros} value {}", zero.name), &ones, Ty::array(n + zeros, &Ty::I32))
}
