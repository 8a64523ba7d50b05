/**
 * Whether what a source brought can be relied on to be new: when it was last synced with success, and whether its vendor has
 * published since as often as it usually does. A sync that ran says nothing of the vendor; no news is not good news.
 */
import { dayLength } from './release-rhythm.ts';
import type { SourceState } from './sync-endpoints.ts';

/**
 * `silent`: synced, and the vendor has published nothing for more than four of its usual gaps. `rhythm_unknown`: synced, and
 * nobody can say whether the vendor is silent.
 */
export const freshnessStates = [
  'fresh',
  'silent',
  'rhythm_unknown',
  'stale',
  'never',
  'off',
  'unavailable',
] as const;
export type Freshness = (typeof freshnessStates)[number];

export type FreshnessFacts = Pick<
  SourceState,
  'available' | 'enabled' | 'lastSuccessAt' | 'unread' | 'releases'
>;

/** Two days: a source that is synced once a day may miss one. */
const freshFor = 2 * dayLength;
const gapsUntilSilent = 4;

export function freshnessOf(state: FreshnessFacts, now: number): Freshness {
  const { available, enabled, lastSuccessAt, unread, releases } = state;
  if (!available) return 'unavailable';
  if (!enabled) return 'off';
  if (lastSuccessAt === null) return 'never';
  if (now - readTime(lastSuccessAt, unread) > freshFor) return 'stale';
  if (releases.newest === null || releases.usualGapDays === null) return 'rhythm_unknown';
  return isSilent(state, now) ? 'silent' : 'fresh';
}

/** A source is as old as the part of it that was left unread. */
const readTime = (lastSuccessAt: number, unread: FreshnessFacts['unread']) =>
  Math.min(lastSuccessAt, unread?.readAt ?? lastSuccessAt);

/** What an administrator should look into. */
export const isConcern = (freshness: Freshness): boolean =>
  ['silent', 'stale', 'never'].includes(freshness);

/** What the vendor did after the last sync nobody knows: its silence is judged as it was then. */
function isSilent(
  { lastSuccessAt, releases: { newest, usualGapDays } }: FreshnessFacts,
  now: number,
): boolean {
  if (lastSuccessAt === null || newest === null || usualGapDays === null) return false;
  return (
    Math.min(now, lastSuccessAt) - newest.releaseDate > gapsUntilSilent * usualGapDays * dayLength
  );
}

/** 'Fresh', 'Silent for 276 days, usually every 2 days', 'Synced, publication rhythm unknown', 'Not synced for 5 days', 'Security tracker not read for 9 days'. */
export function freshnessText(state: FreshnessFacts, now: number): string {
  const { lastSuccessAt, unread, releases } = state;
  switch (freshnessOf(state, now)) {
    case 'fresh':
      return 'Fresh';
    case 'silent':
      return `${releases.listLabel === null ? 'Silent' : `${releases.listLabel} silent`} for ${silentFor(state, now)}, usually ${rhythmText(releases.usualGapDays)}`;
    case 'rhythm_unknown':
      return 'Synced, publication rhythm unknown';
    case 'stale': {
      const since = lastSuccessAt ?? now;
      if (unread !== null && unread.readAt < since)
        return `${unread.label} not read for ${days(wholeDays(now - unread.readAt))}`;
      const notSynced = `Not synced for ${days(wholeDays(now - since))}`;
      return isSilent(state, now)
        ? `${notSynced}; silent for ${silentFor(state, since)} then`
        : notSynced;
    }
    case 'never':
      return 'Never synced';
    case 'off':
      return 'Switched off';
    case 'unavailable':
      return 'No feed';
  }
}

/** '276 days': since the newest record, up to a time. */
export function silentFor({ releases: { newest } }: FreshnessFacts, until: number): string {
  return days(wholeDays(until - (newest?.releaseDate ?? until)));
}

/** 'every day', 'every 2.5 days', 'no rhythm known' */
export function rhythmText(usualGap: number | null): string {
  if (usualGap === null) return 'no rhythm known';
  return usualGap === 1 ? 'every day' : `every ${usualGap} days`;
}

const wholeDays = (time: number) => Math.max(0, Math.floor(time / dayLength));

const days = (count: number) => (count === 1 ? '1 day' : `${count.toLocaleString('en')} days`);
