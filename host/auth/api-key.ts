import { createHash, randomInt } from 'node:crypto';

const PREFIX = 'ts_live_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 30;
/** 62⁶ is more than 2³², so six characters hold any CRC-32. */
const CHECK_CHARACTERS = 6;
const SHAPE = new RegExp(`^${PREFIX}([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECK_CHARACTERS}})$`);

/** A new key: `ts_live_`, 30 random base62 characters (178 bits), 6 characters of their CRC-32. */
export function mintKey(): string {
  const pick = () => BASE62.charAt(randomInt(BASE62.length));
  const random = Array.from({ length: RANDOM_CHARACTERS }, pick).join('');
  return PREFIX + random + checksum(random);
}

/** Whether a text can be a key at all: a typo is refused here, without a look-up. */
export function hasKeyShape(text: string): boolean {
  const [, random, check] = SHAPE.exec(text) ?? [];
  return random !== undefined && checksum(random) === check;
}

/** What is stored instead of the key. A plain hash is enough: the key itself is random and long. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let i = 0; i < CHECK_CHARACTERS; i++) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** IEEE 802.3's CRC-32, bit by bit: thirty characters need no table, and node:zlib has it only since 20.15. */
function crc32(text: string): number {
  const REFLECTED_POLYNOMIAL = 0xedb88320;
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ REFLECTED_POLYNOMIAL : crc >>> 1;
  }
  return ~crc >>> 0;
}
