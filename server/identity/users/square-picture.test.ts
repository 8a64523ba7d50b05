import { expect, test } from 'vitest';
import { cropSquare } from './square-picture.ts';

const picture = (width: number, height: number, ...pixels: readonly (readonly number[])[]) => ({
  width,
  height,
  data: new Uint8ClampedArray(pixels.flat()),
});
const red = [200, 0, 0, 255];
const blue = [0, 0, 200, 255];
const unseen = [255, 255, 255, 0];

test('cuts the middle out of a wide and of a tall picture', () => {
  expect([...cropSquare(picture(3, 1, red, blue, red), 1)]).toEqual(blue);
  expect([...cropSquare(picture(1, 3, red, blue, red), 1)]).toEqual(blue);
});

test('averages the covered pixels', () => {
  expect([...cropSquare(picture(2, 2, red, red, blue, blue), 1)]).toEqual([100, 0, 100, 255]);
});

test('ignores the colour of transparent pixels', () => {
  expect([...cropSquare(picture(2, 2, red, unseen, red, unseen), 1)]).toEqual([200, 0, 0, 128]);
  expect([...cropSquare(picture(1, 1, unseen), 1)]).toEqual([0, 0, 0, 0]);
});

test('enlarges a picture that is too small', () => {
  expect([...cropSquare(picture(1, 1, red), 2)]).toEqual([red, red, red, red].flat());
});
