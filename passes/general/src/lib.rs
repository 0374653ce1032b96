//! Passes that know no dialect: canonicalize, cse, dce, inline, licm, symbol-dce
