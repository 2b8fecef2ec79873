// Decodes BMP files: those that Windows writes and those of OS/2, without the compressions that only OS/2 has, and without JPEG and PNG
// inside. In TypeScript, because the WebAssembly module has no room for it: there, it took 4 kB.
import { describe } from './shared/describe.js';
import { TracesmithError } from './shared/errors.js';
import { bytesOf } from './shared/image.js';
import { hasRuns, invalid, readHeader, readMasks, readPalette } from './bmp-header.js';
/** So many that their bytes can be counted in 31 bits, as in the engine. */
const MOST_PIXELS = 2 ** 29 - 3;
const MAX_UINT64 = 2n ** 64n - 1n;
/** What follows a byte of 0 in place of a run; from 3 on, so many indices follow. */
const END_OF_ROW = 0;
const END_OF_IMAGE = 1;
const MOVE = 2;
/** Decodes a BMP file. Its size is checked against `limits` before memory is allocated for pixels. */
export function decodeBmp(bytes, limits) {
    const checked = bytesOf(bytes);
    if (checked === undefined)
        throw new TracesmithError('invalid_image', `a BMP must be a Uint8Array, not ${describe(bytes)}`);
    const file = new DataView(checked.buffer, checked.byteOffset, checked.byteLength);
    const header = readHeader(file);
    const { width, height, pixelsStart } = header;
    checkSize(width, height, limits);
    const areRuns = hasRuns(header);
    const colors = header.bits <= 8 ? words(readPalette(file, header)) : readMasks(file, header).map(channelOf);
    if (pixelsStart > checked.length)
        throw invalid('is truncated');
    const data = checked.subarray(pixelsStart);
    if (!areRuns && rowBytes(header) * height > data.length)
        throw invalid('is truncated');
    const image = new Uint32Array(width * height);
    if (!(colors instanceof Uint32Array))
        writeDirect(image, data, header, colors);
    else if (areRuns)
        writeRuns(image, data, header, colors);
    else
        writeIndexed(image, data, header, colors);
    return { width, height, data: new Uint8Array(image.buffer) };
}
function checkSize(width, height, limits) {
    if (width === 0 || height === 0)
        throw invalid('has an empty side');
    const maxPixels = toUint64(limits.maxPixels);
    const maxSide = limits.maxSide >>> 0;
    const pixels = width * height;
    if (pixels <= MOST_PIXELS && pixels <= maxPixels && Math.max(width, height) <= maxSide)
        return;
    const limit = `the limit is ${maxPixels} pixels and ${maxSide} px per side`;
    throw new TracesmithError('image_too_large', `the BMP has ${width} × ${height} px; ${limit}`);
}
/** Without the fraction; NaN becomes 0, which allows no image. */
function toUint64(value) {
    if (!(value >= 1))
        return 0n;
    return value < 2 ** 64 ? BigInt(Math.trunc(value)) : MAX_UINT64;
}
/** Of a row that is not compressed. */
function rowBytes({ width, bits }) {
    return Math.ceil((width * bits) / 32) * 4;
}
/** Where the image has row `y` of the file. */
function rowStart({ width, height, isTopDown }, y) {
    return width * (isTopDown ? y : height - 1 - y);
}
/** RGBA as the words that have these bytes on this machine. */
function words(rgba) {
    return new Uint32Array(rgba.buffer);
}
/** Without any bits in the mask, the level is the highest. */
function channelOf(mask, channel) {
    const unused = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    const ones = mask >>> unused;
    if ((ones & (ones + 1)) !== 0)
        throw invalid('is corrupt');
    const moreThanAByte = Math.max(0, 24 - Math.clz32(ones));
    const most = ones >>> moreThanAByte;
    const levels = new Uint8Array(4 * 256);
    for (let value = 0; value <= most; value++)
        levels[4 * value + channel] = most === 0 ? 255 : levelOf(value, most);
    return { shift: unused + moreThanAByte, most, levels: words(levels) };
}
/** `value` of `most` as a level, rounded. */
function levelOf(value, most) {
    return Math.round((255 * value) / most);
}
function writeDirect(image, data, header, channels) {
    const [red, green, blue, alpha] = channels;
    // In variables of their own, which makes the loop a fifth faster.
    const [reds, redShift, redMost] = [red.levels, red.shift, red.most];
    const [greens, greenShift, greenMost] = [green.levels, green.shift, green.most];
    const [blues, blueShift, blueMost] = [blue.levels, blue.shift, blue.most];
    const [alphas, alphaShift, alphaMost] = [alpha.levels, alpha.shift, alpha.most];
    const step = header.bits / 8;
    for (let y = 0; y < header.height; y++) {
        const start = rowStart(header, y);
        const end = start + header.width;
        for (let to = start, at = y * rowBytes(header); to < end; to++, at += step) {
            let word = data[at] | (data[at + 1] << 8);
            if (step > 2)
                word |= data[at + 2] << 16;
            if (step > 3)
                word |= data[at + 3] << 24;
            image[to] =
                reds[(word >>> redShift) & redMost] |
                    greens[(word >>> greenShift) & greenMost] |
                    blues[(word >>> blueShift) & blueMost] |
                    alphas[(word >>> alphaShift) & alphaMost];
        }
    }
}
function writeIndexed(image, data, header, palette) {
    const { width, height, bits } = header;
    for (let y = 0; y < height; y++) {
        const start = rowStart(header, y);
        const source = data.subarray(y * rowBytes(header));
        writeIndices(image.subarray(start, start + width), source, bits, palette);
    }
}
/** What runs beyond the end of its row is cut off: some programs write such runs. What the file leaves out is black. */
function writeRuns(image, data, header, palette) {
    const { width, height, bits } = header;
    image.fill(words(Uint8Array.of(0, 0, 0, 255))[0]);
    let at = 0;
    const take = (count) => {
        if (at + count > data.length)
            throw invalid('is truncated');
        at += count;
        return data.subarray(at - count, at);
    };
    let [x, y] = [0, 0];
    while (y < height) {
        const pair = take(2);
        let [count, value] = pair;
        let source = pair.subarray(1);
        if (count === 0) {
            if (value === END_OF_IMAGE)
                return;
            if (value === END_OF_ROW) {
                [x, y] = [0, y + 1];
                continue;
            }
            if (value === MOVE) {
                const [right, down] = take(2);
                [x, y] = [x + right, y + down];
                continue;
            }
            count = value;
            // Filled up to an even number of bytes.
            source = take(2 * Math.ceil((count * bits) / 16));
        }
        const start = rowStart(header, y);
        const [from, to] = [Math.min(x, width), Math.min(x + count, width)];
        writeIndices(image.subarray(start + from, start + to), source, bits, palette);
        x += count;
    }
}
/** Indices of so many bits each, the highest bits of a byte first. The last byte is repeated. */
function writeIndices(row, source, bits, palette) {
    const last = source.length - 1;
    for (let k = 0; k < row.length; k++) {
        const byte = source[Math.min((k * bits) >>> 3, last)];
        row[k] = palette[((byte << ((k * bits) & 7)) & 0xff) >>> (8 - bits)];
    }
}
