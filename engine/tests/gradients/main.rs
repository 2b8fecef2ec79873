//! Smooth shading comes back as gradients; only with the feature `gradients`.

mod drawings;
mod returned;
mod shading;
