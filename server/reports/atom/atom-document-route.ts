/** Serves an Atom feed to whoever has its address. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type AtomEntry, atomId, writeAtomFeed } from '@patch/catalogue/formats/atom-feed.ts';
import { type CatalogueList, catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { sourceLabels } from '@patch/catalogue/sources.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import {
  atomFeedEndpoint,
  createViewFeedEndpoint,
  hasAtomFeeds,
} from '@patch/contract/reports/atom-feed-endpoints.ts';
import { selectReader } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { FileStream, type RouteRegistrar, Unchanged } from '../../platform/http/route.ts';
import type { Sight } from '../../platform/http/sight.ts';
import { createSearch, type Search } from '../../records/criteria/search-request.ts';
import { createViewSearch } from '../../records/criteria/view-criteria.ts';
import { findKnownList } from '../../records/preferences/known-list.ts';
import type { RecordsContext } from '../../records/records-context.ts';
import { toAlertItem } from '../alerts/alert-item.ts';
import { listPath, viewPath } from '../alerts/alert-mail.ts';
import { ownerZone } from '../alerts/owner-zone.ts';
import { type ChangedRecord, readChangedRecords, readContentState } from './atom-entry-store.ts';
import { findReadableFeed, noteAtomRead, type ReadableFeed } from './atom-feed-store.ts';

/** Minimum time between two writes of when a feed was last read. */
const writeIntervalMs = 60_000;
const dayMs = 86_400_000;

export function atomDocumentRoute(
  route: RouteRegistrar,
  { database, lists, searchService, clock, baseUrl, timeZone, settings }: RecordsContext,
): void {
  route(atomFeedEndpoint, async ({ params: { token }, knows, findSight, signal }) => {
    const now = clock();
    const feed = await findReadableFeed(database, sha256Hex(token));
    const sight = feed && (await findSight(createViewFeedEndpoint, feed.owner.id));
    if (feed === null || sight === null) throw noSuchAtomFeed();
    if (feed.lastReadTime === null || Math.abs(now - feed.lastReadTime) >= writeIntervalMs)
      await noteAtomRead(database, feed.id, now);
    const base = baseUrl();
    const when = { now, timeZone: ownerZone(feed.owner.timezone, timeZone(), 'UTC') };
    const target = readTarget(feed, sight, when);
    const catalogue = target.searches.map(({ list }) => list);
    const { name: author } = settings.current();
    return searchService.run({ user: String(feed.owner.id), signal }, async () => {
      const reader = selectReader(lists, ...catalogue);
      const searches = await Promise.all(
        target.searches.map((search) => searchService.store.resolve(search)),
      );
      // Relative dates of the criteria move with the time: a view is read again each day.
      const parts = [
        await readContentState(reader, catalogue),
        Math.floor(now / dayMs),
        target.title,
        target.path,
        feed.view?.updatedTime ?? 0,
        when.timeZone,
        author,
        base,
        // Criteria on fields that no row has depend on more than the content of the lists.
        searches.map((search, index) =>
          search === target.searches[index]
            ? []
            : search.conditions.flatMap((one) => (one.kind === 'oneOf' ? one.values : [])),
        ),
      ];
      const tag = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
      if (knows(tag)) return new Unchanged(tag);
      const records = await readChangedRecords(reader, searches, signal);
      const text = writeAtomFeed({
        id: atomId(sha256Hex(token)),
        title: target.title,
        author,
        selfUrl: `${base}/api/atom/${token}`,
        url: `${base}${target.path}`,
        updated: records[0]?.changed ?? feed.createdTime,
        entries: records.map((record) => toEntry(record, target, when, base)),
      });
      const bytes = Buffer.from(text);
      const type = 'application/atom+xml; charset=utf-8';
      return new FileStream('feed.atom', type, Readable.from([bytes]), bytes.length, tag);
    });
  });
}

interface Target {
  readonly title: string;
  /** The page of the console that shows the same. */
  readonly path: string;
  readonly searches: readonly (Search & { readonly list: CatalogueList })[];
  readonly columns: readonly string[] | null;
}

/** @throws AppError for a view whose criteria are no longer valid, or whose list is of another version. */
function readTarget({ view, search, source }: ReadableFeed, { groups }: Sight, when: When): Target {
  if (view !== null && search !== null) {
    const list = findKnownList(view.list);
    if (list === null || !hasAtomFeeds(list)) throw noSuchAtomFeed();
    const found = createViewSearch(list, search, {
      most: 1,
      when,
      sight: { restricted: false, groups },
    });
    return {
      title: `${view.name} (${list.label})`,
      path: viewPath(list, view.id, search),
      searches: [{ ...found, list }],
      columns: search.columns,
    };
  }
  const lists = catalogueLists.filter((list) => list.source === source);
  const [first] = lists;
  if (source === null || first === undefined) throw noSuchAtomFeed();
  const query = { offset: 0, size: 1, sort: '' };
  return {
    title: sourceLabels[source],
    path: listPath(first),
    searches: lists.map((list) => ({ ...createSearch(list, query, { conditions: [] }), list })),
    columns: null,
  };
}

function toEntry(
  { key, search, row, records, created, changed, withdrawn }: ChangedRecord,
  { searches, columns }: Target,
  { timeZone }: When,
  base: string,
): AtomEntry {
  const list = getList(searches[search]?.list.key ?? 'all_patches');
  const found = { row, recordsOfUpdate: Math.max(1, records) };
  const { id, name, about } = toAlertItem(list, found, columns, timeZone);
  return {
    id: atomId(`${list.source ?? list.key} ${key}`),
    title: withdrawn ? `Withdrawn: ${name}` : name,
    summary: withdrawn ? `The vendor no longer lists it. ${about}` : about,
    url: `${base}${listPath(list)}/record/${id}`,
    published: created,
    updated: changed,
    categories: withdrawn ? ['withdrawn'] : [],
  };
}

const noSuchAtomFeed = () =>
  new AppError(
    'no_such_atom_feed',
    'This feed is unknown, was revoked, or its owner may no longer see the view. Create another under Subscribe.',
  );
