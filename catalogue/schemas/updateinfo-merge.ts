/** The advisories of several repositories of one release as one list, in which each id comes once. */
import type { Document } from '../definition/feed.ts';
import { detached } from '../parsers/detached.ts';
import {
  type UpdateinfoAdvisory,
  type UpdateinfoItem,
  updateinfoIds,
} from '../parsers/updateinfo.ts';
import { anySuggestions } from '../values/errata-suggestions.ts';
import { type PublishedRelease, releaseUpdateinfo } from './release-updateinfo.ts';

/** Reads all twice: once for the ids that come more than once, so that only those are held back until all of their records are met. */
export async function* mergedUpdateinfo(
  documents: readonly Document[],
  release: PublishedRelease,
): AsyncGenerator<UpdateinfoItem> {
  const repeated = await repeatedIds(documents);
  const held = new Map<string, UpdateinfoAdvisory>();
  for (const document of documents) {
    const here = new Map<string, UpdateinfoAdvisory>();
    for await (const reading of releaseUpdateinfo(document, release)) {
      if (reading.kind === 'advisory' && repeated.has(reading.id))
        hold(here, detached(reading), withinRepository);
      else yield reading;
    }
    for (const advisory of here.values()) hold(held, advisory, joined);
  }
  yield* held.values();
}

async function repeatedIds(documents: readonly Document[]): Promise<ReadonlySet<string>> {
  const met = new Set<string>();
  const repeated = new Set<string>();
  for (const document of documents) {
    for await (const id of updateinfoIds(document)) {
      if (met.has(id)) repeated.add(detached(id));
      else met.add(detached(id));
    }
  }
  return repeated;
}

type Merge = (one: UpdateinfoAdvisory, other: UpdateinfoAdvisory) => UpdateinfoAdvisory;

function hold(
  held: Map<string, UpdateinfoAdvisory>,
  advisory: UpdateinfoAdvisory,
  merge: Merge,
): void {
  const before = held.get(advisory.id);
  held.set(advisory.id, before === undefined ? advisory : merge(before, advisory));
}

/** In one repository a higher version is a re-release, which replaces what was; records of the same version are pieces of one advisory. */
function withinRepository(one: UpdateinfoAdvisory, other: UpdateinfoAdvisory): UpdateinfoAdvisory {
  const order = byVersion(one, other);
  return order === 0 ? joined(one, other) : order > 0 ? one : other;
}

/** The newest gives the words; packages, modules and references are those of both. */
function joined(one: UpdateinfoAdvisory, other: UpdateinfoAdvisory): UpdateinfoAdvisory {
  const order = byVersion(one, other) || lastChange(one) - lastChange(other);
  const [newer, older] = order > 0 ? [one, other] : [other, one];
  return {
    ...newer,
    ...anySuggestions([newer, older]),
    packages: [...newer.packages, ...older.packages],
    modules: [...newer.modules, ...older.modules],
    references: [...newer.references, ...older.references],
  };
}

const { compare } = new Intl.Collator('en', { numeric: true });
const byVersion = (one: UpdateinfoAdvisory, other: UpdateinfoAdvisory) =>
  compare(numberOf(one), numberOf(other));
/** A word in its place is lower than all. */
const numberOf = ({ version }: UpdateinfoAdvisory) =>
  version !== null && /^\d/.test(version) ? version : '';
const lastChange = ({ issued, updated }: UpdateinfoAdvisory) => updated ?? issued ?? 0;
