import { getList } from '@patch/catalogue/lists.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { expect, test } from 'vitest';
import { readChain } from './chain-of-record.ts';
import { getStanding } from './record-standing.ts';

const kbs = getList('patch_repository');
const newer = (kbId: string, releaseDate: number) => ({
  kbId,
  relation: 'Replaces it directly',
  releaseDate,
  replaces: ['KB1'],
});
const standing = (list: ReturnType<typeof getList>, values: object) => {
  const record = { id: 1, kbId: 'KB1', withdrawnTime: null, ...values } as unknown as WireDetail;
  const { state, install } = getStanding(list, record, readChain(list, record));
  return [state, install.kind === 'other' ? [install.link.name, install.isEnd] : install.kind];
};

test.each([
  [
    'returns the end of the chain',
    {
      superseded: true,
      kbIdToBeInstalled: 'KB3',
      supersedence: [newer('KB2', 1), newer('KB3', 2)],
    },
    ['superseded', ['KB3', true]],
  ],
  [
    'returns the newest successor when the end of the chain is unknown',
    { superseded: true, kbIdToBeInstalled: null, supersedence: [newer('KB3', 2), newer('KB2', 1)] },
    ['superseded', ['KB3', false]],
  ],
  [
    'follows the flag of the vendor without a successor',
    { superseded: true, kbIdToBeInstalled: null, supersedence: [] },
    ['superseded', 'unknown'],
  ],
  [
    'is current without successors',
    { superseded: false, kbIdToBeInstalled: 'KB1', supersedence: [] },
    ['current', 'own'],
  ],
  [
    'is current when an update of another line can be installed in its place',
    { superseded: false, kbIdToBeInstalled: 'KB9', supersedence: [] },
    ['current', ['KB9', true]],
  ],
  [
    'is current at the end of a circle',
    { superseded: true, kbIdToBeInstalled: 'KB1', supersedence: [newer('KB2', 1)] },
    ['current', 'own'],
  ],
  [
    'does not offer a withdrawn record for installation',
    { superseded: false, withdrawnTime: 5, supersedence: [] },
    ['withdrawn', 'unknown'],
  ],
  [
    'returns the successor of a withdrawn record',
    {
      superseded: true,
      withdrawnTime: 5,
      kbIdToBeInstalled: 'KB2',
      supersedence: [newer('KB2', 1)],
    },
    ['withdrawn', ['KB2', true]],
  ],
])('%s', (_title, values, expected) => {
  expect(standing(kbs, values)).toEqual(expected);
});

test('is unstated when the list has no supersedence', () => {
  expect(standing(getList('almalinux_patch'), { bulletinId: 'ALSA-1' })).toEqual([
    'unstated',
    'unknown',
  ]);
});

test('is unstated when the flag is null and no successor is known', () => {
  const unknown = { superseded: null, supersededBy: [], kbIdToBeInstalled: null };
  expect(standing(getList('kb_repository'), unknown)).toEqual(['unstated', 'unknown']);
});
