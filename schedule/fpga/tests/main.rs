//! Estimates against numbers that were computed manually, and what is refused.

use terrace_schedule_fpga::{
    Array, Convolution, Design, Extent, Fpga, Misfit, Rounds, Tile, Tiled, estimate,
};

/// Layer C8 of YOLO-v1: 256 channels of 28 × 28 with a border, 512 filters of 3 × 3, f32
const C8: Convolution = Convolution {
    batch: 1,
    channels: 256,
    height: 30,
    width: 30,
    filters: 512,
    window: 3,
    stride: 1,
    bytes: 4,
};

fn near(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() <= 1e-9 * wanted.abs()
}

/// D21, D26: R, C and W of a round, computed manually
#[test]
fn a_layer_by_hand() {
    let rounds = C8.rounds(9, 30).expect("it fits");
    // 7 × 28 sums of 256 · 9 products; four strips for each filter.
    let shared = |bytes| Tile { bytes, lanes: true };
    let wanted = Rounds {
        count: 2048,
        along: 512,
        reads: vec![shared(276_480), shared(9_216)],
        writes: Tile { bytes: 784, lanes: false },
        macs: 451_584,
        sums: 196,
    };
    assert_eq!(rounds, wanted);
    let device = Fpga::vu9p();
    let one =
        estimate(&device, &rounds, &Design { pipelines: 1, lanes: 2, banks: 1 }).expect("there is room");
    // 4320 + 144 accesses of 64 bytes at 76.8 bytes a cycle; 13 for the result.
    assert!(near(one.read, 3720.0) && near(one.write, 13.0 * 64.0 / 76.8), "{one:?}");
    // Two lanes on two ports: a step each cycle, 225,792 of them, eight cycles until the first is done; before that 196 zeros.
    assert_eq!(
        (one.interval, one.steps, one.rounds, one.compute),
        (1, 225_792, 2048, 196.0 + 8.0 + 225_791.0)
    );
    assert_eq!(one.printed, 2048.0 * 225_995.0);
    assert!(near(one.cycles, 2048.0 * 225_995.0 + 3720.0 + 13.0 * 64.0 / 76.8), "{one:?}");
    assert!(near(one.seconds, one.cycles / 250e6));
    // 2 · ⌈2,211,840 / 36,864⌉ + 2 · ⌈73,728 / 36,864⌉ + 2 blocks; 2 · 5 multipliers.
    assert_eq!((one.dsp, one.bram), (10, 120 + 4 + 2));
}

/// D21: more pipelines compute faster until the memory that they share is what takes longest; the printed formula promises more
#[test]
fn pipelines_share_memory() {
    let device = Fpga::vu9p();
    let rounds = C8.rounds(3, 30).expect("it fits");
    let of = |pipelines| estimate(&device, &rounds, &Design { pipelines, lanes: 32, banks: 16 });
    let [one, two, sixteen] = [1, 2, 16].map(|pipelines| of(pipelines).expect("there is room").cycles);
    assert!(one / two > 1.4 && one / sixteen < 3.0, "{one} {two} {sixteen}");
    let printed = [1, 16].map(|pipelines| of(pipelines).expect("there is room").printed);
    assert!(near(printed[0] / printed[1], 16.0), "{printed:?}");
}

/// D7: banks give operands; a sum that waits for itself gains nothing from them
#[test]
fn banks_divide_the_interval() {
    let device = Fpga::vu9p();
    let rounds = C8.rounds(9, 30).expect("it fits");
    let interval = |rounds: &Rounds, banks| {
        estimate(&device, rounds, &Design { pipelines: 1, lanes: 32, banks }).expect("there is room").interval
    };
    assert_eq!([1, 2, 4, 8, 16, 32].map(|banks| interval(&rounds, banks)), [16, 8, 4, 2, 1, 1]);
    let alone = Rounds { sums: 1, ..rounds.clone() };
    assert_eq!([4, 16, 32].map(|banks| interval(&alone, banks)), [8, 8, 8]);
}

#[test]
fn what_does_not_fit_says_why() {
    let device = Fpga::vu9p();
    let rounds = C8.rounds(9, 30).expect("it fits");
    let of = |pipelines, lanes, banks| {
        estimate(&device, &rounds, &Design { pipelines, lanes, banks }).expect_err("too much")
    };
    assert_eq!(of(100, 64, 1), Misfit::Dsp(32_000, 6840));
    assert_eq!(of(20, 1, 1), Misfit::Bram(2520, 2160));
    assert_eq!(of(0, 1, 1).to_string(), "the number of pipelines is 0; it is a number from 1 to 2^20");
    assert_eq!(of(1, -1, 1).to_string(), "the number of lanes is -1; it is a number from 1 to 2^20");
    assert_eq!(of(1, 1, i64::MAX), Misfit::Parameter("the number of banks", i64::MAX));
    let why = C8.rounds(2, 30).expect_err("no window").to_string();
    assert_eq!(why, "a buffer of 2 rows and 30 columns: rows are from 3 to 30, columns from 3 to 30");
    assert!(C8.rounds(9, 31).is_err());
    assert_eq!(Convolution { stride: 0, ..C8 }.rounds(9, 30), Err(Misfit::Extent(0)));
    let huge = Convolution { channels: 1 << 24, height: 1 << 24, width: 1 << 24, ..C8 };
    assert_eq!(huge.rounds(1 << 24, 1 << 24), Err(Misfit::TooLarge));
}

/// Numbers that arithmetic would overflow on, or divide by, are refused
#[test]
fn no_number_overflows() {
    for wrong in [Convolution { stride: 0, ..C8 }, Convolution { window: i64::MIN, ..C8 }] {
        assert_eq!(wrong.extents(), [0, 0]);
        assert!(wrong.rounds(9, 30).is_err());
    }
    let needs = Convolution { stride: i64::MAX, ..C8 }.needs(i64::MAX);
    assert_eq!(needs, i64::MAX);
    let device = Fpga::vu9p();
    let rounds = C8.rounds(9, 30).expect("it fits");
    let design = Design { pipelines: 1, lanes: 1, banks: 1 << 20 };
    for bytes in [i64::MAX, i64::MAX / 8, 0, -1] {
        let wrong = Rounds { reads: vec![Tile { bytes, lanes: true }], ..rounds.clone() };
        assert_eq!(estimate(&device, &wrong, &design), Err(Misfit::TooLarge));
    }
    let most = Rounds { reads: vec![Tile { bytes: 1 << 56, lanes: true }], ..rounds };
    let Err(Misfit::Bram(wanted, _)) = estimate(&device, &most, &design) else { panic!("no room") };
    assert!(wanted > 1 << 40, "{wanted}");
}

#[test]
fn device_files_are_checked() {
    let text = include_str!("../vu9p.toml");
    assert_eq!(Fpga::read(text), Ok(Fpga::vu9p()));
    for (wrong, why) in [
        (text.replace("ports = 2\n", ""), "missing field `ports`"),
        (format!("{text}\nwidth = 3\n"), "unknown field `width`"),
        (text.replace("\"fpga\"", "\"grid\""), "kind is `grid`; here it is `fpga`"),
        (text.replace("dsp = 6840", "dsp = 0"), "dsp is 0, which is no number from 1 to 2^40"),
        (text.replace("clock.mhz = 250", "clock.mhz = nan"), "clock.mhz is NaN"),
        (text.replace("76.8", "-1.0"), "ddr_bandwidth.bytes_per_cycle is -1"),
        ("][".into(), "TOML parse error"),
    ] {
        let found = Fpga::read(&wrong).expect_err(why).to_string();
        assert!(found.contains(why), "{found}");
    }
}

/// A matrix product, and the layer as a computation over its dimensions: the same rounds as by its rows and columns
#[test]
fn rounds_follow_from_subscripts() {
    let kept = |size| Extent { name: String::new(), size, reduced: false };
    let reduced = |size| Extent { reduced: true, ..kept(size) };
    let array = |subscripts: &[&[(usize, i64)]]| Array {
        subscripts: subscripts.iter().map(|terms| terms.to_vec()).collect(),
        bytes: 4,
    };
    let layer = C8.tiled();
    let tiles = [1, 1, 7, 28];
    assert_eq!((layer.lane(), layer.shared(&tiles)), (4, Some(1)));
    assert_eq!(layer.rounds(&tiles), C8.rounds(9, 30));
    let product = Tiled {
        extents: vec![kept(24), kept(36), reduced(20)],
        reads: vec![array(&[&[(0, 1)], &[(2, 1)]]), array(&[&[(2, 1)], &[(1, 1)]])],
        writes: array(&[&[(0, 1)], &[(1, 1)]]),
    };
    let own = product.rounds(&[8, 9]).expect("tiles divide");
    let bytes: Vec<i64> = own.reads.iter().chain([&own.writes]).map(|tile| tile.bytes).collect();
    assert_eq!((own.count, own.along, own.macs, own.sums), (12, 4, 1440, 72));
    assert_eq!(bytes, [8 * 20 * 4, 20 * 9 * 4, 8 * 9 * 4]);
    assert_eq!(product.rounds(&[8]), Err(Misfit::Tiles(1, 2)));
    for (tiles, why) in [([8, 7], (7, 36)), ([0, 9], (0, 24))] {
        assert_eq!(product.rounds(&tiles), Err(Misfit::Part("a tile", why.0, why.1)));
    }
}

/// A sum that waits for itself waits for the addition, not for the product in front of it
#[test]
fn sums_wait_for_additions() {
    let rounds = Rounds {
        count: 1,
        along: 1,
        reads: vec![Tile { bytes: 9, lanes: true }],
        writes: Tile { bytes: 4, lanes: false },
        macs: 9,
        sums: 1,
    };
    let design = Design { pipelines: 1, lanes: 1, banks: 1 };
    let of = |device| estimate(&device, &rounds, &design).expect("there is room");
    let (calyx, vu9p) = (of(Fpga::calyx()), of(Fpga::vu9p()));
    assert_eq!((calyx.interval, calyx.compute), (2, 1.0 + 6.0 + 8.0 * 2.0));
    assert_eq!((vu9p.interval, vu9p.compute), (8, 1.0 + 8.0 + 8.0 * 8.0));
}
