//! Typed 32-bit indices, so that an op is never mistaken for a block.

/// Define a handle type: `Copy`, four bytes, `Option` of it also four bytes
///
/// No `Ord`: ids depend on creation order, which may depend on threads, and nothing may be sorted by them.
#[macro_export]
macro_rules! handle {
    ($(#[$doc:meta])* $vis:vis struct $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        $vis struct $name(std::num::NonZeroU32);

        impl $name {
            /// Handle of the element at `index`
            #[inline]
            pub fn new(index: usize) -> Self {
                debug_assert!(index < u32::MAX as usize);
                $name(std::num::NonZeroU32::new(index as u32 + 1).expect("index + 1 is not zero"))
            }
            /// Position of the element in its table
            #[inline]
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
            /// The handle as a word for pools that hold several kinds; zero is never a handle
            #[inline]
            pub fn raw(self) -> u32 {
                self.0.get()
            }
            /// Back from a pool's word; zero is no handle
            #[inline]
            pub fn from_raw(raw: u32) -> Option<Self> {
                std::num::NonZeroU32::new(raw).map($name)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.index())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    handle!(
        /// For the test
        struct Thing, "thing"
    );

    #[test]
    fn option_costs_nothing_and_round_trips() {
        assert_eq!(size_of::<Option<Thing>>(), 4);
        assert_eq!(Thing::from_raw(Thing::new(7).raw()), Some(Thing::new(7)));
        assert_eq!(Thing::from_raw(0), None);
        assert_eq!(format!("{:?}", Thing::new(3)), "thing3");
    }
}
