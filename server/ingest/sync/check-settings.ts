/** Refuses settings of a source that cannot be followed, with a sentence that names what is allowed. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceSettings } from '@patch/contract/source-settings-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { scheduleProblem } from './cron-schedule.ts';
import { followedParts, isOwn, offeredParts } from './followed-parts.ts';

/** The settings as they are kept. */
export function checkedSettings(feed: AnyFeed, settings: SourceSettings): SourceSettings {
  refuseAdded(feed, settings.added);
  refuseLeftOut(feed, settings);
  return {
    ...settings,
    schedule: settings.schedule === null ? null : checkedSchedule(settings.schedule),
    mirror: settings.mirror === null ? null : checkedMirror(settings.mirror),
    leftOut: [...new Set(settings.leftOut)],
  };
}

export function checkedSchedule(cron: string): string {
  const problem = scheduleProblem(cron);
  if (problem !== null) throw new AppError('invalid_schedule', problem);
  return cron.trim().split(/\s+/).join(' ');
}

/** Without a slash at its end. */
function checkedMirror(text: string): string {
  const allowed =
    "The mirror must be an http(s) address such as 'https://mirror.example.org/feeds', below which a document lies as host/path";
  const refuse = (reason: string) => new AppError('invalid_mirror', `${allowed}${reason}.`);
  if (!/^https?:\/\//i.test(text.trim()) || !URL.canParse(text.trim())) throw refuse('');
  const url = new URL(text.trim());
  if (url.username !== '' || url.password !== '')
    throw refuse('; a name or password in it would be seen by everybody who reads the settings');
  if (/[?#]/.test(url.href)) throw refuse('; it cannot have a query or a fragment');
  return url.href.replace(/\/+$/, '');
}

function refuseAdded({ otherParts, ...feed }: AnyFeed, added: readonly string[]): void {
  const repeated = added.find((key, place) => added.indexOf(key) !== place);
  if (repeated !== undefined)
    throw new AppError('part_added_twice', `'${repeated}' is added twice.`);
  for (const key of added) {
    if (isOwn(feed, key))
      throw new AppError('part_is_own', `'${key}' need not be added: the feed includes it.`);
    if (otherParts === undefined)
      throw new AppError('unknown_part', 'Nothing can be added to this source.');
    if (otherParts.partOf(key) === null)
      throw new AppError(
        'unknown_part',
        `'${key}' cannot be added. What can be added is ${otherParts.words}.`,
      );
  }
}

function refuseLeftOut(feed: AnyFeed, { added, leftOut }: SourceSettings): void {
  const keys = offeredParts(feed, added).map(({ part }) => part.key);
  const unknown = leftOut.find((key) => !keys.includes(key));
  if (unknown !== undefined)
    throw new AppError(
      'unknown_part',
      `There is no part '${unknown}' that could be excluded. The parts are: ${keys.join(', ')}.`,
    );
  if (followedParts(feed, { added, leftOut }).length === 0)
    throw new AppError(
      'nothing_followed',
      'With every part left out nothing is followed. Switch the source off instead.',
    );
}
