import { expect, test } from 'vitest';
import { pictureSize } from './avatar-picture.ts';
import { drawnPng } from './testing/drawn-png.ts';

const png = drawnPng(3, 2, () => [0, 0, 0, 255]);
/** Start of image, a segment of six bytes, FF before the next kind, the frame of 2 rows and 3 columns. */
const jpeg = Buffer.from(
  'ffd8ffe00006010203040000'.replace(/0000$/, '') + 'ffffc00011080002000303',
  'hex',
);

test('reads the size of a PNG and a JPEG', () => {
  expect(pictureSize(png)).toEqual({ format: 'png', width: 3, height: 2 });
  expect(pictureSize(jpeg)).toEqual({ format: 'jpeg', width: 3, height: 2 });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a page', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0', 'latin1')],
  ['the begin of a PNG', png.subarray(0, 20)],
  ['the begin of a JPEG', jpeg.subarray(0, 8)],
  ['a JPEG that goes nowhere', Buffer.from('ffd8ffe00006010203040102', 'hex')],
])('rejects %s', (_, file) => {
  expect(pictureSize(file)).toBeNull();
});
