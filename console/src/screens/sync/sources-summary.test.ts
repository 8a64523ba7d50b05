import type { Run, SourceState } from '@patch/contract/sync-calls.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { expect, it } from 'vitest';
import { sourcesSummary } from './sources-summary.ts';

const source = (more: Partial<SourceState>, state?: Run['state']) =>
  stateOfSource({ lastSuccessAt: 1, run: state === undefined ? null : ({ state } as Run), ...more });

it('counts what is synced and what needs somebody', () => {
  const held = [{}] as unknown as SourceState['held'];
  expect(sourcesSummary([source({}, 'succeeded'), source({ available: false })])).toBe('1 of 1 sources synced');
  expect(
    sourcesSummary([
      source({ lastSuccessAt: null }, 'running'),
      source({}, 'failed'),
      source({ held }, 'succeeded_with_warnings'),
      source({ held }, 'succeeded_with_warnings'),
      source({ enabled: false, held }, 'failed'),
    ]),
  ).toBe('4 of 5 sources synced, 1 running, 1 failed, 2 need a decision, 1 disabled');
});
