import { deflateSync } from 'node:zlib';

/** A PNG header of any size, with only a few bytes of pixel data. */
export function headerOf(width: number, height: number, withData: boolean): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
  };
  const header = chunk('IHDR', Buffer.concat([size, Buffer.from([8, 6, 0, 0, 0])]));
  const data = withData ? [chunk('IDAT', deflateSync(Buffer.alloc(64)))] : [];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), header, ...data]);
}

/** A BMP header of any size, without pixels. */
export function bmpHeaderOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  return header;
}
