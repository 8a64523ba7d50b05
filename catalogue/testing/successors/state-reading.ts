/** What a feed makes of a published state that it sees for the first time: the measure of whether a generated state is well formed, and of what it changed. */
import { createHash } from 'node:crypto';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Document, Feed, Part } from '../../definition/feed.ts';
import type { ListedRecord } from '../../parsers/list-document.ts';
import { type Opening, type PublishedState, publicationOf } from './published-state.ts';

export interface PartReadings {
  readonly openings: readonly Opening[];
  /** What the part was made of: address and sum. */
  readonly madeOf: string;
  /** Whether the documents were all that the vendor publishes; null where the part is not published. */
  readonly whole: boolean | null;
  /** By list and natural key; the record as the feed yields it. */
  readonly entries: ReadonlyMap<string, ReadRecord>;
  /** How many of the vendor's records were kept out, by the reason; numbers in it are left out, as they may be places in the document. */
  readonly rejections: ReadonlyMap<string, number>;
  /** Why the part cannot be read; null when it can. */
  readonly failure: string | null;
}

export interface ReadRecord extends ListedRecord {
  readonly list: string;
  readonly hash: string;
}

/** By the key of the part. */
export type StateReading = ReadonlyMap<string, PartReadings>;

/** `before` is the reading of another state: parts that are made of the same documents are not read again. */
export async function readState(
  feed: Feed,
  state: PublishedState,
  now: number,
  before?: StateReading,
): Promise<StateReading> {
  const readings = new Map<string, PartReadings>();
  for (const part of feed.parts)
    readings.set(part.key, await readPart(part, state, now, readings, before?.get(part.key)));
  return readings;
}

async function readPart(
  part: Part,
  state: PublishedState,
  now: number,
  earlier: StateReading,
  before: PartReadings | undefined,
): Promise<PartReadings> {
  const { publication, openings } = publicationOf(state, now, ({ key }) =>
    [...earlier.values()].flatMap(({ entries }) =>
      [...entries.values()].filter(({ list }) => list === key),
    ),
  );
  const nothing = {
    openings,
    madeOf: '',
    entries: new Map<string, ReadRecord>(),
    rejections: new Map<string, number>(),
  };
  try {
    const contents = await part.contents(publication);
    const madeOf = madeOfText(contents.documents);
    if (before?.madeOf === madeOf && before.failure === null)
      return { ...before, openings, whole: contents.whole };
    const entries = new Map<string, ReadRecord>();
    const rejections = new Map<string, number>();
    const reject = (reason: string) => {
      const alike = reason.replaceAll(/\d+/g, '#');
      rejections.set(alike, (rejections.get(alike) ?? 0) + 1);
    };
    for await (const reading of part.read(contents)) {
      if (reading.kind === 'remark' || reading.kind === 'unfixed') continue;
      if (reading.kind === 'rejection') {
        reject(reading.reason);
        continue;
      }
      const { list, key, row, detail } = reading;
      const name = `${list.key} ${key}`;
      const record: ReadRecord = structuredClone({
        list: list.key,
        key,
        row,
        detail,
        hash: hashOf([row, detail]),
      });
      if (!entries.has(name)) entries.set(name, record);
      else if (entries.get(name)?.hash !== record.hash) reject('It is listed twice');
    }
    return { openings, madeOf, whole: contents.whole, entries, rejections, failure: null };
  } catch (error) {
    if (error instanceof NotPublished) return { ...nothing, whole: null, failure: null };
    return {
      ...nothing,
      whole: null,
      failure: error instanceof Error ? error.message : String(error),
    };
  }
}

function madeOfText(documents: readonly Document[]): string {
  return documents
    .map(({ url, sha256 }) => `${url} ${sha256}`)
    .toSorted()
    .join('\n');
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, inOrder)).digest('base64url');
}

/** What is absent and what is null say the same. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(
    ([, inner]) => inner !== null && inner !== undefined,
  );
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** All records of a state, by list and natural key. */
export function recordsOf(reading: StateReading): Map<string, ReadRecord> {
  return new Map([...reading.values()].flatMap(({ entries }) => [...entries]));
}

export interface StateDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export function differenceOf(before: StateReading, after: StateReading): StateDifference {
  const [was, is] = [recordsOf(before), recordsOf(after)];
  return {
    added: [...is.keys()].filter((name) => !was.has(name)),
    removed: [...was.keys()].filter((name) => !is.has(name)),
    changed: [...is].flatMap(([name, { hash }]) =>
      was.has(name) && was.get(name)?.hash !== hash ? [name] : [],
    ),
  };
}

/** Records that two parts of a feed list: which of the two counts would depend on which was read last. */
export function recordsOfTwoParts(reading: StateReading): string[] {
  const met = new Set<string>();
  return [...reading.values()].flatMap(({ entries }) =>
    [...entries.keys()].filter((name) => met.size === met.add(name).size),
  );
}

/** What is worse in a state than in the one before it: a vendor that publishes well would not publish it. */
export function faultsOf(before: StateReading, after: StateReading): string[] {
  return [...after].flatMap(([key, { failure, whole, rejections, openings }]) => {
    const was = before.get(key);
    const found = new Set(was?.openings.flatMap(({ url, path }) => (path === null ? [] : [url])));
    const gone = openings.filter(({ url, path }) => path === null && found.has(url));
    if (gone.length > 0) return gone.map(({ url }) => `${key}: ${url} is gone`);
    const refused = new Set(was?.openings.flatMap(({ url, broken }) => (broken ? [url] : [])));
    const broken = openings.filter((opening) => opening.broken && !refused.has(opening.url));
    if (broken.length > 0) return broken.map(({ url }) => `${key}: ${url} is broken`);
    if (failure !== null && was?.failure === null) return [`${key}: ${failure}`];
    if (whole === null && was?.whole !== null) return [`${key}: it is not published`];
    if (whole === false && was?.whole === true) return [`${key}: it is not whole`];
    return [...rejections]
      .filter(([reason, count]) => count > (was?.rejections.get(reason) ?? 0))
      .map(([reason]) => `${key}: ${reason}`);
  });
}
