const SIDE_PX = 32;
/**
 * A picture with something for every stage: a ramp, a disc, strokes of a pen, grain. Run times compile a function when it is first
 * called, so tracing this has all of them compiled.
 */
export function warmingPicture() {
    const data = new Uint8Array(4 * SIDE_PX * SIDE_PX);
    for (let i = 0; i < SIDE_PX * SIDE_PX; i++)
        data.set(color(i % SIDE_PX, Math.floor(i / SIDE_PX)), 4 * i);
    return { width: SIDE_PX, height: SIDE_PX, data };
}
function color(x, y) {
    const disc = covered(9 - Math.hypot(x - 13, y - 17));
    const pen = covered(1 - Math.abs(((x + 0.4 * y) % 16) - 8));
    const grain = y < 6 ? (x * x * 31 + y * y * 17) % 64 : 0;
    return [250 - 200 * disc - 40 * pen - grain, 240 - 6 * y, 250 - 220 * pen, 255];
}
/** How much of a pixel lies inside of an edge that is so far from its middle. */
const covered = (distance) => Math.min(1, Math.max(0, distance + 0.5));
