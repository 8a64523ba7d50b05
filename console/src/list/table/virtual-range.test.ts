import { expect, test } from 'vitest';
import {
  buildItems,
  findRowsInView,
  getNextDrawn,
  type RowRange,
  toOffsets,
} from './virtual-range.ts';

const emptyRange: RowRange = { start: 0, end: 0 };
const equalOffsets = toOffsets(Array.from({ length: 3000 }, () => 40));

/** Returns all steps until nothing is missing. */
function listSteps(drawn: RowRange, inView: RowRange, count: number): readonly RowRange[] {
  const next = getNextDrawn(drawn, inView, count);
  return next === drawn ? [] : [next, ...listSteps(next, inView, count)];
}

test('findRowsInView handles equal and different heights', () => {
  expect(findRowsInView(equalOffsets, 0, 400)).toEqual({ start: 0, end: 11 });
  expect(findRowsInView(equalOffsets, 410, 800)).toEqual({ start: 10, end: 21 });
  expect(findRowsInView(equalOffsets, 119_900, 120_300)).toEqual({ start: 2997, end: 3000 });
  expect(findRowsInView(toOffsets([100, 10, 10, 300, 50]), 105, 130)).toEqual({ start: 1, end: 4 });
});

test('findRowsInView returns the nearest end when the list is out of view', () => {
  expect(findRowsInView(equalOffsets, -900, -500)).toEqual({ start: 0, end: 0 });
  expect(findRowsInView(equalOffsets, 130_000, 130_400)).toEqual({ start: 2999, end: 3000 });
  expect(findRowsInView(toOffsets([]), 0, 400)).toEqual({ start: 0, end: 0 });
});

test('getNextDrawn draws the view at once and the surroundings in small steps', () => {
  const inView = { start: 1000, end: 1020 };
  const steps = listSteps(emptyRange, inView, 3000);
  expect(steps[0]).toEqual({ start: 996, end: 1024 });
  expect(steps.at(-1)).toEqual({ start: 984, end: 1036 });
  for (const [at, step] of steps.slice(1).entries()) {
    const before = steps[at] ?? emptyRange;
    expect(before.start - step.start + step.end - before.end).toBeLessThanOrEqual(12);
  }
});

test('getNextDrawn keeps the range while it covers the surroundings', () => {
  const drawn = { start: 984, end: 1036 };
  expect(getNextDrawn(drawn, { start: 1003, end: 1023 }, 3000)).toBe(drawn);
  const next = getNextDrawn(drawn, { start: 1006, end: 1026 }, 3000);
  expect(next.end).toBeGreaterThan(1036);
  expect(next.start).toBeGreaterThanOrEqual(984);
});

test('getNextDrawn never draws more than 150 rows', () => {
  for (const height of [1, 20, 60, 120]) {
    let drawn = emptyRange;
    for (const start of [0, 3, 40, 700, 650, 640, 2990, 2000, 0]) {
      const inView = { start, end: Math.min(3000, start + height) };
      for (const step of listSteps(drawn, inView, 3000)) drawn = step;
      expect(drawn.start).toBeLessThanOrEqual(inView.start);
      expect(drawn.end).toBeGreaterThanOrEqual(inView.end);
      expect(drawn.end - drawn.start).toBeLessThanOrEqual(150);
    }
  }
});

test('getNextDrawn restarts when the list has become shorter', () => {
  expect(listSteps({ start: 2950, end: 3000 }, { start: 0, end: 20 }, 120).at(-1)).toEqual({
    start: 0,
    end: 36,
  });
});

test('buildItems returns gaps for other rows, and always the row of the cursor', () => {
  const items = (cursor: number) =>
    buildItems(toOffsets([10, 20, 30, 40, 50]), { start: 2, end: 4 }, cursor);
  expect(items(3)).toEqual([
    { kind: 'gap', height: 30, from: 0 },
    { kind: 'row', index: 2 },
    { kind: 'row', index: 3 },
    { kind: 'gap', height: 50, from: 4 },
  ]);
  expect(items(0)).toEqual([
    { kind: 'row', index: 0 },
    { kind: 'gap', height: 20, from: 1 },
    { kind: 'row', index: 2 },
    { kind: 'row', index: 3 },
    { kind: 'gap', height: 50, from: 4 },
  ]);
  expect(items(4)).toEqual([
    { kind: 'gap', height: 30, from: 0 },
    { kind: 'row', index: 2 },
    { kind: 'row', index: 3 },
    { kind: 'row', index: 4 },
  ]);
  expect(items(9)).toEqual(items(3));
});
