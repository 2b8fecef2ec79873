import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { hasTooManyScans, MAX_SCANS } from '../../host/image/jpeg-scans.mjs';
import { jpegOfScans, segment } from '../attacks/support/jpeg.ts';
import { form, picture, Service } from './service.ts';

const SIZE = { width: 64, height: 48 };
const landscape = picture('landscape.jpg');
const startOfImage = landscape.subarray(0, 2);
/** An image of more scans than are decoded. */
const bomb = jpegOfScans(SIZE, MAX_SCANS + 1);

describe('the scans of a JPEG', () => {
  test('as many as encoders write, and several times more, are decoded', async () => {
    for (const scans of [3, MAX_SCANS]) {
      const file = jpegOfScans(SIZE, scans);
      assert.equal(hasTooManyScans(file), false, String(scans));
      assert.equal((await sharp(file).raw().toBuffer({ resolveWithObject: true })).info.width, SIZE.width);
    }
  });

  test('more are too many', () => assert.equal(hasTooManyScans(bomb), true));

  test('those in metadata and behind the image are not its own', () => {
    const metadata = segment(0xe1, bomb);
    assert.equal(
      hasTooManyScans(Buffer.concat([startOfImage, metadata, landscape.subarray(2), bomb])),
      false,
    );
  });

  test('no marker hides them', () => {
    const start = bomb.indexOf(Buffer.from([0xff, 0xda]));
    const comment = segment(0xfe, Buffer.from([0xff, 0xd9]));
    // Restarts, stuffed and repeated 255s, and codes that libjpeg skips have no length, whatever follows.
    const alone = [0x00, 0x01, 0x02, 0xbf, 0xd0, 0xd7, 0xd8, 0xff].map((code) =>
      Buffer.from([0xff, code, 0xff]),
    );
    for (const between of [comment, ...alone]) {
      const file = Buffer.concat([bomb.subarray(0, start), between, bomb.subarray(start)]);
      assert.equal(hasTooManyScans(file), true, between.toString('hex'));
    }
  });

  test('a file may end anywhere', () => {
    for (let end = 0; end <= bomb.length; end++) {
      const isAtLast = end > bomb.lastIndexOf(Buffer.from([0xff, 0xda])) + 1;
      // Up to the two scans of the other components.
      if (!isAtLast) assert.equal(hasTooManyScans(bomb.subarray(0, end)), false, String(end));
    }
  });

  for (const progressive of [true, false])
    test(`of real encoders are few: progressive ${progressive}`, async () => {
      const file = await sharp(landscape).jpeg({ progressive, optimizeScans: progressive }).toBuffer();
      assert.equal(hasTooManyScans(file), false);
    });
});

describe('the service', () => {
  let service: Service;
  before(async () => {
    service = await Service.start();
  });
  after(() => service.stop());

  test('refuses very many scans without decoding them', async () => {
    // Minutes of work, which nothing could stop.
    const { status, json } = await service.post(
      form(jpegOfScans({ width: 1_024, height: 1_024 }, 1_000_000)),
    );
    assert.equal(`${status} ${json.code}`, '422 image_too_complex');
    assert.match(String((json as { detail?: string }).detail), /more than 100 scans/);
  });

  test('traces up to the limit', async () => {
    assert.equal((await service.post(form(jpegOfScans(SIZE, MAX_SCANS)))).status, 200);
  });
});
