//! How long a look-up takes in a large store: `cargo run --release -p terrace-search-records --example look_up -- FOLDER 1000000`.
//!
//! The folder becomes a store with so many records, unless it is one. Then it is opened as a compiler does, and computations are looked up.

use std::time::{Duration, Instant};
use terrace_search_records::record::FORM;
use terrace_search_records::{About, Hash, Record, Relaxed, Store, StoreError, Wanted};

/// Records of a segment
const SEGMENT: u64 = 100_000;

/// Records of a computation
const EACH: u64 = 4;

/// Look-ups
const LOOK_UPS: u64 = 10_000;

fn record(n: u64) -> Record {
    Record {
        form: FORM,
        program: Hash::of(format!("program {}", n / EACH)),
        target: Hash::of("target"),
        compiler: Hash::of("compiler"),
        machine: Hash::of(if n % EACH == 3 { "there" } else { "here" }),
        schedule: vec![
            "1: (64,^,^) (^,^ ; ^) (THR.x,^,^)".into(),
            "2: (^,512,256) (^,MM[2,1] ; ^) (FOR.1,FOR.2,FOR.3)".into(),
            "3: (8,32,1) (^,^ ; REG) (FOR.1,VEC,FOR.2)".into(),
        ],
        seconds: 1e-3 + n as f64 * 1e-9,
        chosen: 2e-3,
        about: About {
            computation: format!("matmul: i 16, j {}, k 2048", n / EACH),
            target: "x86-64-v4 on host, 2 threads".into(),
            compiler: "terrace 0.1.0, LLVM 22.1".into(),
            machine: "Some Processor (family 6, model 207), 2 cores".into(),
        },
        unix: 1_800_000_000,
    }
}

fn wanted(program: u64) -> Wanted {
    Wanted {
        program: Hash::of(format!("program {program}")),
        target: Hash::of("target"),
        compiler: Hash::of("compiler"),
        machine: Hash::of("here"),
    }
}

fn main() -> Result<(), StoreError> {
    let mut args = std::env::args().skip(1);
    let (Some(folder), Some(count)) = (args.next(), args.next().and_then(|text| text.parse::<u64>().ok()))
    else {
        println!("usage: look_up FOLDER COUNT");
        return Ok(());
    };
    let store = Store::create(&folder)?;
    if store.segments()?.is_empty() {
        let start = Instant::now();
        for first in (0..count).step_by(SEGMENT as usize) {
            let records: Vec<Record> = (first..count.min(first + SEGMENT)).map(record).collect();
            store.write(&records)?;
        }
        println!("{count} records written in {:.1} s", start.elapsed().as_secs_f64());
        let start = Instant::now();
        store.look_up(&wanted(0), Relaxed::default(), 8)?;
        println!("index made in {:.1} s", start.elapsed().as_secs_f64());
    }
    drop(store);
    let start = Instant::now();
    let store = Store::open(&folder)?;
    let first = store.look_up(&wanted(count / EACH / 2), Relaxed::default(), 8)?;
    println!(
        "opened, and the first look-up with {} records: {:.3} ms",
        first.found.len(),
        millis(start.elapsed())
    );
    let mut times: Vec<Duration> = Vec::new();
    for n in 0..LOOK_UPS {
        // Far from each other, and one in eight is of no computation of the store.
        let program = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % (count / EACH * 8 / 7).max(1);
        let start = Instant::now();
        store.look_up(&wanted(program), Relaxed::default(), 8)?;
        times.push(start.elapsed());
    }
    times.sort();
    let at = |share: f64| millis(times[((times.len() - 1) as f64 * share) as usize]);
    println!(
        "{LOOK_UPS} look-ups: median {:.3} ms, 99 % within {:.3} ms, longest {:.3} ms",
        at(0.5),
        at(0.99),
        at(1.0)
    );
    Ok(())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
