import { expect, test } from 'vitest';
import { KbChains } from './kb-chains.ts';

const desktop = { id: '1', name: 'Windows 11', family: 'Windows' };
const server = { id: '2', name: 'Windows Server', family: 'Windows' };
const row = (kb: string, product: typeof desktop, day: number, ...supersedes: string[]) => ({
  kb,
  product,
  releaseDate: day,
  supersedes: new Set(supersedes),
});

test('a chain is walked both ways, product by product', () => {
  const chains = new KbChains([
    row('KB5000001', desktop, 1),
    row('KB5000001', server, 1),
    row('KB5000002', desktop, 2, 'KB5000001'),
    row('KB5000003', desktop, 3, 'KB5000002', 'KB4999999'),
  ]);
  expect(chains.supersededBy('KB5000001', '1')).toEqual(['KB5000002']);
  expect(chains.latest('KB5000001', '1')).toBe('KB5000003');
  expect(chains.newer('KB5000001', '1')).toEqual([
    { kb: 'KB5000003', releaseDate: 3, direct: false, replaces: ['KB5000002'] },
    { kb: 'KB5000002', releaseDate: 2, direct: true, replaces: ['KB5000001'] },
  ]);
  expect(chains.older('KB5000003', '1')).toEqual([
    { kb: 'KB5000002', releaseDate: 2, direct: true, replaces: ['KB5000001'] },
    { kb: 'KB5000001', releaseDate: 1, direct: false, replaces: [] },
    { kb: 'KB4999999', releaseDate: null, direct: true, replaces: [] },
  ]);
  expect(chains.supersededBy('KB5000001', '2')).toEqual([]);
  expect(chains.latest('KB5000001', '2')).toBe('KB5000001');
});

test('of several ends the one for the same products counts, then the newest', () => {
  const chains = new KbChains([
    row('KB5000001', desktop, 1),
    row('KB5000002', desktop, 2, 'KB5000001'),
    row('KB5000003', desktop, 3, 'KB5000001'),
    row('KB5000004', desktop, 4, 'KB5000001'),
    row('KB5000004', server, 4),
  ]);
  expect(chains.latest('KB5000001', '1')).toBe('KB5000003');
});

test('a circle ends, with the newest of it', () => {
  const chains = new KbChains([
    row('KB5000001', desktop, 1, 'KB5000003'),
    row('KB5000002', desktop, 2, 'KB5000001'),
    row('KB5000003', desktop, 3, 'KB5000002'),
  ]);
  for (const kb of ['KB5000001', 'KB5000002', 'KB5000003']) expect(chains.latest(kb, '1')).toBe('KB5000003');
  expect(chains.newer('KB5000001', '1').map(({ kb }) => kb)).toEqual(['KB5000003', 'KB5000002']);
});
