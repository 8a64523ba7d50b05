/** The state of a published list: the segments, and the part of each published record in the digest. */
import { createHash, hash } from 'node:crypto';
import { ListParts } from '@patch/contract/tree/list-digest.ts';
import type { HeadList } from '@patch/contract/tree/tree-head.ts';
import { indexPath, Segment, segmentPath } from '@patch/contract/tree/tree-index.ts';
import { z } from 'zod';
import type { TreeFolder } from './tree-folder.ts';

const count = z.number().int().min(0);

const StoredSegment = Segment.extend({
  /** It has 4^level publications; null: a snapshot. */
  level: count.nullable(),
  /** The number of its last publication. */
  last: count,
});
export type StoredSegment = z.infer<typeof StoredSegment>;

const StoredState = z.object({
  epoch: z.string(),
  list: z.string(),
  family: z.string().nullable(),
  /** The id of the keys that seal the segments. Earlier versions did not note it: their lists are sealed once more. */
  keys: z.string().optional(),
  /** Changes when records get another form, such as a new field. */
  form: z.string(),
  /** The list's revision when it was read last; changes of records that look the same publish nothing. */
  scanned: count,
  /** Published segments after the first snapshot. */
  publications: count,
  segments: z.array(StoredSegment),
  index: z.object({ sha256: z.string(), bytes: count }),
  /** Paths that the head no longer leads to, and since when. */
  retired: z.array(z.object({ path: z.string(), time: count })),
  digest: z.string(),
  partsHash: z.string(),
});

export interface ListState extends Omit<z.infer<typeof StoredState>, 'digest' | 'partsHash'> {
  readonly parts: ListParts;
}

const stateName = (list: string) => `${list}.state`;

/** Returns null when nothing was published, or the state is damaged: the list is then published from its beginning. */
export async function readListState(folder: TreeFolder, list: string): Promise<ListState | null> {
  const bytes = await folder.readOwn(stateName(list));
  const end = bytes?.indexOf(10) ?? -1;
  if (bytes === null || end < 0) return null;
  const parsed = StoredState.safeParse(jsonOrNull(bytes.subarray(0, end).toString()));
  const rest = bytes.subarray(end + 1);
  if (!parsed.success || hash('sha256', rest) !== parsed.data.partsHash) return null;
  const { digest, partsHash: _, ...state } = parsed.data;
  const parts = ListParts.read(rest, digest);
  return parts === null ? null : { ...state, parts };
}

export async function writeListState(folder: TreeFolder, state: ListState): Promise<void> {
  const { parts, ...described } = state;
  const pieces = parts.write();
  const hashed = createHash('sha256');
  for (const piece of pieces) hashed.update(piece);
  const partsHash = hashed.digest('hex');
  const header = JSON.stringify({ ...described, digest: parts.digest, partsHash });
  await folder.writeOwn(stateName(state.list), [Buffer.from(`${header}\n`), ...pieces]);
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the published revision. */
export const revisionOf = ({ segments }: Pick<ListState, 'segments'>): number =>
  Math.max(0, ...segments.map(({ to }) => to));

/** Returns the line of a published list in the head. */
export function headLine(state: ListState): HeadList {
  const { list, family, segments, parts, index } = state;
  const revision = revisionOf(state);
  const last = segments.filter(({ to }) => to === revision);
  const newest = last.find(({ level }) => level === 0) ?? last[0];
  if (newest === undefined) throw new Error(`${list} was published without a segment`);
  return {
    list,
    family,
    revision,
    rows: parts.rows,
    digest: parts.digest,
    newest: Segment.parse(newest),
    index,
  };
}

/** Returns the paths that readers of the state's head may ask for. */
export const livePaths = (state: ListState): readonly string[] =>
  liveFiles(state).map(({ path }) => path);

const liveFiles = (state: ListState) => [
  { path: indexPath(state, revisionOf(state), state.index.sha256), bytes: state.index.bytes },
  ...state.segments.map((segment) => ({ path: segmentPath(state, segment), bytes: segment.bytes })),
];

/** Returns whether the tree has all files of the state: not where it was moved, or where somebody removed some. */
export async function isInTree(folder: TreeFolder, state: ListState): Promise<boolean> {
  for (const { path, bytes } of liveFiles(state))
    if (!(await folder.has(path, bytes))) return false;
  return true;
}
