use crate::pixels::{Channels, Pixels};
use crate::runs::{CHUNK, is_uniform, run_end};
use crate::segment::Labels;
use crate::watch::{Stopped, Watch};

/// How far to look along a ray for the paint on either side of an edge pixel: a sharp edge is at most two pixels wide.
const REACH_PX: usize = 2;

/// Columns and rows of the window in which a pixel looks for paints.
const WINDOW: usize = 2 * REACH_PX + 1;

/// Opposite directions in which an edge pixel looks for the two paints that it mixes.
pub(crate) const AXES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Where there is no paint.
pub(crate) const BARE: u32 = u32::MAX;

/// How much of a region lies away from its edges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Core {
    None,
    /// A pixel that agrees with five of its neighbors: as wide as a stroke that straddles two pixels.
    Thin,
    /// A pixel that agrees with all of its neighbors: a paint.
    Full,
}

/// The picture with its paints known.
///
/// # Guarantees
/// The labels of regions with a core come before all others, so that what is known of them takes little room: in
/// photographs they are one in twenty.
pub(crate) struct View<'a> {
    pub pixels: &'a Pixels,
    pub labels: Labels,
    /// For each region with a core; the last entry stands for all without.
    cores: Vec<Core>,
    /// Mean color and pixels of each region with a core.
    pub colors: Vec<Channels>,
    pub areas: Vec<u32>,
}

impl<'a> View<'a> {
    pub fn new(pixels: &'a Pixels, mut labels: Labels, watch: &mut Watch<'_>) -> Result<Self, Stopped> {
        let mut cores = cores(&labels, pixels.width, watch)?;
        labels.regroup(&with_core_first(&cores), watch)?;
        cores.retain(|&core| core != Core::None);
        watch.advance(pixels.data.len())?;
        let (colors, areas) = means(pixels, &labels, cores.len());
        cores.push(Core::None);
        Ok(View { pixels, labels, cores, colors, areas })
    }

    /// How many regions have a core; they have the smallest labels.
    pub fn with_core(&self) -> usize {
        self.areas.len()
    }

    /// Whether there is so little of regions with a core that nothing explains anything.
    pub fn is_noise(&self) -> bool {
        const LEAST_SHARE: usize = 16;
        let area: usize = self.areas.iter().map(|&area| area as usize).sum();
        area * LEAST_SHARE < self.labels.ids.len()
    }

    pub fn core(&self, label: u32) -> Core {
        self.cores[(label as usize).min(self.cores.len() - 1)]
    }

    pub fn is_paint(&self, label: u32) -> bool {
        self.core(label) == Core::Full
    }

    /// Makes a region with a thin core a paint.
    pub fn make_paint(&mut self, label: u32) {
        self.cores[label as usize] = Core::Full;
    }

    /// The label where it is a paint, or `BARE`.
    fn paint(&self, label: u32) -> u32 {
        if self.is_paint(label) { label } else { BARE }
    }

    /// The first paints met from pixel `i` along each of the axes, on either side; `BARE` where there is none.
    pub fn paints_across(&self, i: usize) -> [[u32; 2]; AXES.len()] {
        let (width, height) = (self.pixels.width, self.pixels.height);
        // Of 32 bits, division is several times faster.
        let (x, y) = ((i as u32 % width as u32) as usize, (i as u32 / width as u32) as usize);
        let within = |at: usize, size: usize| at >= REACH_PX && at + REACH_PX < size;
        if within(x, width) && within(y, height) {
            self.paints_within(i)
        } else {
            self.paints_at_border(x, y)
        }
    }

    fn paints_within(&self, i: usize) -> [[u32; 2]; AXES.len()] {
        let width = self.pixels.width;
        let start = i - REACH_PX * width - REACH_PX;
        let rows: [&[u32; WINDOW]; WINDOW] = std::array::from_fn(|row| {
            self.labels.ids[start + row * width..].first_chunk().expect("the window lies in the picture")
        });
        let first = |dx: isize, dy: isize| {
            let at = |k: isize| {
                let place = |d: isize| (REACH_PX as isize + k * d) as usize;
                self.paint(rows[place(dy)][place(dx)])
            };
            let (near, far) = (at(1), at(2));
            if near == BARE { far } else { near }
        };
        AXES.map(|(dx, dy)| [first(dx, dy), first(-dx, -dy)])
    }

    fn paints_at_border(&self, x: usize, y: usize) -> [[u32; 2]; AXES.len()] {
        let (width, height) = (self.pixels.width, self.pixels.height);
        let first = |dx: isize, dy: isize| {
            (1..=REACH_PX as isize)
                .map(|k| (x.wrapping_add_signed(k * dx), y.wrapping_add_signed(k * dy)))
                .take_while(|&(x, y)| x < width && y < height)
                .map(|(x, y)| self.paint(self.labels.ids[y * width + x]))
                .find(|&paint| paint != BARE)
                .unwrap_or(BARE)
        };
        AXES.map(|(dx, dy)| [first(dx, dy), first(-dx, -dy)])
    }
}

/// New labels: first those with a core, then the others, both in their order.
fn with_core_first(cores: &[Core]) -> Labels {
    let is_without = |core: &Core| *core == Core::None;
    let mut next = [cores.iter().filter(|core| !is_without(core)).count() as u32, 0];
    next.swap(0, 1);
    let number = |core: &Core| {
        let next = &mut next[usize::from(is_without(core))];
        *next += 1;
        *next - 1
    };
    Labels { ids: cores.iter().map(number).collect(), count: cores.len() }
}

fn cores(labels: &Labels, width: usize, watch: &mut Watch<'_>) -> Result<Vec<Core>, Stopped> {
    let mut cores = vec![Core::None; labels.count];
    let rows: Vec<&[u32]> = labels.ids.chunks_exact(width).collect();
    for (y, row) in rows.iter().enumerate() {
        watch.advance(width)?;
        let around = &rows[y.saturating_sub(1)..(y + 2).min(rows.len())];
        let mut x = 0;
        while x < width {
            let core = &mut cores[row[x] as usize];
            if *core == Core::Full {
                x = run_end(row, x);
                continue;
            }
            *core = (*core).max(core_at(around, row[x], x));
            x += 1;
        }
    }
    Ok(cores)
}

/// What a pixel is for its region, by its label, its column, and the rows around it.
fn core_at(rows: &[&[u32]], id: u32, x: usize) -> Core {
    const NEIGHBORS_OF_A_THIN_CORE: usize = 5;
    const NEIGHBORS: usize = 8;
    let agreeing = |row: &&[u32]| {
        row[x.saturating_sub(1)..(x + 2).min(row.len())].iter().filter(|&&other| other == id).count()
    };
    // The pixel itself is counted as well.
    match rows.iter().map(agreeing).sum::<usize>() - 1 {
        NEIGHBORS => Core::Full,
        NEIGHBORS_OF_A_THIN_CORE.. => Core::Thin,
        _ => Core::None,
    }
}

/// The mean color of each of the first `count` regions, and its pixels.
fn means(pixels: &Pixels, labels: &Labels, count: usize) -> (Vec<Channels>, Vec<u32>) {
    let mut sums = vec![[0u64; 4]; count];
    let mut areas = vec![0u32; count];
    let mut start = 0;
    while start < labels.ids.len() {
        let id = labels.ids[start] as usize;
        let end = run_end(&labels.ids, start);
        if id < count {
            areas[id] += (end - start) as u32;
            add_up(&mut sums[id], &pixels.data[start..end]);
        }
        start = end;
    }
    let mean = |(sum, &area): (&[u64; 4], &u32)| sum.map(|s| (s as f64 / f64::from(area.max(1))) as f32);
    (sums.iter().zip(&areas).map(mean).collect(), areas)
}

fn add_up(sum: &mut [u64; 4], colors: &[[u8; 4]]) {
    /// So many sums of 8 bits fit into 32.
    const BLOCK: usize = 1 << 24;
    for block in colors.chunks(BLOCK) {
        let mut sum_32 = [0u32; 4];
        let mut add = |color: [u8; 4], count: u32| {
            for c in 0..4 {
                sum_32[c] += u32::from(color[c]) * count;
            }
        };
        let (chunks, rest) = block.as_chunks::<CHUNK>();
        for chunk in chunks {
            match is_uniform(chunk, chunk[0]) {
                true => add(chunk[0], CHUNK as u32),
                false => chunk.iter().for_each(|&color| add(color, 1)),
            }
        }
        rest.iter().for_each(|&color| add(color, 1));
        for c in 0..4 {
            sum[c] += u64::from(sum_32[c]);
        }
    }
}
