/** Joins segments that follow each other, by their files alone: the newest line of each record counts. */
import { type RecordLine, readRecordLine } from '@patch/contract/tree/segment-file.ts';

/** Lines of a segment in ascending order of ids. */
export type SegmentLines = AsyncIterable<readonly string[]>;

/** One segment while it is read. */
class SegmentReader {
  readonly #batches: AsyncIterator<readonly string[]>;
  #batch: readonly string[] = [];
  #at = 0;
  /** Null at the end. */
  current: RecordLine | null = null;

  constructor(lines: SegmentLines) {
    this.#batches = lines[Symbol.asyncIterator]();
  }

  /** Returns false if the next batch must be awaited first. */
  advance(): boolean {
    const line = this.#batch[this.#at];
    if (line === undefined) return false;
    this.#at += 1;
    this.current = readRecordLine(line);
    return true;
  }

  async advanceOrEnd(): Promise<void> {
    while (!this.advance()) {
      const next = await this.#batches.next();
      if (next.done === true) {
        this.current = null;
        return;
      }
      this.#batch = next.value;
      this.#at = 0;
    }
  }

  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}

const batchLines = 500;

/**
 * Yields the lines in ascending order of ids.
 * @param segments - The oldest first.
 * @param listedOnly - Leaves out withdrawn records, as a snapshot does.
 */
export async function* mergeSegments(
  segments: readonly SegmentLines[],
  listedOnly: boolean,
): AsyncGenerator<readonly string[]> {
  const readers = segments.map((lines) => new SegmentReader(lines));
  try {
    for (const reader of readers) await reader.advanceOrEnd();
    let batch: string[] = [];
    for (;;) {
      const lowest = lowestOf(readers);
      if (lowest === null) break;
      let newest: RecordLine | null = null;
      for (const reader of readers) {
        if (reader.current?.id !== lowest) continue;
        newest = reader.current;
        if (!reader.advance()) await reader.advanceOrEnd();
      }
      if (newest !== null && (newest.isListed || !listedOnly)) batch.push(newest.line);
      if (batch.length < batchLines) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } finally {
    for (const reader of readers) await reader.close();
  }
}

function lowestOf(readers: readonly SegmentReader[]): number | null {
  let lowest: number | null = null;
  for (const { current } of readers)
    if (current !== null && (lowest === null || current.id < lowest)) lowest = current.id;
  return lowest;
}
