//! Disjoint sets (union-find).

/// A forest of disjoint sets with path halving (R. E. Tarjan and J. van Leeuwen, "Worst-case Analysis of Set Union Algorithms", 1984).
///
/// # Guarantees
/// The root of a set is its smallest element, so the result does not depend on the order of the unions. No parent is above its child.
pub(crate) struct DisjointSets(pub Vec<u32>);

impl DisjointSets {
    pub fn new(count: usize) -> Self {
        DisjointSets((0..count as u32).collect())
    }

    /// Adds an element as a set of its own, and returns it.
    pub fn begin(&mut self) -> u32 {
        self.0.push(self.0.len() as u32);
        self.0.len() as u32 - 1
    }

    /// Returns the root of an element's set.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn find(&mut self, mut i: u32) -> u32 {
        while self.0[i as usize] != i {
            let grandparent = self.0[self.0[i as usize] as usize];
            self.0[i as usize] = grandparent;
            i = grandparent;
        }
        i
    }

    /// Joins the sets of two elements and returns the root.
    // Inlined, each caller would add a copy of it to the WebAssembly module.
    #[inline(never)]
    pub fn union(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.find(a), self.find(b));
        self.link(a, b)
    }

    /// Joins two sets, given their roots, and returns the new root.
    pub fn link(&mut self, a: u32, b: u32) -> u32 {
        let (root, child) = (a.min(b), a.max(b));
        self.0[child as usize] = root;
        root
    }
}
