import { expect, test } from 'vitest';
import type { Chain, ChainLink } from './chain-of-record.ts';
import { buildChainSteps, getLine } from './chain-steps.ts';

const link = (name: string, direct: boolean, ...replaces: string[]): ChainLink => ({
  name,
  releaseDate: null,
  direct,
  replaces,
  fixedBuild: null,
  evidence: null,
});
const own: Chain = {
  name: 'KB3',
  releaseDate: null,
  older: [],
  newer: [],
  last: null,
  isLast: false,
  evidence: null,
  contradictions: [],
};
const describeSteps = (chain: Chain) =>
  buildChainSteps(chain).map(({ label, boxes }) => [
    label,
    ...boxes.map(({ name, words = '' }) => `${name} ${words}`.trim()),
  ]);

test('lists the steps from the oldest update to the one to install, with how each is superseded', () => {
  const chain: Chain = {
    ...own,
    older: [link('KB1', false), link('KB2', true, 'KB1')],
    newer: [link('KB4', true, 'KB3'), link('KB5', false, 'KB4', 'KB0')],
    last: link('KB6', false, 'KB5'),
  };
  expect(describeSteps(chain)).toEqual([
    ['Superseded indirectly', 'KB1 by KB2'],
    ['Superseded directly', 'KB2'],
    ['This update', 'KB3'],
    ['Supersedes it directly', 'KB4'],
    ['Supersedes it indirectly', 'KB5 supersedes KB4 and 1 more'],
    ['Install instead', 'KB6 supersedes KB5'],
  ]);
});

test('says that an update without newer ones has no known successor', () => {
  expect(describeSteps(own)).toEqual([['This update · no known successor', 'KB3']]);
});

test('folds the earlier of the newer updates when the one to install is unknown', () => {
  const newer = [link('KB4', true, 'KB3')];
  const readFold = (chain: Chain) => buildChainSteps(chain).at(1)?.fold;
  expect(readFold({ ...own, newer })).toEqual({ at: 'start', words: 'earlier' });
  expect(readFold({ ...own, newer, last: link('KB5', false, 'KB4') })).toEqual({
    at: 'end',
    words: 'newer',
  });
});

test('draws a solid line only between steps with nothing in between', () => {
  const [indirectly, directly, itself] = buildChainSteps({
    ...own,
    older: [link('KB1', false), link('KB2', true, 'KB1')],
  });
  if (indirectly === undefined || directly === undefined || itself === undefined)
    throw new Error('Three steps are expected');
  expect(getLine(indirectly, directly)).toBe('through others');
  expect(getLine(directly, itself)).toBe('directly');
});
