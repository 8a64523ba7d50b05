/** Cuts the middle square out of a picture and scales it: each new pixel is the mean of the pixels that it covers. */

export interface Pixels {
  /** Red, green, blue and opacity of each pixel, row by row. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

export function cropSquare(
  { data, width, height }: Pixels,
  side: number,
): Uint8ClampedArray<ArrayBuffer> {
  const cut = Math.min(width, height);
  const [left, top] = [Math.floor((width - cut) / 2), Math.floor((height - cut) / 2)];
  const result = new Uint8ClampedArray(side * side * 4);
  for (let row = 0; row < side; row++) {
    const [firstRow, endRow] = coveredRange(row, side, cut);
    for (let column = 0; column < side; column++) {
      const [firstColumn, endColumn] = coveredRange(column, side, cut);
      let [red, green, blue, opacity] = [0, 0, 0, 0];
      for (let y = firstRow; y < endRow; y++) {
        let offset = ((top + y) * width + left + firstColumn) * 4;
        for (let x = firstColumn; x < endColumn; x++, offset += 4) {
          // Weighted by opacity, so that the colour of transparent pixels has no effect.
          const seen = data[offset + 3] ?? 0;
          red += (data[offset] ?? 0) * seen;
          green += (data[offset + 1] ?? 0) * seen;
          blue += (data[offset + 2] ?? 0) * seen;
          opacity += seen;
        }
      }
      const pixels = (endRow - firstRow) * (endColumn - firstColumn);
      result.set(
        opacity === 0
          ? [0, 0, 0, 0]
          : [red / opacity, green / opacity, blue / opacity, opacity / pixels],
        (row * side + column) * 4,
      );
    }
  }
  return result;
}

/** Returns the first pixel and the end of the range, at least one pixel when the picture is smaller than the square. */
function coveredRange(index: number, side: number, cut: number): readonly [number, number] {
  const first = Math.floor((index * cut) / side);
  return [first, Math.max(first + 1, Math.floor(((index + 1) * cut) / side))];
}
