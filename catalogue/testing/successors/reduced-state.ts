/** What a vendor could have published earlier: a share of the records of each file is missing, all else is as it should be. */
import type { Feed } from '../../definition/feed.ts';
import type { Chance } from '../chance.ts';
import { openBytesOf } from './packed-content.ts';
import { pagedRecordsIn } from './paged-records.ts';
import type { PublishedState } from './published-state.ts';
import { type RecordPlace, recordPlacesIn } from './record-places.ts';
import { sealed } from './seals.ts';
import { openingsOf, withOtherVersions } from './version-words.ts';

/** Larger ones take the packers of the tests too long. */
const largestPacked = 8_000_000;

export interface Reduction {
  /** Epoch milliseconds: when the reduced state is published. */
  readonly now: number;
  /** When the whole one is: a feed may take the time for a document's version. */
  readonly wholeAt: number;
  /** Of all records, from 0 to 1. */
  readonly share: number;
}

/** Without `share` of all records, of those places that hold the most of each file; what is drawn is up to chance. */
export async function reducedState(
  feed: Feed,
  state: PublishedState,
  { now, wholeAt, share }: Reduction,
  chance: Chance,
): Promise<PublishedState> {
  const openings = await openingsOf(feed, state, wholeAt);
  const reduced = await sealed(
    state,
    reducedFiles(state.files, { share, chance, kept: new Set() }),
  );
  const dated = await withOtherVersions(feed, openings, reduced, now);
  if (dated !== null) return dated;
  // No index can tell that such a document is another one: under one version it stays what it is.
  const kept = new Set(
    openings.flatMap(({ path, version }) => (path === null || version === null ? [] : [path])),
  );
  const other = await withOtherVersions(
    feed,
    openings,
    await sealed(state, reducedFiles(state.files, { share, chance, kept })),
    now,
  );
  if (other === null) throw new Error('No index can tell that its documents are others');
  return other;
}

interface Draw {
  readonly share: number;
  readonly chance: Chance;
  /** Paths of files that lose nothing. */
  readonly kept: ReadonlySet<string>;
}

function reducedFiles(
  whole: PublishedState['files'],
  { share, chance, kept }: Draw,
): PublishedState['files'] {
  let files = whole;
  const paged = new Set(pagedRecordsIn(files).flatMap(({ pages }) => pages));
  const [firstPages, plain] = [
    pagedRecordsIn(files).flatMap(({ pages: [first] }) => first ?? []),
    [...files.keys()].filter((path) => !paged.has(path)),
  ];
  for (const path of [...firstPages, ...plain]) {
    if (kept.has(path)) continue;
    const file = files.get(path);
    if (file?.packing === 'bzip2' && openBytesOf(file.content).length > largestPacked) continue;
    const place = largestPlace(recordPlacesIn(files, [path]));
    if (place === undefined) continue;
    const gone = [...place.records.keys()].filter(() => chance() < share);
    if (gone.length < place.records.length)
      files = place.with(new Map(gone.map((record) => [record, []])));
  }
  return files;
}

/** Of at least three records. */
function largestPlace(places: readonly RecordPlace[]): RecordPlace | undefined {
  const sizeOf = ({ records }: RecordPlace) =>
    records.reduce((size, record) => size + record.length, 0);
  const several = places.filter(({ records }) => records.length >= 3);
  return several.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
}
