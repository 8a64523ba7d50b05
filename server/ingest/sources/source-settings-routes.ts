/** Endpoints of the sync settings of a source. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import {
  SourceSettings,
  type SourceSettingsReply,
  saveSourceSettingsEndpoint,
  schedulePreviewEndpoint,
  sourceSettingsEndpoint,
} from '@patch/contract/sources/source-settings-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { withoutCredentials } from '../../platform/secrets/without-credentials.ts';
import { readPartTimes } from '../parts/feed-part-store.ts';
import { releaseOtherParts } from '../parts/quarantine-store.ts';
import { describeSchedule, findScheduleProblem, getNextTimes } from './cron-schedule.ts';
import { getFollowedParts, getOfferedParts, isOwn } from './followed-parts.ts';
import { lockSourceSettings, readSourceSettings, saveSettings } from './source-setting-store.ts';
import { requireFeed } from './start-errors.ts';

export interface SourceSettingsRoutes {
  readonly database: Database;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  /** The mirror of the service. */
  readonly feedMirror: () => string | null;
  readonly log: Pick<Log, 'info'>;
  readonly clock: () => number;
}

export function sourceSettingsRoutes(
  route: RouteRegistrar,
  { database, feeds, feedMirror, log, clock }: SourceSettingsRoutes,
): void {
  async function reply(source: SourceKey, feed: AnyFeed): Promise<SourceSettingsReply> {
    const { changedAt, changedBy, ...saved } = await readSourceSettings(database, source);
    const offered = getOfferedParts(feed, saved.added);
    const readAt = await readPartTimes(database, source);
    return {
      settings: removeUnknownParts(feed, saved),
      standardSchedule: feed.schedule,
      generalMirror: hideCredentials(feedMirror()),
      parts: offered.map(({ part: { key, label }, added }) => ({
        key,
        label,
        added,
        readAt: readAt.get(key) ?? null,
      })),
      addable: feed.otherParts?.words ?? null,
      changedAt,
      changedBy,
    };
  }

  route(sourceSettingsEndpoint, ({ params: { source } }) =>
    reply(source, requireFeed(feeds, source)),
  );

  route(saveSourceSettingsEndpoint, async (request) => {
    const { source } = request.params;
    const feed = requireFeed(feeds, source);
    const by = requireUser(request).name;
    const { before, settings, changes } = await database.transaction(async (session) => {
      await lockSourceSettings(session);
      const { changedAt: _, changedBy: __, ...saved } = await readSourceSettings(session, source);
      const was = removeUnknownParts(feed, saved);
      const next = checkSettings(feed, SourceSettings.parse({ ...was, ...request.body }));
      const different = differences(was, next);
      if (Object.keys(different).length > 0) {
        await saveSettings(session, source, next, by, clock());
        const followed = getFollowedParts(feed, next).map(({ key }) => key);
        await releaseOtherParts(session, source, followed);
      }
      return { before: was, settings: next, changes: different };
    });
    if (Object.keys(changes).length > 0) {
      log.info({ source, by, changes }, 'the settings of a source were changed');
      const names = Object.keys(changes) as (keyof SourceSettings)[];
      const pickChanged = (values: SourceSettings) =>
        Object.fromEntries(names.map((name) => [name, values[name]]));
      request.changed({
        subject: `source ${source}`,
        before: pickChanged(before),
        after: pickChanged(settings),
      });
    }
    return reply(source, feed);
  });

  route(schedulePreviewEndpoint, async ({ query }) => {
    const cron = checkSchedule(query.cron);
    return { words: describeSchedule(cron), next: getNextTimes(cron, clock(), 5) };
  });
}

/** Removes excluded and added parts that the feed does not have any more. */
function removeUnknownParts(feed: AnyFeed, saved: SourceSettings): SourceSettings {
  const offered = getOfferedParts(feed, saved.added);
  const keys = offered.map(({ part }) => part.key);
  return {
    ...saved,
    leftOut: saved.leftOut.filter((key) => keys.includes(key)),
    added: offered.flatMap(({ part, added }) => (added ? [part.key] : [])),
  };
}

function differences(
  was: SourceSettings,
  is: SourceSettings,
): Record<string, { was: unknown; is: unknown }> {
  const names = Object.keys(is) as (keyof SourceSettings)[];
  const different = names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  return Object.fromEntries(different.map((name) => [name, { was: was[name], is: is[name] }]));
}

const hideCredentials = (mirror: string | null): string | null =>
  mirror === null ? null : withoutCredentials(mirror);

/** Returns the settings in the form in which they are stored. @throws AppError for invalid settings */
function checkSettings(feed: AnyFeed, settings: SourceSettings): SourceSettings {
  assertAddable(feed, settings.added);
  assertExcludable(feed, settings);
  return {
    ...settings,
    schedule: settings.schedule === null ? null : checkSchedule(settings.schedule),
    mirror: settings.mirror === null ? null : checkMirror(settings.mirror),
    leftOut: [...new Set(settings.leftOut)],
  };
}

function checkSchedule(cron: string): string {
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
