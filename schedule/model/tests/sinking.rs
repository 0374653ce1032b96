//! Where a buffer is made whose loops cannot share its region (paper, §5.4 and footnote 5).

use crate::small::schedule;

/// The schedule with its buffers sunk, for a product of 16 × 16 × 64 whose last dimension is folded
fn sunk(text: &str) -> Result<String, String> {
    let own = schedule(text).sunk(&[16, 16, 64], &[false, false, true]);
    own.map(|own| own.steps.iter().map(|step| format!("{step}\n")).collect())
        .map_err(|error| error.to_string())
}

#[test]
fn registers_of_blocks_are_those_of_their_threads() {
    let text = "1: (8,8,^) (^,^ ; RM) (BLK.y,BLK.x,^)\n2: (1,1,^) (^,^ ; ^) (THR.y,THR.x,^)\n3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)\n";
    let wanted = "1: (8,8,^) (^,^ ; ^) (BLK.y,BLK.x,^)\n2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)\n3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)\n";
    assert_eq!(sunk(text).as_deref(), Ok(wanted));
    // What has sunk stays.
    assert_eq!(sunk(wanted).as_deref(), Ok(wanted));
}

#[test]
fn a_blocks_memory_stays_above_its_threads() {
    let text = "1: (8,8,^) (SM,^ ; SM) (BLK.y,BLK.x,^)\n2: (1,1,1) (^,^ ; ^) (THR.y,THR.x,FOR.1)\n";
    assert_eq!(sunk(text).as_deref(), Ok(text));
}

#[test]
fn a_blocks_memory_said_outside_of_the_blocks_sinks_into_them() {
    let text = "1: (^,^,32) (SM,^ ; ^) (^,^,FOR.1)\n2: (8,8,^) (^,^ ; ^) (BLK.y,BLK.x,^)\n3: (1,1,1) (^,^ ; ^) (THR.y,THR.x,FOR.1)\n";
    let wanted = "1: (^,^,32) (^,^ ; ^) (^,^,FOR.1)\n2: (8,8,^) (SM,^ ; ^) (BLK.y,BLK.x,^)\n3: (1,1,1) (^,^ ; ^) (THR.y,THR.x,FOR.1)\n";
    assert_eq!(sunk(text).as_deref(), Ok(wanted));
}

#[test]
fn an_entry_that_is_there_already_wins() {
    let text = "1: (8,8,^) (RM,^ ; ^) (BLK.y,BLK.x,^)\n2: (1,1,^) (RM[2,1],^ ; ^) (THR.y,THR.x,^)\n3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)\n";
    let wanted = text.replacen("(RM,^", "(^,^", 1);
    assert_eq!(sunk(text), Ok(wanted));
}

#[test]
fn what_stands_where_the_caller_has_it_is_no_buffer() {
    let text = "1: (8,8,^) (DM,DM[1,2] ; MM) (BLK.y,BLK.x,^)\n2: (1,1,1) (^,^ ; ^) (THR.y,THR.x,FOR.1)\n";
    let wanted = text.replace("DM,DM[1,2] ; MM", "^,^ ; ^");
    assert_eq!(sunk(text), Ok(wanted));
    // In another order it is one, and so it is inside of another buffer.
    let other = text.replace("DM,DM[1,2] ; MM", "DM[2,1],^ ; ^");
    assert_eq!(sunk(&other), Ok(other.clone()));
}

#[test]
fn one_block_or_thread_needs_no_sinking() {
    let text = "1: (16,16,^) (^,^ ; RM) (BLK.y,BLK.x,^)\n2: (16,16,^) (^,^ ; ^) (THR.y,THR.x,^)\n3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n";
    assert_eq!(sunk(text).as_deref(), Ok(text));
}

#[test]
fn tasks_have_registers_each_for_itself() {
    let text = "1: (8,^,^) (^,^ ; REG) (THR.x,^,^)\n2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n";
    assert_eq!(sunk(text).as_deref(), Ok(text));
    let outside = "1: (^,8,^) (^,^ ; REG) (^,FOR.1,^)\n2: (8,^,^) (^,^ ; ^) (THR.x,^,^)\n3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n";
    let wanted = "1: (^,8,^) (^,^ ; ^) (^,FOR.1,^)\n2: (8,^,^) (^,^ ; REG) (THR.x,^,^)\n3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n";
    assert_eq!(sunk(outside).as_deref(), Ok(wanted));
}

#[test]
fn results_do_not_sink_through_threads_that_split_their_reduction() {
    let text = |core: &str| {
        format!(
            "1: (8,8,^) (^,^ ; RM) (BLK.y,BLK.x,^)\n2: (^,^,16) (^,^ ; ^) (^,^,THR.x{core})\n3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n"
        )
    };
    let wanted = "S-REDUCE: RM at step 1: results of 4 threads in dimension 3, which is reduced, cannot meet there. Say the buffer at a later step, take size 64 (one of them), or say how they meet: (atomic), (kernel)";
    assert_eq!(sunk(&text("")), Err(wanted.to_owned()));
    assert!(sunk(&text("(shared)")).is_ok());
}

#[test]
fn blocks_that_split_a_reduction_meet_in_device_memory() {
    let text = |place: &str, core: &str| {
        format!(
            "1: (8,8,16) (^,^ ; {place}) (BLK.y,BLK.x,BLK.z{core})\n2: (1,1,1) (^,^ ; ^) (THR.y,THR.x,FOR.1)\n"
        )
    };
    assert!(sunk(&text("DM", "")).is_ok());
    for place in ["SM", "RM"] {
        let wanted = format!(
            "S-REDUCE: {place} at step 1: results of 4 blocks in dimension 3, which is reduced, cannot meet there. Say the buffer at a later step, take size 64 (one of them), or say how they meet: (atomic), (kernel)"
        );
        assert_eq!(sunk(&text(place, "")), Err(wanted));
        assert!(sunk(&text(place, "(atomic)")).is_ok());
    }
}
