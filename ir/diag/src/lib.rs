//! Diagnostics: codes, spans, sources, rendering
