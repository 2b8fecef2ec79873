import { TracesmithError } from './shared/errors.js';
export function invalid(problem) {
    return new TracesmithError('invalid_image', `the BMP ${problem}`);
}
/** Where the info header starts, which follows the file header. It starts with its own length. */
const INFO_START = 14;
// Lengths of the info header, in bytes. OS/2 2.x has headers of 16 to 64 bytes that start like that of Windows.
const OS2_V1 = 12;
const OS2_V2_SHORTEST = 16;
const OS2_V2_LONGEST = 64;
const WINDOWS = 40;
/** With a mask of alpha. From 52 bytes on, headers of Windows have those of the colors. */
const WINDOWS_V3 = 56;
const OF_WINDOWS = [WINDOWS, 52, WINDOWS_V3, 108, 124];
// Kinds of compression.
const NONE = 0;
const RUNS_OF_BYTES = 1;
const RUNS_OF_HALF_BYTES = 2;
/** In OS/2, where the number means Huffman coding, there are no masks. */
const MASKS = 3;
/** The masks of red, green, blue and alpha where a file has none of its own. */
const MASKS_OF_5_BITS = [0x7c00, 0x03e0, 0x001f, 0];
const MASKS_OF_8_BITS = [0xff_0000, 0xff00, 0xff, 0];
export function readHeader(file) {
    if (file.byteLength < 2 || file.getUint16(0) !== 0x424d)
        throw invalid('is corrupt');
    const pixelsStart = uint32At(file, 10);
    const infoBytes = uint32At(file, INFO_START);
    if (infoBytes === OS2_V1) {
        const size = uint32At(file, 18);
        const [width, height] = [size & 0xffff, size >>> 16];
        const shape = { width, height, isTopDown: false, ...planesAndBits(uint32At(file, 22)) };
        return { infoBytes, ...shape, compression: NONE, colors: 0, pixelsStart };
    }
    const field = (offset) => (offset + 4 <= infoBytes ? uint32At(file, INFO_START + offset) : 0);
    // Signed; below 0, rows go from top to bottom.
    const height = field(8) | 0;
    const shape = { width: field(4), height: Math.abs(height), isTopDown: height < 0 };
    const rest = { ...planesAndBits(field(12)), compression: field(16), colors: field(32) };
    return { infoBytes, ...shape, ...rest, pixelsStart };
}
function planesAndBits(field) {
    return { planes: field & 0xffff, bits: field >>> 16 };
}
/** Whether the pixels are runs of indices. Throws if the format is none of those that can be decoded. */
export function hasRuns({ infoBytes, planes, bits, compression }) {
    if (planes !== 1)
        throw invalid('is corrupt');
    const isOfWindows = OF_WINDOWS.includes(infoBytes);
    const isOfOs2 = infoBytes === OS2_V1 || (infoBytes >= OS2_V2_SHORTEST && infoBytes <= OS2_V2_LONGEST);
    if (isOfWindows || isOfOs2) {
        if (compression === NONE && [1, 2, 4, 8, 16, 24, 32].includes(bits))
            return false;
        if (compression === RUNS_OF_BYTES && bits === 8)
            return true;
        if (compression === RUNS_OF_HALF_BYTES && bits === 4)
            return true;
        if (compression === MASKS && isOfWindows && (bits === 16 || bits === 32))
            return false;
    }
    throw invalid('has an unsupported format');
}
/** The colors that indices can name, as RGBA; those that the file lacks are black. */
export function readPalette(file, { infoBytes, bits, colors }) {
    const colorBytes = infoBytes === OS2_V1 ? 3 : 4;
    const most = 2 ** bits;
    const count = colors === 0 ? most : Math.min(most, colors);
    const start = INFO_START + infoBytes;
    if (start + count * colorBytes > file.byteLength)
        throw invalid('is truncated');
    const palette = new Uint8Array(4 * 256);
    for (let k = 0; k < 256; k++) {
        palette[4 * k + 3] = 255;
        if (k >= count)
            continue;
        // The file has blue first.
        for (let c = 0; c < 3; c++)
            palette[4 * k + c] = file.getUint8(start + k * colorBytes + 2 - c);
    }
    return palette;
}
/** The masks of red, green, blue and alpha: which bits of a pixel are the channel's. */
export function readMasks(file, { infoBytes, bits, compression }) {
    if (compression !== MASKS)
        return bits === 16 ? MASKS_OF_5_BITS : MASKS_OF_8_BITS;
    // Those of a header of 40 bytes follow it.
    const mask = (k) => uint32At(file, INFO_START + WINDOWS + 4 * k);
    const colors = [mask(0), mask(1), mask(2)];
    const alpha = infoBytes >= WINDOWS_V3 ? mask(3) : 0;
    if (colors.includes(0))
        throw invalid('is corrupt');
    return [...colors, alpha];
}
function uint32At(file, offset) {
    if (offset + 4 > file.byteLength)
        throw invalid('is truncated');
    return file.getUint32(offset, true);
}
