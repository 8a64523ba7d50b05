/** Validates and normalizes the settings of a source. Errors name the allowed values. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceSettings } from '@patch/contract/source-settings-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { findScheduleProblem } from './cron-schedule.ts';
import { getFollowedParts, getOfferedParts, isOwn } from './followed-parts.ts';

/** Returns the settings in the form in which they are stored. @throws AppError for invalid settings */
export function checkSettings(feed: AnyFeed, settings: SourceSettings): SourceSettings {
  assertAddable(feed, settings.added);
  assertExcludable(feed, settings);
  return {
    ...settings,
    schedule: settings.schedule === null ? null : checkSchedule(settings.schedule),
    mirror: settings.mirror === null ? null : checkMirror(settings.mirror),
    leftOut: [...new Set(settings.leftOut)],
  };
}

export function checkSchedule(cron: string): string {
  const problem = findScheduleProblem(cron);
  if (problem !== null) throw new AppError('invalid_schedule', problem);
  return cron.trim().split(/\s+/).join(' ');
}

/** Returns the address without a slash at its end. @throws AppError `invalid_mirror` */
function checkMirror(text: string): string {
  const allowed =
    "The mirror must be an http(s) address such as 'https://mirror.example.org/feeds', below which a document lies as host/path";
  const refuse = (reason: string) => new AppError('invalid_mirror', `${allowed}${reason}.`);
  if (!/^https?:\/\//i.test(text.trim()) || !URL.canParse(text.trim())) throw refuse('');
  const url = new URL(text.trim());
  if (url.username !== '' || url.password !== '')
    throw refuse('; it must not contain a name or password, which all readers of the settings see');
  if (/[?#]/.test(url.href)) throw refuse('; it cannot have a query or a fragment');
  return url.href.replace(/\/+$/, '');
}

function assertAddable({ otherParts, ...feed }: AnyFeed, added: readonly string[]): void {
  const repeated = added.find((key, index) => added.indexOf(key) !== index);
  if (repeated !== undefined)
    throw new AppError('part_added_twice', `'${repeated}' is added twice.`);
  for (const key of added) {
    if (isOwn(feed, key))
      throw new AppError('part_is_own', `'${key}' need not be added: the feed includes it.`);
    if (otherParts === undefined)
      throw new AppError('unknown_part', 'Nothing can be added to this source.');
    if (otherParts.toPart(key) === null)
      throw new AppError('unknown_part', `'${key}' cannot be added. Allowed: ${otherParts.words}.`);
  }
}

function assertExcludable(feed: AnyFeed, { added, leftOut }: SourceSettings): void {
  const keys = getOfferedParts(feed, added).map(({ part }) => part.key);
  const unknown = leftOut.find((key) => !keys.includes(key));
  if (unknown !== undefined)
    throw new AppError(
      'unknown_part',
      `Unknown part '${unknown}'. Parts that can be excluded: ${keys.join(', ')}.`,
    );
  if (getFollowedParts(feed, { added, leftOut }).length === 0)
    throw new AppError(
      'nothing_followed',
      'All parts are excluded, so that nothing would be synced. Disable the source instead.',
    );
}
