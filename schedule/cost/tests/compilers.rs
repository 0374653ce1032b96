//! What compilers make of loops without stated lanes.

use crate::order::estimated;
use terrace_schedule_cost::Name;

/// Sums of columns, one after the other, of a matrix whose rows are so long
fn columns(row: i64) -> f64 {
    let text = format!(
        "func.func @f(%A: memref<256x{row}xf32>, %y: memref<1024xf32>) {{
           sched.for (%j in 1024 by 1 dim 0) {{
             %s = sched.for (%i in 256 by 1 dim 1 pw add) -> f32 {{
               %a = sched.read %A[%i, %j] : memref<256x{row}xf32>
               sched.yield %a : f32
             }}
             sched.write %s, %y[%j] : memref<1024xf32>
           }}
           return
         }}"
    );
    estimated(&text).of(Name::SecondCache)
}

/// The lines of a column stay for the next one, unless all of them are in one set
#[test]
fn columns_clash_at_powers_of_two() {
    let (spread, clashing) = (columns(1040), columns(1024));
    assert!(clashing > 8.0 * spread, "{clashing} {spread}");
}

/// Cycles of an element where a loop over tiles has a copy of its body for each of so many neighbors
fn copied(neighbors: i64) -> f64 {
    let all = 960;
    let text = format!(
        "func.func @f(%x: memref<{all}xf32>, %y: memref<{all}xf32>) {{
           sched.for (%i in {all} by {neighbors} dim 0) {{
             sched.for (%u in {neighbors} by 1 dim 0 : unroll) {{
               %a = sched.read %x[%i + %u] : memref<{all}xf32>
               %b = arith.addf %a, %a : f32
               sched.write %b, %y[%i + %u] : memref<{all}xf32>
             }}
           }}
           return
         }}"
    );
    estimated(&text).total / all as f64
}

/// Loops are vectorized before copies: of up to eight neighbors in order, of more of them element by element
#[test]
fn copies_of_many_neighbors_are_gathered() {
    let [none, few, many] = [1, 8, 10].map(copied);
    assert!(few < 1.5 * none, "{few} {none}");
    assert!(many > 4.0 * few, "{many} {few}");
}

/// Two perfectly nested loops of tasks, over rows of 96 elements in memory that are so long
fn tasks(row: i64) -> f64 {
    let text = format!(
        "func.func @f(%x: memref<100x{row}xf32>, %y: memref<100x{row}xf32>) {{
           sched.for (%i in 100 by 1 dim 0 : task, %j in 96 by 1 dim 1 : task) {{
             %a = sched.read %x[%i, %j] : memref<100x{row}xf32>
             %b = arith.addf %a, %a : f32
             sched.write %b, %y[%i, %j] : memref<100x{row}xf32>
           }}
           return
         }}"
    );
    estimated(&text).of(Name::Issue)
}

/// Quotients and remainders of a number of a task cancel out where rows follow each other
#[test]
fn tasks_over_whole_rows_have_lanes() {
    let (whole, parts) = (tasks(96), tasks(97));
    assert!(parts > 8.0 * whole, "{parts} {whole}");
}

/// Bytes from the third cache, in cycles, of the sum of a matrix along rows and one along columns
fn along_both(columns: &str) -> f64 {
    let text = format!(
        "func.func @f(%A: memref<520x520xf32>, %B: memref<520x520xf32>, %y: memref<520x520xf32>) {{
           sched.for (%i in 520 by 1 dim 0) {{
             sched.for (%j in 520 by 1 dim 1) {{
               %a = sched.read %A[%i, %j] : memref<520x520xf32>
               %b = sched.read {columns}[%j, %i] : memref<520x520xf32>
               %s = arith.addf %a, %b : f32
               sched.write %s, %y[%i, %j] : memref<520x520xf32>
             }}
           }}
           return
         }}"
    );
    estimated(&text).of(Name::ThirdCache)
}

/// A row and a column of one matrix are no more data than those of two
#[test]
fn rows_and_columns_of_a_matrix_are_not_all_of_it() {
    let (one, two) = (along_both("%A"), along_both("%B"));
    assert!(0.0 < two && one <= two, "{one} {two}");
}

/// Cycles of an element that is divided, in vectors of so many
fn divided(lanes: i64) -> f64 {
    let text = format!(
        "func.func @f(%x: memref<4096xf32>, %y: memref<4096xf32>) {{
           sched.for (%i in 4096 by {lanes} dim 0) {{
             sched.for (%u in {lanes} by 1 dim 0 : vector) {{
               %a = sched.read %x[%i + %u] : memref<4096xf32>
               %b = arith.divf %a, %a : f32
               sched.write %b, %y[%i + %u] : memref<4096xf32>
             }}
           }}
           return
         }}"
    );
    estimated(&text).of(Name::Issue) / 4096.0
}

/// Units for divisions take a long vector in parts, and all that is shorter than a part alike
#[test]
fn divisions_take_as_long_as_their_bytes() {
    let [whole, half, least] = [16, 8, 2].map(divided);
    assert_eq!(whole, half);
    assert!(least > 1.5 * half, "{least} {half}");
}

/// Cycles of an element of a row of 250 in tiles of so many, the last of which is cut off
fn in_tiles(tile: i64) -> f64 {
    let text = format!(
        "func.func @f(%x: memref<250xf32>, %y: memref<250xf32>) {{
           sched.for (%i in 250 by {tile} dim 0 tail peel) {{
             sched.for (%j in {tile} by 1 limit 250 - %i dim 0) {{
               %a = sched.read %x[%i + %j] : memref<250xf32>
               %b = arith.addf %a, %a : f32
               sched.write %b, %y[%i + %j] : memref<250xf32>
             }}
           }}
           return
         }}"
    );
    estimated(&text).of(Name::Issue) / 250.0
}

/// Whole tiles and the last one are vectors each with a remainder of its own, not all of them what they are on average
#[test]
fn tiles_and_the_last_one_have_their_own_vectors() {
    let [all, tiles] = [125, 72].map(in_tiles);
    assert!(tiles < 1.5 * all, "{tiles} {all}");
}

/// Cycles of an element in vectors of so many
fn added(lanes: i64) -> f64 {
    let all = 512 * lanes;
    let text = format!(
        "func.func @f(%x: memref<{all}xf32>, %y: memref<{all}xf32>) {{
           sched.for (%i in {all} by {lanes} dim 0) {{
             sched.for (%u in {lanes} by 1 dim 0 : vector) {{
               %a = sched.read %x[%i + %u] : memref<{all}xf32>
               %b = arith.addf %a, %a : f32
               sched.write %b, %y[%i + %u] : memref<{all}xf32>
             }}
           }}
           return
         }}"
    );
    estimated(&text).of(Name::Issue) / all as f64
}

/// Lanes that are no power of two are loaded and stored in parts
#[test]
fn odd_lanes_move_in_parts() {
    let (odd, whole) = (added(7), added(8));
    assert!(odd > 2.0 * whole, "{odd} {whole}");
}

/// Cycles of an element of rows of 32 copies that read so far to the left, where there is something
fn shifted(by: i64) -> f64 {
    let text = format!(
        "func.func @f(%x: memref<64x32xf32>, %y: memref<64x32xf32>) {{
           %z = arith.constant 0.0 : f32
           sched.for (%i in 64 by 1 dim 0) {{
             sched.for (%j in 32 by 1 dim 1 : unroll) {{
               %a = sched.read %x[%i, %j - {by}] else %z : memref<64x32xf32>
               %b = arith.addf %a, %a : f32
               sched.write %b, %y[%i, %j] : memref<64x32xf32>
             }}
           }}
           return
         }}"
    );
    estimated(&text).of(Name::Issue) / (64.0 * 32.0)
}

/// Copies none of whose elements can be replaced have lanes, but not where most others are tested
#[test]
fn copies_between_borders_have_lanes() {
    let [few, most] = [1, 20].map(shifted);
    assert!(few < 0.5 && most > 0.9, "{few} {most}");
}

/// Cycles of an element of tasks that have three pieces of so many copies
fn pieces_of_copies(piece: i64) -> f64 {
    let row = 3 * piece;
    let text = format!(
        "func.func @f(%x: memref<100x{row}xf32>, %y: memref<100x{row}xf32>) {{
           sched.for (%i in 100 by 1 dim 0 : task) {{
             sched.for (%j in {row} by {piece} dim 1) {{
               sched.for (%u in {piece} by 1 dim 1 : unroll) {{
                 %a = sched.read %x[%i, %j + %u] : memref<100x{row}xf32>
                 %b = arith.addf %a, %a : f32
                 sched.write %b, %y[%i, %j + %u] : memref<100x{row}xf32>
               }}
             }}
           }}
           return
         }}"
    );
    estimated(&text).of(Name::Issue) / (100 * row) as f64
}

/// Tasks do not know that results alias nothing: more copies than are written last stay in order
#[test]
fn many_copies_in_tasks_have_no_lanes() {
    let (few, many) = (pieces_of_copies(16), pieces_of_copies(32));
    assert!(many > 3.0 * few, "{many} {few}");
}

/// Cycles per element of a copy of three-tap weights, in rows of memory that are so long, to channels last
fn exchanged(row: i64) -> f64 {
    let text = format!(
        "func.func @f(%w: memref<64x64x{row}xf32>, %p: memref<8x64x3x64xf32>) {{
           sched.for (%n in 8 by 1 dim 0) {{
             sched.copy (%c, %s, %k) in (64, 3, 64) %w[%k, %c, %s] to %p[%n, %c, %s, %k] : memref<64x64x{row}xf32> to memref<8x64x3x64xf32>
           }}
           return
         }}"
    );
    estimated(&text).total / (8.0 * 64.0 * 3.0 * 64.0)
}

/// Short rows that go on in each other are exchanged with columns as one row
#[test]
fn rows_that_go_on_in_each_other_are_one() {
    let (one, apart) = (exchanged(3), exchanged(4));
    assert!(apart > 1.2 * one, "{apart} {one}");
}
