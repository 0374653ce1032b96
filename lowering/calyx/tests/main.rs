//! Text of hardware.
