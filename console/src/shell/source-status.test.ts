import * as runTexts from '@patch/contract/sources/run-message-text.ts';
import type { Run, SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { quarantineOf } from '@patch/contract/testing/quarantine-of.ts';
import { runOfSource } from '@patch/contract/testing/run-of-source.ts';
import { releasedBefore, stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { expect, it } from 'vitest';
import { summariseSourceStatus } from './source-status.ts';

const now = Date.UTC(2026, 10, 21, 12, 0);
const hour = 3_600_000;

function source(state: Run['state'] | null, lastSuccessAt: number | null): SourceState {
  const stage = { code: 'reading', params: { part: '12', partLabel: 'Debian' } } as const;
  const message = { code: 'text', params: { text: 'It is away.' } } as const;
  const run = state === null ? null : runOfSource({ state, stage, message });
  return stateOfSource({ lastSuccessAt, run });
}

const entry = quarantineOf();
const entryOfContent = quarantineOf({ reason: 'content_lost', records: 145 });

const quarantinedSource: SourceState = {
  ...source('succeeded_with_warnings', now),
  quarantine: [entry],
};

const silentSource: SourceState = {
  ...source('succeeded', now - hour / 12),
  releases: releasedBefore(now, { daysAgo: 30, every: 2 }),
};

it.each([
  ['running', 'Syncing Debian', [source('running', now), source('failed', null)]],
  ['running', 'Syncing 2 sources', [source('running', now), source('queued', null)]],
  ['failed', 'Debian failed', [source('failed', now - hour), source('succeeded', now)]],
  ['failed', '2 syncs failed', [source('failed', null), source('interrupted', null)]],
  ['failed', 'Debian failed', [source('failed', null), quarantinedSource]],
  ['quarantine', 'Debian needs a decision', [quarantinedSource, source('succeeded', now)]],
  ['quarantine', '2 sources need a decision', [quarantinedSource, quarantinedSource]],
  [
    'quarantine',
    '2 sources need a decision',
    [quarantinedSource, { ...quarantinedSource, quarantine: [entryOfContent] }],
  ],
  [
    'synced',
    'Synced 5 minutes ago',
    [{ ...source('failed', null), enabled: false }, source('succeeded', now - hour / 12)],
  ],
  ['synced', 'Synced 5 minutes ago', [source('succeeded', now - hour / 12)]],
  [
    'concern',
    'Synced 5 minutes ago, 2 not fresh',
    [silentSource, source('succeeded', now - 72 * hour)],
  ],
  ['quarantine', 'Debian needs a decision', [quarantinedSource, silentSource]],
  [
    'synced',
    'Synced 5 minutes ago',
    [{ ...silentSource, enabled: false }, source('succeeded', now - hour / 12)],
  ],
  [
    'past',
    'Synced 8 hours ago',
    [source('succeeded', now - 8 * hour), source('cancelled', now - 9 * hour)],
  ],
  ['never', 'Never synced', [source(null, null)]],
])('shows %s: %s', (tone, words, sources) => {
  expect(summariseSourceStatus(sources, { now, zone: 'UTC', runTexts })).toMatchObject({
    tone,
    words,
  });
});

it('explains which changes wait for a decision', () => {
  const both = { ...quarantinedSource, quarantine: [entry, entryOfContent] };
  expect(summariseSourceStatus([both], { now, zone: 'UTC', runTexts }).explanation).toBe(
    'Debian: 860 records are no longer listed, 145 records would lose content. Open the sync screen to decide.',
  );
});

it('explains the source, the initiator and the exact time', () => {
  expect(
    summariseSourceStatus([source('succeeded', now - 8 * hour)], {
      now,
      zone: 'UTC',
      runTexts,
    }).explanation,
  ).toBe('Debian, by schedule: Sat, Nov 21, 2026 04:00 AM (UTC)');
});

it('explains which sources are not fresh', () => {
  expect(
    summariseSourceStatus([silentSource], { now, zone: 'UTC', runTexts }).explanation,
  ).toContain('Debian: Silent for 30 days, usually every 2 days');
});

it('names the failed source before the message texts are loaded', () => {
  const failed = [source('failed', now - hour)];
  const { explanation } = summariseSourceStatus(failed, {
    now,
    zone: 'UTC',
    runTexts: undefined,
  });
  expect(explanation).toMatch(/^.+: .*Open the sync screen to try again\.$/);
});
