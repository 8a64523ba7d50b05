import { expect, test } from 'vitest';
import { KbConclusions } from './kb-conclusions.ts';
import { KbFactsTable } from './kb-facts.ts';
import type { KbForProduct } from './kb-for-product.ts';
import { OfferedUpdates } from './offered-updates.ts';
import { windowsKbEntry } from './windows-kb-entry.ts';

test('an update of which the guide names no vulnerability is said to be an update, not to fix none', () => {
  const none = () => new Set<string>();
  const row: KbForProduct = {
    kind: 'kbForProduct',
    kb: 'KB5090500',
    product: {
      id: '12097',
      name: 'Windows 10 Version 22H2 for x64-based Systems',
      family: 'Windows',
    },
    productIds: new Set(['12097']),
    parts: none(),
    formerIds: [],
    supersedes: new Map(),
    restarts: none(),
    updateTypes: none(),
    fixedBuilds: new Map(),
    ratings: new Map(),
    knownIssues: [],
  };
  const offered = new OfferedUpdates();
  const conclusions = new KbConclusions(
    [row],
    { namedIn: new Map(), revisedIn: new Map() },
    offered,
    new Map(),
  );
  const facts = new KbFactsTable([row], new Map(), conclusions);
  const { row: shown, detail } = windowsKbEntry(row, new Map(), conclusions, facts.of(row));
  expect(detail).toMatchObject({
    description: 'An update of Windows 10 Version 22H2 for x64-based Systems.',
    vulnerabilities: [],
  });
  expect(shown).toMatchObject({ exploited: null, publiclyDisclosed: null });
});
