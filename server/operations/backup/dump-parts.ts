/**
 * Reads a dump in parts: its facts, the rows of each table, the sequences and the end. The SQL statements are for psql and are
 * skipped.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import {
  type DumpFacts,
  dumpEndMark,
  dumpFactsMark,
  dumpFormat,
  dumpHeading,
  dumpSignatureMark,
  dumpSumMark,
  sumText,
} from './database-dump.ts';
import { BrokenDump, type CopyCell, copyEnd, parseCopyLine, readDumpLines } from './dump-lines.ts';
import type { IdentityColumn } from './dumped-tables-store.ts';

export type DumpPart =
  | { readonly kind: 'facts'; readonly facts: DumpFacts }
  /** The last value of the column's sequence; `called` is false when that value is still unused. */
  | ({ readonly kind: 'sequence' } & IdentityColumn)
  | {
      readonly kind: 'rows';
      readonly table: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly CopyCell[])[];
    }
  /** The number of rows by table. */
  | { readonly kind: 'end'; readonly written: Readonly<Record<string, number>> }
  /** SHA-512 of all lines before the signature, in hexadecimal. */
  | { readonly kind: 'digest'; readonly digest: string };

/** Dumps of another format may have only these facts. */
const Head = z.object({ format: z.number(), product: z.string() });
const Facts = Head.extend({
  schema: z.string(),
  takenAt: z.number(),
  rows: z.number(),
}) satisfies z.ZodType<DumpFacts>;
const Written = z.record(z.string(), z.number());

const batchRows = 1000;
const batchCharacters = 1_000_000;

const sequenceLine =
  /^select setval\(pg_get_serial_sequence\('"([^"']+)"', '([^']+)'\), (\d{1,18}), (true|false)\);$/;

/**
 * Yields the end and the digest last.
 * @throws BrokenDump when the file is incomplete or damaged.
 */
export async function* readDumpParts(path: string): AsyncGenerator<DumpPart> {
  const sums = new DumpSums();
  let copying: CopiedRows | null = null;
  let facts: DumpFacts | null = null;
  let ended = false;

  for await (const text of readDumpLines(path)) {
    if (!sums.addLine(text, ended)) continue;
    if (copying !== null) {
      if (text !== copyEnd) copying.add(text, sums.lines);
      if (text === copyEnd || copying.isFull()) yield* copying.take();
      if (text === copyEnd) copying = null;
    } else if (facts === null && text.startsWith(dumpFactsMark)) {
      facts = parseFacts(text.slice(dumpFactsMark.length));
      yield { kind: 'facts', facts };
    } else if (text.startsWith(dumpEndMark)) {
      ended = true;
      yield { kind: 'end', written: parseWritten(text.slice(dumpEndMark.length)) };
    } else {
      yield* parseSequence(text);
      copying = parseCopyStart(text);
    }
  }
  if (sums.lines === 0) throw new BrokenDump('The file is empty.');
  if (facts === null) throw new BrokenDump('The dump has no header: it is damaged.');
  if (!ended || !sums.areChecked)
    throw new BrokenDump('The dump ends too early: it is damaged, or was not copied completely.');
  yield { kind: 'digest', digest: sums.digest() };
}

/** Checks the lines of a dump against its heading, its checksum and its end. */
class DumpSums {
  lines = 0;
  areChecked = false;
  readonly #hash = createHash('sha512');
  #sum = 0;
  #signed = false;

  /**
   * Returns false for the signature, which is not part of the signed text.
   * @throws BrokenDump
   */
  addLine(text: string, ended: boolean): boolean {
    this.lines += 1;
    const isSum = ended && text.startsWith(dumpSumMark);
    const isSignature = ended && text.startsWith(dumpSignatureMark);
    if (this.#signed || (ended && !isSum && !isSignature))
      throw new BrokenDump('Something follows the end of the dump: it is damaged.');
    if (isSignature) {
      this.#signed = true;
      return false;
    }
    this.#hash.update(`${text}\n`);
    if (isSum && text !== `${dumpSumMark}${sumText(this.#sum)}`)
      throw new BrokenDump('The dump is damaged: its content does not match its checksum.');
    this.areChecked ||= isSum;
    this.#sum = crc32(`${text}\n`, this.#sum);
    if (this.lines === 1 && text !== dumpHeading)
      throw new BrokenDump('This is not a dump of Patch Repository.');
    return true;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** Collects rows of one table until they are yielded as one part. */
class CopiedRows {
  readonly #table: string;
  readonly #columns: readonly string[];
  #rows: CopyCell[][] = [];
  #size = 0;

  constructor(table: string, columns: readonly string[]) {
    this.#table = table;
    this.#columns = columns;
  }

  /** @param line The line number from 1, for the message. */
  add(text: string, line: number): void {
    const cells = parseCopyLine(text);
    if (cells.length !== this.#columns.length)
      throw new BrokenDump(
        `Line ${line} of the dump has ${cells.length} values instead of ${this.#columns.length}: it is damaged.`,
      );
    this.#rows.push(cells);
    this.#size += text.length;
  }

  isFull(): boolean {
    return this.#rows.length >= batchRows || this.#size >= batchCharacters;
  }

  /** Yields nothing when there are no rows. */
  *take(): Generator<DumpPart> {
    if (this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    this.#size = 0;
    yield { kind: 'rows', table: this.#table, columns: this.#columns, rows };
  }
}

function* parseSequence(text: string): Generator<DumpPart> {
  const found = sequenceLine.exec(text);
  if (found === null) return;
  const [, table = '', column = '', last, called] = found;
  yield { kind: 'sequence', table, column, last: Number(last), called: called === 'true' };
}

function parseCopyStart(text: string): CopiedRows | null {
  const found = /^copy "([^"]+)" \((.*)\) from stdin;$/.exec(text);
  if (found === null) return null;
  const [, table = '', columns = ''] = found;
  return new CopiedRows(
    table,
    [...columns.matchAll(/"([^"]+)"/g)].map(([, name]) => name ?? ''),
  );
}

function parseWritten(json: string): Readonly<Record<string, number>> {
  const read = Written.safeParse(parseJsonOrNull(json));
  if (!read.success)
    throw new BrokenDump('The dump ends too early: it is damaged, or was not copied completely.');
  return read.data;
}

function parseFacts(json: string): DumpFacts {
  const head = Head.safeParse(parseJsonOrNull(json)).data;
  if (head !== undefined && head.format !== dumpFormat)
    throw new BrokenDump(
      `The dump has format ${head.format}, of version ${head.product} of the service; this version reads format ${dumpFormat}. Restore it with the version that made it.`,
    );
  const facts = Facts.safeParse(parseJsonOrNull(json)).data;
  if (facts === undefined) throw new BrokenDump('The dump has no header: it is damaged.');
  return facts;
}

function parseJsonOrNull(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}
