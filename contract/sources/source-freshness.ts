/**
 * Judges whether a source's data are up to date: when it was last synced successfully, and whether its vendor published since as
 * often as usual. A successful sync does not prove that the vendor published.
 */
import { dayLength } from './release-rhythm.ts';
import type { SourceState } from './sync-endpoints.ts';

/**
 * `silent`: synced, but the vendor has published nothing for more than four of its usual gaps. `rhythm_unknown`: synced, but
 * nobody can tell whether the vendor is silent.
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

/** Two days: a source that is synced once a day may miss one sync. */
const maxFreshMs = 2 * dayLength;
const gapsUntilSilent = 4;

export function getFreshness(state: FreshnessFacts, now: number): Freshness {
  const { available, enabled, lastSuccessAt, unread, releases } = state;
  if (!available) return 'unavailable';
  if (!enabled) return 'off';
  if (lastSuccessAt === null) return 'never';
  if (now - readTime(lastSuccessAt, unread) > maxFreshMs) return 'stale';
  if (releases.newest === null || releases.usualGapDays === null) return 'rhythm_unknown';
  return isSilent(state, now) ? 'silent' : 'fresh';
}

/** A source is as old as its oldest unread part. */
const readTime = (lastSuccessAt: number, unread: FreshnessFacts['unread']) =>
  Math.min(lastSuccessAt, unread?.readAt ?? lastSuccessAt);

/** Returns whether an administrator should investigate. */
export const isConcern = (freshness: Freshness): boolean =>
  ['silent', 'stale', 'never'].includes(freshness);

/** Judges the silence as of the last sync, because nobody knows what the vendor did since. */
function isSilent(
  { lastSuccessAt, releases: { newest, usualGapDays } }: FreshnessFacts,
  now: number,
): boolean {
  if (lastSuccessAt === null || newest === null || usualGapDays === null) return false;
  return (
    Math.min(now, lastSuccessAt) - newest.releaseDate > gapsUntilSilent * usualGapDays * dayLength
  );
}

/**
 * Returns 'Fresh', 'Silent for 276 days, usually every 2 days', 'Synced, publication rhythm unknown', 'Not synced for 5 days', or
 * 'Security tracker not read for 9 days'.
 */
export function freshnessText(state: FreshnessFacts, now: number): string {
  const { lastSuccessAt, unread, releases } = state;
  switch (getFreshness(state, now)) {
    case 'fresh':
      return 'Fresh';
    case 'silent':
      return `${releases.listLabel === null ? 'Silent' : `${releases.listLabel} silent`} for ${silentFor(state, now)}, usually ${rhythmText(releases.usualGapDays)}`;
    case 'rhythm_unknown':
      return 'Synced, publication rhythm unknown';
    case 'stale': {
      const since = lastSuccessAt ?? now;
      if (unread !== null && unread.readAt < since)
        return `${unread.label} not read for ${days(countDays(now - unread.readAt))}`;
      const notSynced = `Not synced for ${days(countDays(now - since))}`;
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

/** Returns '276 days': from the newest record to `until`. */
export function silentFor({ releases: { newest } }: FreshnessFacts, until: number): string {
  return days(countDays(until - (newest?.releaseDate ?? until)));
}

/** Returns 'every day', 'every 2.5 days', or 'no rhythm known'. */
export function rhythmText(usualGap: number | null): string {
  if (usualGap === null) return 'no rhythm known';
  return usualGap === 1 ? 'every day' : `every ${usualGap} days`;
}

const countDays = (time: number) => Math.max(0, Math.floor(time / dayLength));

const days = (count: number) => (count === 1 ? '1 day' : `${count.toLocaleString('en')} days`);
