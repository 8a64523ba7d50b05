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

/** `share` of all records, from 0 to 1, of those places that hold the most of each file; what is drawn is up to chance. */
export async function reducedState(feed: Feed, state: PublishedState, now: number, share: number, chance: Chance): Promise<PublishedState> {
  let { files } = state;
  const paged = new Set(pagedRecordsIn(files).flatMap(({ pages }) => pages));
  const [firstPages, plain] = [
    pagedRecordsIn(files).flatMap(({ pages: [first] }) => first ?? []),
    [...files.keys()].filter((path) => !paged.has(path)),
  ];
  for (const path of [...firstPages, ...plain]) {
    const file = files.get(path);
    if (file?.packing === 'bzip2' && openBytesOf(file.content).length > largestPacked) continue;
    const place = largestPlace(recordPlacesIn(files, [path]));
    if (place === undefined) continue;
    const gone = [...place.records.keys()].filter(() => chance() < share);
    if (gone.length < place.records.length) files = place.with(new Map(gone.map((record) => [record, []])));
  }
  const reduced = await withOtherVersions(feed, await openingsOf(feed, state, now), await sealed(state, files), now);
  if (reduced === null) throw new Error('No index can tell that its documents are others');
  return reduced;
}

/** Of at least three records. */
function largestPlace(places: readonly RecordPlace[]): RecordPlace | undefined {
  const sizeOf = ({ records }: RecordPlace) => records.reduce((size, record) => size + record.length, 0);
  const several = places.filter(({ records }) => records.length >= 3);
  return several.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0];
}
