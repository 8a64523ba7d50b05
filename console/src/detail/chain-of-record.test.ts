import { getList } from '@patch/catalogue/lists.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { expect, test } from 'vitest';
import { addDates, type ChainLink, findReplacers, readChain } from './chain-of-record.ts';

const kbs = getList('patch_repository');
const base = getList('kb_repository');
const record = (values: object) => ({ id: 1, ...values }) as unknown as WireDetail;
const names = (links: readonly ChainLink[] | undefined) => links?.map(({ name }) => name);
const row = (
  kbId: string,
  relation: string,
  releaseDate: number | null,
  ...replaces: string[]
) => ({
  kbId,
  relation,
  releaseDate,
  replaces,
});

test('reads older and newer updates and the one to install from the table', () => {
  const chain = readChain(
    kbs,
    record({
      kbId: 'KB3',
      releaseDate: 3,
      kbIdToBeInstalled: 'KB6',
      supersedence: [
        row('KB6', 'Replaces it through others', 6, 'KB5'),
        row('KB5', 'Replaces it through others', 5, 'KB4'),
        row('KB4', 'Replaces it directly', 4, 'KB3'),
        row('KB2', 'Replaced directly', 2, 'KB1'),
        row('KB1', 'Replaced through others', 1),
        row('KB0', 'Replaced directly', null),
        row('KB9', 'Related', 9),
      ],
    }),
  );
  expect(chain).toMatchObject({
    name: 'KB3',
    releaseDate: 3,
    isLast: false,
    last: { name: 'KB6', direct: false, replaces: ['KB5'] },
  });
  expect(names(chain?.older)).toEqual(['KB0', 'KB1', 'KB2']);
  expect(names(chain?.newer)).toEqual(['KB4', 'KB5']);
  expect(chain?.older.map(({ direct }) => direct)).toEqual([true, false, true]);
  expect(chain && findReplacers(chain, 'KB1')).toEqual(['KB2']);
});

test('orders replacements after what they replace, regardless of dates and in circles', () => {
  const rows = [
    row('KB4', 'Replaces it through others', 1, 'KB3'),
    row('KB3', 'Replaces it through others', 9, 'KB2'),
    row('KB2', 'Replaces it directly', 5),
    row('KB8', 'Replaces it through others', 2, 'KB7'),
    row('KB7', 'Replaces it through others', 3, 'KB8'),
  ];
  expect(names(readChain(kbs, record({ kbId: 'KB1', supersedence: rows }))?.newer)).toEqual([
    'KB2',
    'KB3',
    'KB4',
    'KB8',
    'KB7',
  ]);
});

test('treats a record as the one to install only when the record says so', () => {
  const unknown = readChain(
    kbs,
    record({ kbId: 'KB1', kbIdToBeInstalled: null, supersedence: [] }),
  );
  expect(unknown).toMatchObject({
    isLast: false,
    last: null,
    older: [],
    newer: [],
    evidence: null,
    contradictions: [],
  });
  const circle = [row('KB2', 'Replaces it directly', 1), row('KB2', 'Replaced directly', 1)];
  const newest = readChain(
    kbs,
    record({ kbId: 'KB1', kbIdToBeInstalled: 'KB1', supersedence: circle }),
  );
  expect(newest).toMatchObject({
    isLast: true,
    last: null,
    newer: [{ name: 'KB2' }],
    older: [{ name: 'KB2' }],
  });
});

test('accepts an update to install from outside the chain', () => {
  const chain = readChain(
    kbs,
    record({
      kbId: 'KB1',
      kbIdToBeInstalled: 'KB9',
      supersedence: [row('KB2', 'Replaces it directly', 1)],
    }),
  );
  expect(chain).toMatchObject({
    isLast: false,
    last: { name: 'KB9', direct: false },
    newer: [{ name: 'KB2' }],
  });
});

test('returns evidence and contradictions of the record', () => {
  const contradiction = {
    statement: 'KB2 replaces KB1',
    source: 'a',
    against: 'KB2 is older',
    againstSource: 'b',
  };
  const values = {
    kbId: 'KB1',
    installEvidence: 'KB2 replaces it.',
    supersedence: [],
    contradictions: [contradiction],
  };
  expect(readChain(kbs, record(values))).toMatchObject({
    evidence: 'KB2 replaces it.',
    contradictions: [contradiction],
  });
});

test('builds the chain from names alone and dates it by their records', () => {
  const chain = readChain(
    base,
    record({ kbId: 'KB3', supersedes: ['KB2', 'KB1'], supersededBy: ['KB5', 'KB4'] }),
  );
  expect(chain).toMatchObject({ isLast: false, last: null });
  expect(names(chain?.newer)).toEqual(['KB4', 'KB5']);
  const dates: Record<string, number> = { KB5: 1, KB4: 2, KB1: 7, KB2: 6 };
  const dated = chain && addDates(chain, (name) => dates[name] ?? null);
  expect([names(dated?.older), names(dated?.newer)]).toEqual([
    ['KB2', 'KB1'],
    ['KB5', 'KB4'],
  ]);
});

test('returns null without information on supersedence', () => {
  expect(readChain(getList('almalinux_patch'), record({ bulletinId: 'ALSA-1' }))).toBeNull();
  expect(readChain(base, record({ kbId: 'KB3', supersedes: null, supersededBy: null }))).toBeNull();
  expect(readChain(getList('patch'), record({ kbId: null, supersededBy: ['KB1'] }))).toBeNull();
});
