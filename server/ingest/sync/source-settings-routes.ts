/** Endpoints of the sync settings of a source. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import {
  SourceSettings,
  type SourceSettingsReply,
  saveSourceSettingsEndpoint,
  schedulePreviewEndpoint,
  sourceSettingsEndpoint,
} from '@patch/contract/source-settings-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { withoutCredentials } from '../../platform/secrets/without-credentials.ts';
import { checkSchedule, checkSettings } from './check-settings.ts';
import { describeSchedule, getNextTimes } from './cron-schedule.ts';
import { readPartTimes } from './feed-part-store.ts';
import { getFollowedParts, getOfferedParts } from './followed-parts.ts';
import { releaseOtherParts } from './quarantine-store.ts';
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
