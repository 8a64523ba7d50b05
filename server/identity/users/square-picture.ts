/** Cuts the middle square out of a picture and makes it small or large: each new pixel is the mean of what it covers. */

export interface Pixels {
  /** Red, green, blue and opacity of each pixel, row by row. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

export function squared(
  { data, width, height }: Pixels,
  side: number,
): Uint8ClampedArray<ArrayBuffer> {
  const cut = Math.min(width, height);
  const [left, top] = [Math.floor((width - cut) / 2), Math.floor((height - cut) / 2)];
  const result = new Uint8ClampedArray(side * side * 4);
  for (let row = 0; row < side; row++) {
    const [firstRow, endRow] = covered(row, side, cut);
    for (let column = 0; column < side; column++) {
      const [firstColumn, endColumn] = covered(column, side, cut);
      let [red, green, blue, opacity] = [0, 0, 0, 0];
      for (let y = firstRow; y < endRow; y++) {
        let place = ((top + y) * width + left + firstColumn) * 4;
        for (let x = firstColumn; x < endColumn; x++, place += 4) {
          // What is not seen has a colour as well; it must not shine through.
          const seen = data[place + 3] ?? 0;
          red += (data[place] ?? 0) * seen;
          green += (data[place + 1] ?? 0) * seen;
          blue += (data[place + 2] ?? 0) * seen;
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

/** From which to before which; one at least, where the picture is smaller than the square. */
function covered(place: number, side: number, cut: number): readonly [number, number] {
  const first = Math.floor((place * cut) / side);
  return [first, Math.max(first + 1, Math.floor(((place + 1) * cut) / side))];
}
