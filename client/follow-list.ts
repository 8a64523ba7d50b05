/** Brings the copy of a list to the revision that the head of a published tree announces. */
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { linePart, PartChanges } from '@patch/contract/tree/list-digest.ts';
import { readRecordLine, readSegment, splitBatches } from '@patch/contract/tree/segment-file.ts';
import type { HeadList } from '@patch/contract/tree/tree-head.ts';
import {
  chooseSegments,
  indexPath,
  readIndex,
  type Segment,
  segmentPath,
} from '@patch/contract/tree/tree-index.ts';
import { TreeRefusal } from '@patch/contract/tree/tree-refusal.ts';
import type { CommandRun } from './command-line.ts';
import { ListCopy } from './copied-list.ts';
import type { FetchedAmounts } from './format-result.ts';
import { collect, readAnnouncedFile, type TreeSource } from './tree-source.ts';
import { type TreeState, treeFormat } from './tree-state.ts';

export interface FollowList {
  readonly run: Pick<CommandRun<unknown>, 'signal' | 'complain'>;
  readonly source: TreeSource;
  readonly folder: string;
  readonly epoch: string;
  readonly published: HeadList;
  readonly fresh: boolean;
  /** Returns the key that seals a segment. Throws TreeRefusal `no_key`. */
  readonly findKey: (family: string | null, period: number) => Promise<Uint8Array>;
}

export async function followList(follow: FollowList): Promise<FetchedAmounts> {
  const { folder, published, epoch, fresh, run } = follow;
  const { list } = published;
  const copy = await ListCopy.open(folder, list, treeFormat);
  const { revision } = copy.state;
  if (revision > 0 && (fresh || copy.state.epoch !== epoch)) await copy.beginAgain();
  if (!(await compact(copy))) run.complain(`${list}: the copy is damaged. It is fetched again.`);
  const hadRecords = copy.state.revision > 0;
  try {
    return await new ListFollower(follow, copy).follow();
  } catch (error) {
    const isWrong = error instanceof TreeRefusal && error.fault === 'wrong_digest';
    // A snapshot that was verified just now would be the same again.
    if (!isWrong || !hadRecords) throw error;
    run.complain(`${list}: the copy differs from the published list. It is fetched again.`);
    await copy.beginAgain();
    return await new ListFollower(follow, copy).follow();
  } finally {
    await rm(segmentFile(folder, list), { force: true });
  }
}

const segmentFile = (folder: string, list: string) => join(folder, `${list}.segment`);

class ListFollower {
  readonly #follow: FollowList;
  readonly #copy: ListCopy<TreeState>;
  #records = 0;
  #withdrawn = 0;

  constructor(follow: FollowList, copy: ListCopy<TreeState>) {
    this.#follow = follow;
    this.#copy = copy;
  }

  async follow(): Promise<FetchedAmounts> {
    const { run, epoch } = this.#follow;
    const segments = await this.#chooseSegments();
    for (const segment of segments) {
      run.signal.throwIfAborted();
      await this.#apply(segment);
    }
    if (segments.length === 0) {
      const { state } = this.#copy;
      this.#check(state);
      if (!state.whole) await this.#copy.append([], () => ({ ...state, epoch, whole: true }));
    }
    return { records: this.#records, withdrawn: this.#withdrawn, pieces: segments.length };
  }

  async #chooseSegments(): Promise<readonly Segment[]> {
    const { source, epoch, published } = this.#follow;
    const { list, revision, newest, index } = published;
    const { revision: position } = this.#copy.state;
    if (position === revision) return [];
    const isNext = newest.from === 0 ? position === 0 : newest.from <= position;
    if (isNext && position < newest.to && newest.to === revision) return [newest];
    const path = indexPath({ epoch, list }, revision, index.sha256);
    const bytes = await readAnnouncedFile(source, path, index, collect);
    const segments = readIndex(bytes);
    const chosen =
      chooseSegments(segments, position, revision) ?? chooseSegments(segments, 0, revision);
    if (chosen === null)
      throw new TreeRefusal('malformed', `No segments lead to revision ${revision} of ${list}.`);
    return chosen;
  }

  async #apply(segment: Segment): Promise<void> {
    const { source, folder, epoch, published, findKey } = this.#follow;
    const { list, family, revision } = published;
    const key = await findKey(family, segment.period);
    const file = segmentFile(folder, list);
    await readAnnouncedFile(
      source,
      segmentPath({ epoch, list }, segment),
      segment,
      async (pieces) => pipeline(pieces, createWriteStream(file)),
    );
    if (segment.from === 0 && this.#copy.state.revision > 0) await this.#copy.beginAgain();
    const { state } = this.#copy;
    const counted = { records: 0, withdrawn: 0 };
    const changes = new PartChanges();
    const lines = readSegment(createReadStream(file), key, segment);
    await this.#copy.append(chooseLines(lines, state, changes, counted), () => {
      const next: Omit<TreeState, 'bytes'> = {
        epoch,
        revision: segment.to,
        whole: state.whole || segment.to === revision,
        lines: state.lines + counted.records + counted.withdrawn,
        parts: state.parts.change(changes),
      };
      if (segment.to === revision) this.#check(next);
      return next;
    });
    this.#records += counted.records;
    this.#withdrawn += counted.withdrawn;
  }

  #check({ parts }: Pick<TreeState, 'parts'>): void {
    const { list, rows, digest } = this.#follow.published;
    if (parts.rows !== rows || parts.digest !== digest)
      throw new TreeRefusal('wrong_digest', `The copy of ${list} differs from the published list.`);
  }
}

/** Yields the lines that change the copy, and notes what they change. Segments overlap, so that others are known already. */
async function* chooseLines(
  batches: AsyncIterable<readonly string[]>,
  { parts }: TreeState,
  changes: PartChanges,
  counted: { records: number; withdrawn: number },
): AsyncGenerator<readonly string[]> {
  let last = -1;
  for await (const batch of batches) {
    const chosen: string[] = [];
    for (const line of batch) {
      const { id, isListed } = readRecordLine(line);
      if (id <= last)
        throw new TreeRefusal('malformed', 'The records of a segment are not in order.');
      last = id;
      const known = parts.get(id);
      const part = isListed ? linePart(line) : null;
      if (known === null ? part === null : part?.equals(known) === true) continue;
      changes.add(id, part);
      chosen.push(line);
      counted[isListed ? 'records' : 'withdrawn'] += 1;
    }
    yield chosen;
  }
}

const leastLines = 1_000;

/**
 * Rewrites a copy most of whose lines no longer count. Returns false when it does not have the records of its state: then it is
 * to be fetched again.
 */
async function compact(copy: ListCopy<TreeState>): Promise<boolean> {
  const { path, state } = copy;
  const { parts, lines, whole } = state;
  if (!whole || lines <= leastLines || lines <= 2 * parts.rows) return true;
  await copy.beginAgain();
  let kept = 0;
  async function* keptLines(): AsyncGenerator<readonly string[]> {
    for await (const batch of splitBatches(createReadStream(path))) {
      const counting = batch.filter((line) => {
        const part = parts.get(Number(/^\{"id":(\d{1,15}),/.exec(line)?.[1] ?? -1));
        return part !== null && linePart(line).equals(part);
      });
      kept += counting.length;
      yield counting;
    }
  }
  try {
    await copy.append(keptLines(), () => {
      if (kept < parts.rows) throw new TreeRefusal('malformed', 'The copy lacks records.');
      return { ...state, lines: kept };
    });
    return true;
  } catch (error) {
    if (error instanceof TreeRefusal) return false;
    throw error;
  }
}
