/** Publishes what changed in a list as a segment, and joins segments at powers of four. */
import { hash } from 'node:crypto';
import { noFamily, periodAt } from '@patch/contract/tree/family-keys.ts';
import { ListParts, linePart, PartChanges } from '@patch/contract/tree/list-digest.ts';
import { type RecordLine, readSegment, writeSegment } from '@patch/contract/tree/segment-file.ts';
import {
  chooseSegments,
  fileCost,
  indexPath,
  Segment,
  segmentPath,
  writeIndex,
} from '@patch/contract/tree/tree-index.ts';
import {
  isInTree,
  type ListState,
  livePaths,
  readListState,
  revisionOf,
  type StoredSegment,
  writeListState,
} from './list-state.ts';
import { mergeSegments, type SegmentLines } from './merge-segments.ts';
import type { TreeFolder } from './tree-folder.ts';
import type { FamilyKeys } from './tree-keys.ts';

export interface TreeContext {
  readonly folder: TreeFolder;
  readonly epoch: string;
  readonly keys: FamilyKeys;
  readonly clock: () => number;
}

/** A list as the database has it at one moment. */
export interface ListSource {
  readonly list: string;
  /** Null for a list of no family. */
  readonly family: string | null;
  readonly revision: number;
  /** Changes when records get another form. */
  readonly form: string;
  /** Reads all records, also withdrawn ones, that changed after a revision, in ascending order of ids. */
  read(since: number): AsyncIterable<readonly RecordLine[]>;
}

/** Runs `work` with a list as it is at one moment, or with null while it has no records yet. */
export type WithListSource = <Result>(
  work: (source: ListSource | null) => Promise<Result>,
) => Promise<Result>;

/** Segments join four at a time, and twelve of a level stay, so that a reader fetches at most a third more than it lacks. */
const power = 4;
const kept = 3 * power;
const highestLevel = 5;
/** A snapshot is renewed when what follows it has this part of its bytes. */
const renewAt = 1 / 4;
const retiredMs = 2 * 24 * 3_600_000;

/** Returns the list's state, which is stored, or null while the list has no records; the head is not written. */
export async function publishList(
  context: TreeContext,
  list: string,
  withSource: WithListSource,
): Promise<ListState | null> {
  const { folder, epoch, keys } = context;
  const stored = await readListState(folder, list);
  const known = stored?.epoch === epoch ? stored : null;
  // Nobody has the keys of another secret any more.
  const isReadable = known !== null && known.keys === keys.id && (await isInTree(folder, known));
  const before = isReadable ? known : null;
  const published = known === null ? 0 : revisionOf(known);
  const read = await withSource(async (source) => {
    if (source === null) return null;
    const isUnchanged = known?.scanned === source.revision && known.form === source.form;
    if (isUnchanged && before?.keys === keys.id) return before;
    return addChanges(context, source, before, isUnchanged ? published : published + 1);
  });
  if (read === null || read === before) return read;
  if (read.publications === before?.publications) {
    await writeListState(folder, read);
    return read;
  }
  const joined = await joinSegments(context, read);
  const renewed = await renewSnapshot(context, joined);
  const next = await retire(context, stored, dropOld(renewed));
  await writeListState(folder, next);
  return next;
}

/**
 * Writes the changes as a segment; without any, only notes that the list was read.
 * @param least - The lowest revision to publish: readers who have it already have these records.
 */
async function addChanges(
  context: TreeContext,
  source: ListSource,
  before: ListState | null,
  least: number,
): Promise<ListState> {
  const { epoch, keys } = context;
  const { list, family, revision, form } = source;
  const noted = { keys: keys.id, scanned: revision, form };
  const known = before?.parts ?? ListParts.empty;
  const changes = new PartChanges();
  const lines = changedLines(
    source.read(before?.form === form ? before.scanned : 0),
    known,
    changes,
  );
  const first = await lines.next();
  if (first.done === true && before !== null) return { ...before, ...noted };
  async function* all(): AsyncGenerator<readonly string[]> {
    if (first.done !== true) yield first.value;
    yield* lines;
  }
  const place = { epoch, list, family };
  const from = before === null ? 0 : revisionOf(before);
  // An upgrade gives records another form without a change of the list's revision.
  const to = Math.max(revision, least);
  const segment = await writeLines(context, place, { from, to }, all());
  const publications = before === null ? 0 : before.publications + 1;
  const level = before === null ? null : 0;
  return {
    ...place,
    ...noted,
    publications,
    segments: [...(before?.segments ?? []), { ...segment, level, last: publications }],
    index: before?.index ?? { sha256: '', bytes: 0 },
    retired: before?.retired ?? [],
    parts: known.change(changes),
  };
}

/** Yields the lines that differ from what is published, and notes their parts. */
async function* changedLines(
  batches: AsyncIterable<readonly RecordLine[]>,
  known: ListParts,
  changes: PartChanges,
): AsyncGenerator<readonly string[]> {
  for await (const batch of batches) {
    const changed: string[] = [];
    for (const { id, isListed, line } of batch) {
      const published = known.get(id);
      const part = isListed ? linePart(line) : null;
      if (part === null ? published === null : published !== null && part.equals(published))
        continue;
      changes.add(id, part);
      changed.push(line);
    }
    if (changed.length > 0) yield changed;
  }
}

type Place = Pick<ListState, 'epoch' | 'list' | 'family'>;

async function writeLines(
  { folder, keys, clock }: TreeContext,
  place: Place,
  span: Pick<Segment, 'from' | 'to'>,
  lines: SegmentLines,
): Promise<Segment> {
  const time = clock();
  const period = periodAt(time);
  const key = keys.keyAt(place.family ?? noFamily, period);
  const written = await folder.addPublished(
    (file) => writeSegment(lines, file, key),
    ({ sha256 }) => segmentPath(place, { ...span, sha256 }),
  );
  return { ...span, time, period, ...written };
}

function readLines({ folder, keys }: TreeContext, place: Place, segment: Segment): SegmentLines {
  const key = keys.keyAt(place.family ?? noFamily, segment.period);
  return readSegment(folder.streamPublished(segmentPath(place, segment)), key, segment);
}

/** Joins the last four of a level whenever there are so many more. */
async function joinSegments(context: TreeContext, state: ListState): Promise<ListState> {
  const { publications: last } = state;
  const segments = [...state.segments];
  for (let level = 1; level <= highestLevel && last % power ** level === 0; level += 1) {
    const parts = segments.filter((one) => one.level === level - 1).slice(-power);
    const [first] = parts;
    if (first === undefined || parts.length < power) break;
    const lines = mergeSegments(
      parts.map((part) => readLines(context, state, part)),
      false,
    );
    const span = { from: first.from, to: revisionOf(state) };
    segments.push({ ...(await writeLines(context, state, span, lines)), level, last });
  }
  return { ...state, segments };
}

async function renewSnapshot(context: TreeContext, state: ListState): Promise<ListState> {
  const { segments, publications: last, parts } = state;
  const snapshot = segments.find(({ level }) => level === null);
  if (snapshot === undefined) throw new Error(`${state.list} has no snapshot`);
  const to = revisionOf(state);
  const way = chooseSegments(segments, snapshot.to, to);
  if (way === null) throw new Error(`No segments of ${state.list} follow its snapshot`);
  const cost = way.reduce((sum, { bytes }) => sum + bytes + fileCost, 0);
  if (cost <= snapshot.bytes * renewAt) return state;
  const lines = mergeSegments(
    [snapshot, ...way].map((part) => readLines(context, state, part)),
    true,
  );
  const renewed = await writeLines(context, state, { from: 0, to }, lines);
  if (renewed.lines !== parts.rows)
    throw new Error(`The snapshot of ${state.list} has ${renewed.lines} records of ${parts.rows}`);
  const others = segments.filter((one) => one !== snapshot);
  return { ...state, segments: [{ ...renewed, level: null, last }, ...others] };
}

/** Keeps the last segments of each level, from the begin of what the next level joins. */
function dropOld(state: ListState): ListState {
  const { publications } = state;
  const isKept = ({ level, last }: StoredSegment) => {
    if (level === null) return true;
    const joined = power ** (level + 1);
    return last > Math.floor(publications / joined) * joined - kept * power ** level;
  };
  return { ...state, segments: state.segments.filter(isKept) };
}

/** Writes the index, and notes what the head will no longer lead to. */
async function retire(
  { folder, clock }: TreeContext,
  before: ListState | null,
  state: ListState,
): Promise<ListState> {
  const content = writeIndex(state.segments.map((segment) => Segment.parse(segment)));
  const index = { sha256: hash('sha256', content), bytes: content.length };
  const next = { ...state, index };
  await folder.writePublished(indexPath(next, revisionOf(next), index.sha256), content);
  const now = clock();
  const live = new Set(livePaths(next));
  const retired = (before === null ? [] : livePaths(before))
    .filter((path) => !live.has(path))
    .map((path) => ({ path, time: now }));
  return {
    ...next,
    retired: [...(before?.retired ?? []).filter(({ time }) => time > now - retiredMs), ...retired],
  };
}
