import { expect, test } from 'vitest';
import { findCircles } from './strongly-connected.ts';

const listCircles = (edges: Readonly<Record<string, readonly string[]>>) => {
  const circles = findCircles(Object.keys(edges), (node) => edges[node] ?? []);
  return [...Map.groupBy(circles, ([, circle]) => circle).values()].map((members) =>
    members.map(([node]) => node).toSorted(),
  );
};

test('finds each circle, and none in a graph without one', () => {
  expect(listCircles({ a: ['b', 'c'], b: ['d'], c: ['d'], d: ['e'] })).toEqual([]);
  expect(listCircles({ a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e'], e: ['d'], f: ['a'] })).toEqual([
    ['d', 'e'],
    ['a', 'b', 'c'],
  ]);
  expect(listCircles({ a: ['b'], b: ['a', 'c'], c: ['d'], d: ['b'] })).toEqual([
    ['a', 'b', 'c', 'd'],
  ]);
});

test('handles a long chain', () => {
  const length = 100_000;
  const next = (node: string) => (Number(node) < length ? [String(Number(node) + 1)] : ['0']);
  expect(findCircles(['5'], next).size).toBe(length + 1);
});
