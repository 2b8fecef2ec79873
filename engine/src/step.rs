use crate::runs::CHUNK;

/// No step is as large.
pub(crate) const NO_STEP: u16 = u16::MAX;

/// Writes how far pixels are from others: the sum of the absolute channel differences. As many as there is room for.
pub(crate) fn write_steps(here: &[[u8; 4]], there: &[[u8; 4]], steps: &mut [u16]) {
    let (chunks, rest) = steps.as_chunks_mut::<CHUNK>();
    let done = chunks.len() * CHUNK;
    for ((steps, here), there) in chunks.iter_mut().zip(here.as_chunks().0).zip(there.as_chunks().0) {
        *steps = chunk_steps(here, there);
    }
    for ((step, here), there) in rest.iter_mut().zip(&here[done..]).zip(&there[done..]) {
        *step = (0..4).map(|c| u16::from(here[c].abs_diff(there[c]))).sum();
    }
}

fn chunk_steps(here: &[[u8; 4]; CHUNK], there: &[[u8; 4]; CHUNK]) -> [u16; CHUNK] {
    /// Every second byte.
    const EVEN: u32 = 0x00FF_00FF;
    let (here, there) = (here.as_flattened(), there.as_flattened());
    let mut differences = [0u8; 4 * CHUNK];
    for k in 0..4 * CHUNK {
        differences[k] = here[k].abs_diff(there[k]);
    }
    let quads = differences.as_chunks().0;
    std::array::from_fn(|k| {
        let quad = u32::from_le_bytes(quads[k]);
        let pairs = (quad & EVEN) + (quad >> 8 & EVEN);
        (pairs + (pairs >> 16)) as u16
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_add_up_channel_differences_within_chunks_and_beyond() {
        let here: Vec<[u8; 4]> = (0..2 * CHUNK as u8 + 3).map(|v| [v, 255, 0, 2 * v]).collect();
        let there = vec![[3, 0, 255, 4]; here.len()];
        let mut steps = vec![0; here.len()];
        write_steps(&here, &there, &mut steps);
        let expected: Vec<u16> =
            (0..here.len() as u16).map(|v| 510 + v.abs_diff(3) + (2 * v).abs_diff(4)).collect();
        assert_eq!(steps, expected);
    }
}
