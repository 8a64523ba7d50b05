import { expect, test } from 'vitest';
import { stronglyConnected } from './strongly-connected.ts';

const circlesOf = (edges: Readonly<Record<string, readonly string[]>>) => {
  const circles = stronglyConnected(Object.keys(edges), (node) => edges[node] ?? []);
  return [...Map.groupBy(circles, ([, circle]) => circle).values()].map((members) =>
    members.map(([node]) => node).toSorted(),
  );
};

test('finds each circle, and nothing in what has none', () => {
  expect(circlesOf({ a: ['b', 'c'], b: ['d'], c: ['d'], d: ['e'] })).toEqual([]);
  expect(circlesOf({ a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e'], e: ['d'], f: ['a'] })).toEqual([
    ['d', 'e'],
    ['a', 'b', 'c'],
  ]);
  expect(circlesOf({ a: ['b'], b: ['a', 'c'], c: ['d'], d: ['b'] })).toEqual([
    ['a', 'b', 'c', 'd'],
  ]);
});

test('a long chain is no burden', () => {
  const length = 100_000;
  const next = (node: string) => (Number(node) < length ? [String(Number(node) + 1)] : ['0']);
  expect(stronglyConnected(['5'], next).size).toBe(length + 1);
});
