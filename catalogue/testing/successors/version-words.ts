/** A vendor's own word for the state of a document, which its index tells: it is another one when the document is. */
import { NotPublished } from '../../definition/document-errors.ts';
import type { Feed } from '../../definition/feed.ts';
import { openBytesOf } from './packed-content.ts';
import { type Opening, type PublishedState, publicationOf } from './published-state.ts';
import { type RecordPlace, recordPlacesIn } from './record-places.ts';
import { sealed } from './seals.ts';
import type { StateReading } from './state-reading.ts';
import { laterDates } from './value-edits.ts';

type Files = PublishedState['files'];

/** An index is no larger. */
const largestIndex = 4_000_000;
/** Of different documents that have changed under the same word there may be some for each try, as one index may tell of several others. */
const maxTries = 3;

/** What a feed asks for of a state, without reading it. */
export async function openingsOf(
  feed: Feed,
  state: PublishedState,
  now: number,
): Promise<Opening[]> {
  const openings: Opening[] = [];
  for (const part of feed.parts) {
    const watched = publicationOf(state, now, () => []);
    await part.contents(watched.publication).catch((error: unknown) => {
      if (!(error instanceof NotPublished)) throw error;
    });
    openings.push(...watched.openings);
  }
  return openings;
}

export function openingsIn(reading: StateReading): Opening[] {
  return [...reading.values()].flatMap(({ openings }) => openings);
}

/**
 * The drafted state with other dates in whatever index tells of documents that have changed under the same word; null where no index can
 * be made to tell another one. `before` is what was opened of the state before.
 */
export async function withOtherVersions(
  feed: Feed,
  before: readonly Opening[],
  drafted: PublishedState,
  now: number,
): Promise<PublishedState | null> {
  let state = drafted;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const stale = staleOpenings(before, await openingsOf(feed, state, now));
    if (stale.length === 0) return state;
    const files = withOtherDates(state.files, stale);
    if (files === null) return null;
    state = await sealed(state, files);
  }
  return staleOpenings(before, await openingsOf(feed, state, now)).length === 0 ? state : null;
}

type Stale = Pick<Opening, 'url'> & { readonly path: string };

function staleOpenings(before: readonly Opening[], after: readonly Opening[]): Stale[] {
  const was = new Map(before.map((opening) => [opening.url, opening]));
  const stale = after.flatMap(({ url, path, sha256, version }) => {
    const old = was.get(url);
    const isStale =
      path !== null &&
      version !== null &&
      old?.version === version &&
      old.sha256 !== null &&
      old.sha256 !== sha256;
    return isStale ? [{ url, path }] : [];
  });
  return [...new Map(stale.map((one) => [one.url, one])).values()];
}

/** In each other file, in the smallest record that names the document, or something that its address is made of; null where there is none. */
function withOtherDates(files: Files, stale: readonly Stale[]): Files | null {
  const indexes = [...files].filter(
    ([path, { content }]) =>
      openBytesOf(content).length < largestIndex && !stale.some((one) => one.path === path),
  );
  let dated = files;
  for (const [index] of indexes) {
    // One record may name several of the documents; its dates are moved once.
    const found = new Map(
      stale
        .flatMap(({ url }) => smallestRecord(recordPlacesIn(files, [index]), url))
        .map((one) => [one.key, one]),
    );
    for (const { where, record } of found.values()) {
      const place = recordPlacesIn(dated, [index]).find(
        (other) => other.where === where && other.records.includes(record),
      );
      if (place !== undefined)
        dated = place.with(new Map([[place.records.indexOf(record), [laterDates(record)]]]));
    }
  }
  return dated === files ? null : dated;
}

interface FoundRecord {
  readonly key: string;
  readonly where: string;
  readonly record: string;
}

function smallestRecord(places: readonly RecordPlace[], url: string): FoundRecord[] {
  const address = decodeURIComponent(url);
  const records = places.flatMap(({ where, records: all }) =>
    all.flatMap((record) =>
      laterDates(record) !== record && namesIn(record).some((name) => address.includes(name))
        ? [{ key: `${where} ${record}`, where, record }]
        : [],
    ),
  );
  return records.toSorted((a, b) => a.record.length - b.record.length).slice(0, 1);
}

/** Words of a record that are long enough to lead to a document. */
function namesIn(record: string): string[] {
  return (record.match(/[\w.:/-]{6,}/g) ?? []).map((word) => word.replace(/^https?:\/\//, ''));
}
