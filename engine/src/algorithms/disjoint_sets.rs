/// A forest of disjoint sets with path halving; the smaller index is the root, so results do not depend on order.
pub(crate) struct DisjointSets(pub Vec<u32>);

impl DisjointSets {
    pub fn new(count: usize) -> Self {
        DisjointSets((0..count as u32).collect())
    }

    /// A set of its own for a new element.
    pub fn begin(&mut self) -> u32 {
        self.0.push(self.0.len() as u32);
        self.0.len() as u32 - 1
    }

    pub fn find(&mut self, mut i: u32) -> u32 {
        while self.0[i as usize] != i {
            let grandparent = self.0[self.0[i as usize] as usize];
            self.0[i as usize] = grandparent;
            i = grandparent;
        }
        i
    }

    /// Joins two sets and gives the root.
    pub fn union(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.find(a), self.find(b));
        self.link(a, b)
    }

    /// The same for sets that are known by their roots.
    pub fn link(&mut self, a: u32, b: u32) -> u32 {
        let (root, child) = (a.min(b), a.max(b));
        self.0[child as usize] = root;
        root
    }
}
