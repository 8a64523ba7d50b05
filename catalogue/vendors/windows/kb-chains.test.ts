import { expect, test } from 'vitest';
import { KbChains } from './kb-chains.ts';
import { MsrcDocument } from './msrc-document.ts';

const desktop = { id: '1', name: 'Windows 11', family: 'Windows' };
const server = { id: '2', name: 'Windows Server', family: 'Windows' };
const document = new MsrcDocument('https://guide.example/2024-Jan');
const row = (kb: string, product: typeof desktop, ...supersedes: string[]) => ({
  kb,
  product,
  supersedes: new Map(supersedes.map((older) => [older, document])),
});
/** KB5000002 is of day 2. */
const dateOf = (kb: string) => Number(kb.at(-1));

test('a chain is walked both ways, product by product', () => {
  const chains = new KbChains(
    [
      row('KB5000001', desktop),
      row('KB5000001', server),
      row('KB5000002', desktop, 'KB5000001'),
      row('KB5000003', desktop, 'KB5000002', 'KB4999999'),
    ],
    dateOf,
  );
  expect(chains.supersededBy('KB5000001', 'Windows 11')).toEqual(['KB5000002']);
  expect(chains.latest('KB5000001', 'Windows 11')).toBe('KB5000003');
  expect(chains.newer('KB5000001', 'Windows 11')).toEqual([
    { kb: 'KB5000003', releaseDate: 3, direct: false, replaces: ['KB5000002'] },
    { kb: 'KB5000002', releaseDate: 2, direct: true, replaces: ['KB5000001'] },
  ]);
  expect(chains.older('KB5000003', 'Windows 11')).toEqual([
    { kb: 'KB5000002', releaseDate: 2, direct: true, replaces: ['KB5000001'] },
    { kb: 'KB5000001', releaseDate: 1, direct: false, replaces: [] },
    { kb: 'KB4999999', releaseDate: null, direct: true, replaces: [] },
  ]);
  expect(chains.supersededBy('KB5000001', 'Windows Server')).toEqual([]);
  expect(chains.latest('KB5000001', 'Windows Server')).toBe('KB5000001');
});

test('of several ends the one for the same products counts, then the newest', () => {
  const chains = new KbChains(
    [
      row('KB5000001', desktop),
      row('KB5000002', desktop, 'KB5000001'),
      row('KB5000003', desktop, 'KB5000001'),
      row('KB5000004', desktop, 'KB5000001'),
      row('KB5000004', server),
    ],
    dateOf,
  );
  expect(chains.latest('KB5000001', 'Windows 11')).toBe('KB5000003');
});

test('a circle ends, with the newest of it', () => {
  const chains = new KbChains(
    [row('KB5000001', desktop, 'KB5000003'), row('KB5000002', desktop, 'KB5000001'), row('KB5000003', desktop, 'KB5000002')],
    dateOf,
  );
  for (const kb of ['KB5000001', 'KB5000002', 'KB5000003']) expect(chains.latest(kb, 'Windows 11')).toBe('KB5000003');
  expect(chains.newer('KB5000001', 'Windows 11').map(({ kb }) => kb)).toEqual(['KB5000003', 'KB5000002']);
});
