/** Merges the advisories of a release's repositories into one list in which each id occurs once. */
import type { Document } from '../definition/feed.ts';
import { detachText } from '../parsers/detach-text.ts';
import {
  type UpdateinfoAdvisory,
  type UpdateinfoItem,
  updateinfoIds,
} from '../parsers/updateinfo.ts';
import { anySuggestions } from '../values/errata-suggestions.ts';
import { type PublishedRelease, readReleaseUpdateinfo } from './release-updateinfo.ts';

/** Reads all documents twice: first for the repeated ids, so that only those advisories are buffered. */
export async function* mergeUpdateinfo(
  documents: readonly Document[],
  release: PublishedRelease,
): AsyncGenerator<UpdateinfoItem> {
  const repeated = await findRepeatedIds(documents);
  const buffered = new Map<string, UpdateinfoAdvisory>();
  for (const document of documents) {
    const ofDocument = new Map<string, UpdateinfoAdvisory>();
    for await (const reading of readReleaseUpdateinfo(document, release)) {
      if (reading.kind === 'advisory' && repeated.has(reading.id))
        addMerged(ofDocument, detachText(reading), mergeWithinRepository);
      else yield reading;
    }
    for (const advisory of ofDocument.values()) addMerged(buffered, advisory, joinAdvisories);
  }
  yield* buffered.values();
}

async function findRepeatedIds(documents: readonly Document[]): Promise<ReadonlySet<string>> {
  const met = new Set<string>();
  const repeated = new Set<string>();
  for (const document of documents) {
    for await (const id of updateinfoIds(document)) {
      if (met.has(id)) repeated.add(detachText(id));
      else met.add(detachText(id));
    }
  }
  return repeated;
}

type Merge = (a: UpdateinfoAdvisory, b: UpdateinfoAdvisory) => UpdateinfoAdvisory;

function addMerged(
  buffered: Map<string, UpdateinfoAdvisory>,
  advisory: UpdateinfoAdvisory,
  merge: Merge,
): void {
  const before = buffered.get(advisory.id);
  buffered.set(advisory.id, before === undefined ? advisory : merge(before, advisory));
}

/** In one repository a higher version replaces the earlier one; records of the same version are pieces of one advisory. */
function mergeWithinRepository(a: UpdateinfoAdvisory, b: UpdateinfoAdvisory): UpdateinfoAdvisory {
  const order = compareVersions(a, b);
  return order === 0 ? joinAdvisories(a, b) : order > 0 ? a : b;
}

/** Takes the words of the newer advisory, and the packages, modules and references of both. */
function joinAdvisories(a: UpdateinfoAdvisory, b: UpdateinfoAdvisory): UpdateinfoAdvisory {
  const order = compareVersions(a, b) || getLastChange(a) - getLastChange(b);
  const [newer, older] = order > 0 ? [a, b] : [b, a];
  return {
    ...newer,
    ...anySuggestions([newer, older]),
    packages: [...newer.packages, ...older.packages],
    modules: [...newer.modules, ...older.modules],
    references: [...newer.references, ...older.references],
  };
}

const { compare } = new Intl.Collator('en', { numeric: true });
const compareVersions = (a: UpdateinfoAdvisory, b: UpdateinfoAdvisory) =>
  compare(getVersionNumber(a), getVersionNumber(b));
/** A version that is not a number sorts lowest. */
const getVersionNumber = ({ version }: UpdateinfoAdvisory) =>
  version !== null && /^\d/.test(version) ? version : '';
const getLastChange = ({ issued, updated }: UpdateinfoAdvisory) => updated ?? issued ?? 0;
