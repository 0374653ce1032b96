//! Tables whose indices have a type of their own, so that a loop is never mistaken for a buffer.
//!
//! Indices follow the order of the text: sorting by them is sorting by position.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An index into an [`Arena`]
pub trait Id: Copy {
    /// The index at a position
    fn new(position: usize) -> Self;
    /// Its position
    fn index(self) -> usize;
}

/// Define an index type
#[macro_export]
macro_rules! nest_id {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl $crate::nest_arena::Id for $name {
            fn new(position: usize) -> $name {
                $name(u32::try_from(position).unwrap_or(u32::MAX))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

/// Values in order of the text
#[derive(Clone, PartialEq, Debug)]
pub struct Arena<I, T> {
    all: Vec<T>,
    of: PhantomData<I>,
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Arena<I, T> {
        Arena { all: Vec::new(), of: PhantomData }
    }
}

impl<I: Id, T> Arena<I, T> {
    /// Append a value
    pub fn push(&mut self, value: T) -> I {
        self.all.push(value);
        I::new(self.all.len() - 1)
    }

    /// How many there are
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All indices
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + Clone + use<I, T> {
        (0..self.all.len()).map(I::new)
    }

    /// All values
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.all.iter()
    }

    /// All values, to change them
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.all.iter_mut()
    }

    /// All values with their indices
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.all.iter().enumerate().map(|(n, value)| (I::new(n), value))
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.all[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.all[id.index()]
    }
}
