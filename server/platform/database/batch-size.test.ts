import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BatchSize } from './batch-size.ts';

test('doubles while batches are quick, up to the most', async () => {
  const size = new BatchSize({ least: 100, most: 350 });
  const sizes: number[] = [];
  for (let batch = 0; batch < 4; batch += 1) {
    sizes.push(size.rows);
    expect(await size.timed(async () => 'written')).toBe('written');
  }
  expect(sizes).toEqual([100, 200, 350, 350]);
});

test('halves after a batch that took too long, down to the least', async () => {
  const size = new BatchSize({ least: 100, most: 400 });
  await size.timed(async () => undefined);
  await size.timed(async () => undefined);
  expect(size.rows).toBe(400);
  for (const rows of [200, 100, 100]) {
    await size.timed(() => pause(60));
    expect(size.rows).toBe(rows);
  }
});
