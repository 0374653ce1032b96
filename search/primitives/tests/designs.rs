//! Designs for an FPGA, searched by the model.

use terrace_schedule_fpga::{Convolution, Fpga};
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::technique::{Moving, PMethod, RandomDraws};
use terrace_search_explore::{Explorer, Feedback, Next, Plan, Space, Technique, Walk, check};
use terrace_search_primitives::DesignSpace;

/// Layer C8 of YOLO-v1, with its border
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

fn cycles(space: &DesignSpace<'_>, point: &Point) -> f64 {
    space.estimate(point).expect("points have room").cycles
}

/// D7, D12: buffer, pipeline and partition are the space; D26: each of them matters
#[test]
fn buffers_pipelines_and_banks_are_the_space() {
    let device = Fpga::vu9p();
    let space = DesignSpace::of_convolution(&device, &C8);
    assert_eq!(space.names(), ["buffer.rows", "buffer.columns", "pipeline.lanes", "partition", "pipeline"]);
    let all: Vec<Point> = Walk::new(&space).collect();
    // Rows and columns that divide 28, and what there is room for.
    assert!(all.len() > 500, "{}", all.len());
    for point in &all {
        let found = space.estimate(point).expect("points have room");
        assert!(found.dsp <= device.dsp && found.bram <= device.bram_blocks, "{found:?}");
    }
    assert!(space.refusals().count("DSP") > 0 && space.refusals().count("BRAM") > 0, "{}", space.refusals());
    for param in 0..5 {
        // Some design gains by another value of this parameter alone.
        let gains = all.iter().step_by(7).any(|point| {
            space.values(&point[..param]).into_iter().any(|other| {
                let mut changed = point.to_vec();
                changed[param] = other;
                let found = space.estimate(&changed).map(|found| found.cycles);
                found.is_ok_and(|found| 1.1 * found < cycles(&space, point))
            })
        });
        assert!(gains, "{}", space.names()[param]);
    }
}

/// D21: a search by the model comes near the best design of all
#[test]
fn a_search_by_the_model_finds_good_designs() {
    let device = Fpga::vu9p();
    let space = DesignSpace::of_convolution(&device, &C8);
    let best = Walk::new(&space).map(|point| cycles(&space, &point)).fold(f64::INFINITY, f64::min);
    let searched = |technique: Box<dyn Technique + '_>| {
        let mut explorer = Explorer::new(&space, technique, Plan::new(1));
        let mut found = f64::INFINITY;
        for _ in 0..200 {
            let Next::Measure(proposal) = explorer.next_point() else { break };
            assert!(check(&space, &proposal.point).is_ok());
            let own = cycles(&space, &proposal.point);
            found = found.min(own);
            explorer.tell(proposal.number, Feedback::Cost(own));
        }
        found
    };
    let moved = searched(Box::new(PMethod::new(&space, Moving::default())));
    let drawn = searched(Box::new(RandomDraws::new(&space)));
    assert!(moved <= 1.25 * best, "{moved} of {best}");
    assert!(drawn <= 1.25 * best, "{drawn} of {best}");
}

/// What is no convolution has no design
#[test]
fn a_window_that_does_not_fit_has_no_design() {
    let device = Fpga::vu9p();
    for wrong in [
        Convolution { height: 2, ..C8 },
        Convolution { channels: 1 << 24, ..C8 },
        Convolution { stride: 0, ..C8 },
    ] {
        let space = DesignSpace::of_convolution(&device, &wrong);
        assert_eq!(Walk::new(&space).next(), None);
    }
    let space = DesignSpace::of_convolution(&device, &C8);
    assert!(space.estimate(&[]).is_err() && space.estimate(&[Decision::There(true)]).is_err());
}
