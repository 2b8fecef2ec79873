const WIDTH_PX = 160;
const HEIGHT_PX = 64;
/** The left part has detail. The right part is one shape on a flat background, which the engine's SIMD code handles. */
const DETAIL_WIDTH_PX = 64;
/**
 * An image with work for every stage: a gradient, a disc, pen strokes, noise and a large flat shape. JavaScript engines compile a
 * function when it is first called and optimize it after some time, so tracing this image compiles all of the module.
 */
export function warmUpPicture() {
    const data = new Uint8Array(4 * WIDTH_PX * HEIGHT_PX);
    for (let i = 0; i < WIDTH_PX * HEIGHT_PX; i++) {
        const [x, y] = [i % WIDTH_PX, Math.floor(i / WIDTH_PX)];
        data.set(x < DETAIL_WIDTH_PX ? detailPixel(x, y) : flatShapePixel(x - 120, y - 30), 4 * i);
    }
    return { width: WIDTH_PX, height: HEIGHT_PX, data };
}
function detailPixel(x, y) {
    const disc = coverage(9 - Math.hypot(x - 13, y - 17));
    const pen = coverage(1 - Math.abs(((x + 0.4 * y) % 16) - 8));
    const noise = y < 6 ? (x * x * 31 + y * y * 17) % 64 : 0;
    return [250 - 200 * disc - 40 * pen - noise, 240 - 3 * y, 250 - 220 * pen, 255];
}
/** A shape with five lobes, centered at 0, 0. */
function flatShapePixel(x, y) {
    const shape = coverage(17.3 - Math.hypot(x, y) * (1 + 0.2 * Math.cos(5 * Math.atan2(y, x))));
    return [250 - 220 * shape, 250 - 120 * shape, 250 - 60 * shape, 255];
}
/** The share of a pixel that lies inside an edge, from the pixel center's distance to it. */
const coverage = (distance) => Math.min(1, Math.max(0, distance + 0.5));
