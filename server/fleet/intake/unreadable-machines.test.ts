/** Machines of a request that are refused individually. */
import {
  type ReportOutcome,
  reportMachinesEndpoint,
} from '@patch/contract/fleet/machine-report-endpoints.ts';
import { expect, it } from 'vitest';
import { splitMachines } from './intake.ts';

const text = 'bash-4.4.20-4.el8.x86_64';
const good = (key: string) => ({ key, name: key, text });

function reported(...machines: unknown[]) {
  const parted = splitMachines(reportMachinesEndpoint.body.parse({ machines }).machines);
  const stored = { state: 'stored', unreadableLines: 0, reason: null } as const;
  const taken = parted.readable.map(
    ({ key }, index): ReportOutcome => ({ key, id: index + 1, ...stored }),
  );
  return parted.outcomes(taken).map(({ key, id, reason }) => [key, id, reason]);
}

it('refuses a machine that breaks a rule, and stores those beside it', () => {
  const bell = { key: 'b', name: 'bell\u0007', text };
  expect(
    reported(good('a'), bell, { ...good('c'), kbs: ['KB5034441'] }, { key: 'd' }, 5, good('e')),
  ).toEqual([
    ['a', 1, null],
    ['b', null, 'name: must be one line without control or invisible characters.'],
    ['c', null, 'must have either text or packages, kbs, applications and what tells the release.'],
    ['d', null, expect.stringMatching(/^name: /)],
    ['', null, expect.stringContaining('object')],
    ['e', 2, null],
  ]);
});

it('reads a text with NUL characters and lone surrogates, and refuses other fields with them', () => {
  expect(
    reported(
      { ...good('a'), text: 'b\0a\0s\0h\ud800' },
      { ...good('b'), name: 'b\0' },
      { ...good('c'), name: '\ud800' },
      { ...good('d'), ['e\0']: 1 },
      good('e'),
    ),
  ).toEqual([
    ['a', 1, null],
    ['b', null, expect.stringMatching(/^name: /)],
    ['c', null, expect.stringMatching(/^name: /)],
    ['d', null, expect.stringContaining('key')],
    ['e', 2, null],
  ]);
});

it('refuses every machine whose key occurs twice, also beside one that breaks a rule', () => {
  const twice = expect.stringContaining('names this key more than once');
  const broken = { key: 'c', name: '\u0000', text };
  expect(reported(good('a'), good('b'), good(' a '), good('c'), broken)).toEqual([
    ['a', null, twice],
    ['b', 1, null],
    ['a', null, twice],
    ['c', null, twice],
    ['c', null, expect.stringMatching(/^name: /)],
  ]);
});
