//! From a sampled outline to the fewest lines, arcs and cubics that keep within a tolerance of it.
