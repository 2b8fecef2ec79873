import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'ts_live_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 30;
/** 62⁶ is more than 2³², so six characters hold any CRC-32. */
const CHECK_CHARACTERS = 6;
/** Enough to identify a key, and useless as a credential. */
const ID_DIGITS = 12;
const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECK_CHARACTERS}})$`);

/** Generates a key: `ts_live_`, 30 random base-62 characters (178 bits) and 6 characters of their CRC-32. */
export function generateKey(): string {
  const pick = () => BASE62.charAt(randomInt(BASE62.length));
  const random = Array.from({ length: RANDOM_CHARACTERS }, pick).join('');
  return PREFIX + random + checksum(random);
}

/** Whether a text has the form and checksum of a key, so that a typo is rejected without a lookup. */
export function isWellFormedKey(text: string): boolean {
  const [, random, check] = FORM.exec(text) ?? [];
  return random !== undefined && checksum(random) === check;
}

/** SHA-256 of a key, stored instead of it. It needs no salt, as the key itself is long and random. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The id of a key: the start of its hash in hexadecimal. */
export function keyId(hash: string): string {
  return hash.slice(0, ID_DIGITS);
}

/** The CRC-32 of a text in base 62. */
function checksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let i = 0; i < CHECK_CHARACTERS; i++) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
