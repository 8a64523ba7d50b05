/** A dump read piece by piece: statements, rows of a table, what it says of itself at its beginning and its end. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import { z } from 'zod';
import { LineTooLong, textLines } from '@patch/catalogue/formats/text-lines.ts';
import { type CopyCell, cellsOfCopyLine, copyEnd } from './copy-lines.ts';
import { type DumpFacts, dumpEndMark, dumpFactsMark, dumpFormat, dumpHeading, dumpSumMark, sumText } from './database-dump.ts';

/** The file is no dump, or not a whole one; the message says so. */
export class BrokenDump extends Error {
  override readonly name = 'BrokenDump';
}

export type DumpPart =
  | { readonly is: 'facts'; readonly facts: DumpFacts }
  /** Up to the next rows. */
  | { readonly is: 'statements'; readonly text: string }
  | { readonly is: 'rows'; readonly table: string; readonly columns: readonly string[]; readonly rows: readonly (readonly CopyCell[])[] }
  /** Rows by table. */
  | { readonly is: 'end'; readonly written: Readonly<Record<string, number>> };

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

/** Packed or not. Throws a BrokenDump; the end comes last, or it is no whole dump. */
export async function* dumpParts(path: string): AsyncGenerator<DumpPart> {
  let statements = '';
  let copying: { table: string; columns: readonly string[]; rows: CopyCell[][]; size: number } | null = null;
  let line = 0;
  let facts: DumpFacts | null = null;
  let ended = false;
  let sum = 0;
  const rowsSoFar = () => {
    if (copying === null || copying.rows.length === 0) return null;
    const { table, columns, rows } = copying;
    copying = { table, columns, rows: [], size: 0 };
    return { is: 'rows' as const, table, columns, rows };
  };

  for await (const text of linesOf(path)) {
    line += 1;
    if (ended && text.startsWith(dumpSumMark) && text !== `${dumpSumMark}${sumText(sum)}`)
      throw new BrokenDump('The dump is damaged: something in it is not as it was written.');
    sum = crc32(`${text}\n`, sum);
    if (line === 1 && text !== dumpHeading) throw new BrokenDump('This is no dump of Patch Repository.');
    if (copying !== null) {
      if (text === copyEnd) {
        const rows = rowsSoFar();
        if (rows !== null) yield rows;
        copying = null;
        continue;
      }
      const cells = cellsOfCopyLine(text);
      if (cells.length !== copying.columns.length)
        throw new BrokenDump(`Line ${line} of the dump has ${cells.length} values instead of ${copying.columns.length}: it is damaged.`);
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
      yield { is: 'statements', text: statements };
      yield { is: 'end', written: writtenOf(text.slice(dumpEndMark.length)) };
    } else {
      const table = /^copy "([^"]+)" \((.*)\) from stdin;$/.exec(text);
      if (table === null) {
        // The transaction is the restorer's own, and so is what comes after it; a backslash is for psql.
        if (!/^(begin;|commit;|vacuum .*;|\\.*)$/.test(text)) statements += `${text}\n`;
        continue;
      }
      yield { is: 'statements', text: statements };
      statements = '';
      copying = {
        table: table[1] ?? '',
        columns: [...(table[2] ?? '').matchAll(/"([^"]+)"/g)].map(([, name]) => name ?? ''),
        rows: [],
        size: 0,
      };
    }
  }
  if (line === 0) throw new BrokenDump('The file is empty.');
  if (facts === null) throw new BrokenDump('The dump does not say what it is: it is damaged.');
  if (!ended) throw new BrokenDump('The dump ends too early: it is damaged, or was not copied whole.');
}

function writtenOf(json: string): Readonly<Record<string, number>> {
  const read = Written.safeParse(orNull(json));
  if (!read.success) throw new BrokenDump('The dump ends too early: it is damaged, or was not copied whole.');
  return read.data;
}

function factsOf(json: string): DumpFacts {
  const read = Facts.safeParse(orNull(json));
  if (!read.success) throw new BrokenDump('The dump does not say what it is: it is damaged.');
  if (read.data.format > dumpFormat)
    throw new BrokenDump(`The dump was made by a newer version (${read.data.product}). Restore it with that version.`);
  return read.data;
}

function orNull(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}

/** The longest row that the product writes is far shorter. */
const maxLineLength = 256 * 1024 ** 2;

const gzipMagic = Buffer.from([0x1f, 0x8b]);

async function* linesOf(path: string): AsyncGenerator<string> {
  // Before the stream is opened: nobody hears its error before it is read.
  const packed = await isGzip(path);
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const bytes = packed ? pipeline(file, createGunzip(), () => undefined) : file;
  bytes.setEncoding('utf8');
  try {
    for await (const lines of textLines(bytes as AsyncIterable<string>, maxLineLength)) yield* lines;
  } catch (error) {
    if (error instanceof LineTooLong) throw new BrokenDump(`The file is no dump, or a damaged one: ${error.message}.`, { cause: error });
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && code.startsWith('Z_'))
      throw new BrokenDump('The file is damaged: it cannot be unpacked to its end.', { cause: error });
    throw error;
  }
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.equals(gzipMagic);
  } finally {
    await file.close();
  }
}
