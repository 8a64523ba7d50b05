import { expect, test, vi } from 'vitest';
import { zipf } from './first-pages.ts';
import { measureInTurn } from './measure-in-turn.ts';

test('asks each service for the same calls in turn', async () => {
  const asked: string[] = [];
  const service = (name: string) => async (n: number) => {
    asked.push(`${name}${n}`);
  };
  const times = await measureInTurn(1, 7, [service('a'), service('b')]);
  expect(asked.join(' ')).toBe('a0 a1 a2 a3 a4 b0 b1 b2 b3 b4 a5 a6 b5 b6');
  expect(times.map(({ calls }) => calls)).toEqual([7, 7]);
});

test('goes on without a service that has taken its time', async () => {
  let clock = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const slow = async () => {
    clock += 60;
  };
  try {
    const times = await measureInTurn(1, 10, [async () => undefined, slow], 50);
    expect(times.map(({ calls }) => calls)).toEqual([10, 1]);
  } finally {
    now.mockRestore();
  }
});

test('draws the first place twice as often as the second', () => {
  // The shares of three places are 6/11, 3/11 and 2/11.
  let drawn = 0;
  const draw = zipf(3, () => drawn);
  const placeAt = (value: number) => {
    drawn = value;
    return draw();
  };
  expect([0, 0.54, 0.55, 0.81, 0.82, 0.999].map(placeAt)).toEqual([0, 0, 1, 1, 2, 2]);
});
