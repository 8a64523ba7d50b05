import { expect, test } from 'vitest';
import { KbConclusions } from './kb-conclusions.ts';
import { KbFactsTable } from './kb-facts.ts';
import type { KbForProduct } from './kb-for-product.ts';
import { OfferedUpdates } from './offered-updates.ts';
import { toWindowsKbEntry } from './windows-kb-entry.ts';

test('describes an update without vulnerabilities as an update, not as fixing none', () => {
  const emptySet = () => new Set<string>();
  const row: KbForProduct = {
    kind: 'kbForProduct',
    kb: 'KB5090500',
    product: {
      id: '12097',
      name: 'Windows 10 Version 22H2 for x64-based Systems',
      family: 'Windows',
    },
    productIds: new Set(['12097']),
    parts: emptySet(),
    formerIds: [],
    supersedes: new Map(),
    restarts: emptySet(),
    updateTypes: emptySet(),
    fixedBuilds: new Map(),
    ratings: new Map(),
    knownIssues: [],
  };
  const offered = new OfferedUpdates();
  const conclusions = new KbConclusions(
    [row],
    { documentsByKb: new Map(), revisionsByKb: new Map() },
    offered,
    new Map(),
  );
  const facts = new KbFactsTable(conclusions);
  const { row: shown, detail } = toWindowsKbEntry(row, new Map(), conclusions, facts);
  expect(detail).toMatchObject({
    description: 'An update of Windows 10 Version 22H2 for x64-based Systems.',
    vulnerabilities: [],
  });
  expect(shown).toMatchObject({ exploited: null, publiclyDisclosed: null });
});
