//! Host buffers, .npy files, deterministic random data, comparison
