/**
 * A dump read piece by piece: rows of a table, where its sequences stand, what it says of itself at its beginning and its end. Its
 * statements are for psql: they are passed over.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { type CopyCell, cellsOfCopyLine, copyEnd } from './copy-lines.ts';
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
import { BrokenDump, linesOfDump } from './dump-lines.ts';

export type DumpPart =
  | { readonly is: 'facts'; readonly facts: DumpFacts }
  /** The last number that the column's sequence gave; `called` is false where it is still to be given. */
  | {
      readonly is: 'sequence';
      readonly table: string;
      readonly column: string;
      readonly last: number;
      readonly called: boolean;
    }
  | {
      readonly is: 'rows';
      readonly table: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly CopyCell[])[];
    }
  /** Rows by table. */
  | { readonly is: 'end'; readonly written: Readonly<Record<string, number>> }
  /** SHA-512 of all lines before the signature, in hexadecimal. */
  | { readonly is: 'digest'; readonly digest: string };

const Facts = z.object({
  format: z.number(),
  product: z.string(),
  takenAt: z.number(),
  migrations: z.array(z.string()),
  rows: z.number(),
}) satisfies z.ZodType<DumpFacts>;
const Written = z.record(z.string(), z.number());

const rowsAPart = 1000;
const charactersAPart = 1_000_000;

const sequenceLine =
  /^select setval\(pg_get_serial_sequence\('"([^"']+)"', '([^']+)'\), (\d{1,18}), (true|false)\);$/;

/** Throws a BrokenDump; the end and the digest come last, or it is no whole dump. */
export async function* dumpParts(path: string): AsyncGenerator<DumpPart> {
  let copying: {
    table: string;
    columns: readonly string[];
    rows: CopyCell[][];
    size: number;
  } | null = null;
  let line = 0;
  let facts: DumpFacts | null = null;
  let ended = false;
  let sum = 0;
  let signed = false;
  const hash = createHash('sha512');
  const rowsSoFar = () => {
    if (copying === null || copying.rows.length === 0) return null;
    const { table, columns, rows } = copying;
    copying = { table, columns, rows: [], size: 0 };
    return { is: 'rows' as const, table, columns, rows };
  };

  for await (const text of linesOfDump(path)) {
    line += 1;
    if (signed || (ended && !text.startsWith(dumpSumMark) && !text.startsWith(dumpSignatureMark)))
      throw new BrokenDump('Something follows the end of the dump: it is damaged.');
    if (ended && text.startsWith(dumpSignatureMark)) {
      signed = true;
      continue;
    }
    hash.update(`${text}\n`);
    if (ended && text.startsWith(dumpSumMark) && text !== `${dumpSumMark}${sumText(sum)}`)
      throw new BrokenDump('The dump is damaged: its content does not match its checksum.');
    sum = crc32(`${text}\n`, sum);
    if (line === 1 && text !== dumpHeading)
      throw new BrokenDump('This is not a dump of Patch Repository.');
    if (copying !== null) {
      if (text === copyEnd) {
        const rows = rowsSoFar();
        if (rows !== null) yield rows;
        copying = null;
        continue;
      }
      const cells = cellsOfCopyLine(text);
      if (cells.length !== copying.columns.length)
        throw new BrokenDump(
          `Line ${line} of the dump has ${cells.length} values instead of ${copying.columns.length}: it is damaged.`,
        );
      copying.rows.push(cells);
      copying.size += text.length;
      if (copying.rows.length < rowsAPart && copying.size < charactersAPart) continue;
      const rows = rowsSoFar();
      if (rows !== null) yield rows;
    } else if (facts === null && text.startsWith(dumpFactsMark)) {
      facts = factsOf(text.slice(dumpFactsMark.length));
      yield { is: 'facts', facts };
    } else if (text.startsWith(dumpEndMark)) {
      ended = true;
      yield { is: 'end', written: writtenOf(text.slice(dumpEndMark.length)) };
    } else {
      const sequence = sequenceLine.exec(text);
      if (sequence !== null) {
        const [, table = '', column = '', last, called] = sequence;
        yield { is: 'sequence', table, column, last: Number(last), called: called === 'true' };
      }
      const table = /^copy "([^"]+)" \((.*)\) from stdin;$/.exec(text);
      if (table === null) continue;
      copying = {
        table: table[1] ?? '',
        columns: [...(table[2] ?? '').matchAll(/"([^"]+)"/g)].map(([, name]) => name ?? ''),
        rows: [],
        size: 0,
      };
    }
  }
  if (line === 0) throw new BrokenDump('The file is empty.');
  if (facts === null) throw new BrokenDump('The dump has no header: it is damaged.');
  if (!ended)
    throw new BrokenDump('The dump ends too early: it is damaged, or was not copied completely.');
  yield { is: 'digest', digest: hash.digest('hex') };
}

function writtenOf(json: string): Readonly<Record<string, number>> {
  const read = Written.safeParse(orNull(json));
  if (!read.success)
    throw new BrokenDump('The dump ends too early: it is damaged, or was not copied completely.');
  return read.data;
}

function factsOf(json: string): DumpFacts {
  const read = Facts.safeParse(orNull(json));
  if (!read.success) throw new BrokenDump('The dump has no header: it is damaged.');
  if (read.data.format > dumpFormat)
    throw new BrokenDump(
      `The dump was made by a newer version (${read.data.product}). Restore it with that version.`,
    );
  return read.data;
}

function orNull(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}
