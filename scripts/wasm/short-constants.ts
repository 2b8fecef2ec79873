/** A constant vector takes 18 bytes, its value in one lane and an instruction that copies it to all others 4 to 8. */
const VECTOR = /\(v128\.const i32x4 0x(\w{8}) 0x\1 0x\1 0x\1\)/g;
/** A constant of double precision takes 9 bytes, a smaller constant and an instruction that widens it 3 to 6. */
const DOUBLE = /\(f64\.const ([^)]*)\)/g;

/**
 * Writes constants in the text of a module as shorter instructions that give the same bits. Engines of WebAssembly compile both to the same
 * machine code or as fast; optimizers would take the shorter ones back.
 */
export function withShortConstants(text: string): string {
  return text.replace(VECTOR, (_, lane: string) => splat(lane)).replace(DOUBLE, widened);
}

/** A vector of equal lanes of 32 bits, given as hexadecimal digits. */
function splat(lane: string): string {
  const bits = Number.parseInt(lane, 16) | 0;
  const [low, isHalf] = [bits & 0xffff, lane.slice(0, 4) === lane.slice(4)];
  if (bits !== 0 && isHalf && low >> 8 === (low & 0xff))
    return `(i8x16.splat (i32.const ${(bits << 24) >> 24}))`;
  if (bits !== 0 && isHalf) return `(i16x8.splat (i32.const ${(bits << 16) >> 16}))`;
  // As a float, a lane takes 5 bytes, as an integer 2 to 6. The text of a float says neither which NaN it is nor the sign of zero.
  const float = new Float32Array(Int32Array.of(bits).buffer)[0] ?? 0;
  const isFloat = Number.isFinite(float) && float !== 0 && !isBelow(bits, 2 ** 27);
  return isFloat ? `(f32x4.splat (f32.const ${float}))` : `(i32x4.splat (i32.const ${bits}))`;
}

function widened(constant: string, number: string): string {
  const value = number.endsWith('inf') ? Number(number.replace('inf', 'Infinity')) : Number(number);
  if (Number.isInteger(value) && isBelow(value, 2 ** 20) && !Object.is(value, -0))
    return `(f64.convert_i32_s (i32.const ${value}))`;
  // NaN differs from itself.
  return Math.fround(value) === value ? `(f64.promote_f32 (f32.const ${number}))` : constant;
}

function isBelow(value: number, limit: number): boolean {
  return value >= -limit && value < limit;
}
