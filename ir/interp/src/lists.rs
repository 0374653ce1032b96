//! Lists that are made where there is memory for them.

/// A list of one value; none where memory ends, which would end the program otherwise
///
/// The available memory is checked first. A new vector is made then, since only `vec!` leaves pages of zeros to the system.
pub(crate) fn filled<T: Clone>(count: usize, value: T) -> Option<Vec<T>> {
    is_free::<T>(count).then(|| vec![value; count])
}

/// Is there memory for a list of so many?
pub(crate) fn is_free<T>(count: usize) -> bool {
    let mut room: Vec<T> = Vec::new();
    let there = room.try_reserve_exact(count).is_ok();
    // Otherwise it might never be requested.
    drop(std::hint::black_box(room));
    there
}
