import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LeaseKeeper } from './lease-keeper.ts';

let saves: number[];
let keeper: LeaseKeeper;
let save: () => Promise<void>;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  saves = [];
  save = () => Promise.resolve();
  keeper = new LeaseKeeper((now) => {
    saves.push(now);
    return save();
  }, Date.now);
});
afterEach(async () => {
  await keeper.end();
  vi.useRealTimers();
});

test('saves progress twice a second, and a heartbeat each five seconds when there is none', async () => {
  for (let n = 0; n < 4; n += 1) {
    keeper.noteProgress();
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(saves).toEqual([500, 1000]);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(saves).toEqual([500, 1000, 6000, 11_000]);
});

test('begins no save while another one takes long, and saves the later progress then', async () => {
  const first = Promise.withResolvers<void>();
  save = () => first.promise;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(saves).toEqual([500]);
  keeper.noteProgress();
  first.resolve();
  await vi.advanceTimersByTimeAsync(500);
  expect(saves).toEqual([500, 20_500]);
});

test('goes on after a save that failed', async () => {
  save = () => Promise.reject(new Error('no database'));
  await vi.advanceTimersByTimeAsync(5500);
  expect(saves).toEqual([500, 5500]);
});

test('waits for the save in progress when it ends, and saves nothing afterwards', async () => {
  const first = Promise.withResolvers<void>();
  save = () => first.promise;
  await vi.advanceTimersByTimeAsync(500);
  let isEnded = false;
  const ending = keeper.end().then(() => (isEnded = true));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isEnded).toBe(false);
  first.resolve();
  await ending;
  keeper.noteProgress();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(saves).toEqual([500]);
});
