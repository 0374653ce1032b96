//! Multi-dimensional homomorphisms
