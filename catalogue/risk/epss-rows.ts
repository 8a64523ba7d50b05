/** Parser of EPSS's daily file: comment lines, a line of column names, one row per CVE. It reads line by line to bound memory. */
import {
  createRejection,
  type Document,
  type Rejection,
  type RiskItem,
} from '../definition/feed.ts';
import { BrokenDocument, convertFaults } from '../parsers/create-document.ts';
import { LineTooLong, textLines } from '../parsers/text-lines.ts';
import { findUnreadableDate, vendorDate } from '../values/vendor-dates.ts';
import { toCveId } from '../values/vendor-words.ts';
import { CveSet } from './cve-set.ts';

export interface EpssHeader {
  /** `v2026.06.15`; null when no comment states it. */
  readonly model: string | null;
  /** Epoch milliseconds; null when no comment states it. */
  readonly scoreDate: number | null;
  /** A score date of a comment that cannot be read, as written. */
  readonly unreadableDate: string | null;
  readonly columns: EpssColumns;
}

interface EpssColumns {
  readonly cve: number;
  readonly epss: number;
  /** -1 without such a column. */
  readonly percentile: number;
}

/** Actual lines are much shorter; a document without line ends must not fill the memory. */
const maxLineLength = 10_000;
const maxHeaderLines = 100;

/**
 * Reads only the beginning of the document.
 * @throws BrokenDocument without columns `cve` and `epss`
 */
export async function readEpssHeader(document: Document): Promise<EpssHeader> {
  const header = new HeaderLines(document.url);
  for await (const lines of readLines(document))
    for (const line of lines) {
      const read = header.readLine(line);
      if (read !== null) return read;
    }
  throw header.createMissingColumnsError();
}

/**
 * Reads each CVE once: the first row counts. An unusable row is a rejection that states its line.
 * @throws BrokenDocument without a usable row
 */
export async function* readEpssItems(document: Document): AsyncGenerator<RiskItem | Rejection> {
  const { url } = document;
  const header = new HeaderLines(url);
  const seen = new CveSet();
  let columns: EpssColumns | null = null;
  let line = 0;
  let used = 0;
  for await (const lines of readLines(document))
    for (const text of lines) {
      line += 1;
      if (columns === null) {
        columns = header.readLine(text)?.columns ?? null;
        continue;
      }
      const item = parseRow(text, columns, { line, url, seen });
      if (item === null) continue;
      if (item.kind === 'risk') used += 1;
      yield item;
    }
  if (columns === null) throw header.createMissingColumnsError();
  if (used === 0) throw new BrokenDocument(url, 'it contains no score');
}

const readLines = (document: Document) =>
  convertFaults(document.url, LineTooLong, textLines(document.chunks(), maxLineLength));

class HeaderLines {
  readonly #url: string;
  #model: string | null = null;
  #scoreDate: number | null = null;
  #unreadableDate: string | null = null;
  #lines = 0;
  #first: string | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns the header after its last line, null before. */
  readLine(line: string): EpssHeader | null {
    this.#lines += 1;
    const text = line.trim();
    if (text === '') return null;
    this.#first ??= text;
    if (text.startsWith('#')) {
      this.#readComment(text);
      if (this.#lines > maxHeaderLines) throw this.createMissingColumnsError();
      return null;
    }
    const names = splitCells(text).map((name) => name.toLowerCase());
    const column = (name: string) => names.indexOf(name);
    const columns = { cve: column('cve'), epss: column('epss'), percentile: column('percentile') };
    if (columns.cve === -1 || columns.epss === -1) throw this.createMissingColumnsError();
    return {
      model: this.#model,
      scoreDate: this.#scoreDate,
      unreadableDate: this.#unreadableDate,
      columns,
    };
  }

  createMissingColumnsError(): BrokenDocument {
    const begins =
      this.#first === null
        ? 'it is empty'
        : `it begins with ${JSON.stringify(this.#first.slice(0, 60))}`;
    return new BrokenDocument(this.#url, `it has no columns "cve" and "epss": ${begins}`);
  }

  /** Parses `#model_version:v2026.06.15,score_date:2026-07-23T12:00:26Z`, on one line or several. */
  #readComment(text: string): void {
    for (const pair of text.slice(1).split(',')) {
      const [name = '', ...rest] = pair.split(':');
      const value = rest.join(':').trim();
      if (name.trim() === 'model_version' && value !== '') this.#model = value;
      if (name.trim() !== 'score_date') continue;
      this.#scoreDate = vendorDate(value) ?? this.#scoreDate;
      this.#unreadableDate = findUnreadableDate(value) ?? this.#unreadableDate;
    }
  }
}

interface RowContext {
  readonly line: number;
  readonly url: string;
  readonly seen: CveSet;
}

/** Returns null for an empty line. */
function parseRow(
  text: string,
  columns: EpssColumns,
  { line, url, seen }: RowContext,
): RiskItem | Rejection | null {
  if (text === '' || text.trim() === '') return null;
  const row = splitCells(text);
  const id = row[columns.cve] ?? '';
  const cve = toCveId(id);
  const reject = (reason: string): Rejection =>
    createRejection(`line ${line}`, reason, url, cve === null ? [] : [cve]);
  if (cve === null) return reject(`${JSON.stringify(id.slice(0, 60))} is not a CVE id`);
  const epss = parseShare(row[columns.epss]);
  if (epss === null) return reject(describeInvalidShare(cve, 'score', row[columns.epss]));
  const written = columns.percentile === -1 ? undefined : row[columns.percentile];
  const percentile = parseShare(written);
  if (percentile === null && written)
    return reject(describeInvalidShare(cve, 'percentile', written));
  if (!seen.add(cve)) return reject(`${cve} occurs twice; the first row was read`);
  return { kind: 'risk', facts: { kind: 'epss', cve, epss, percentile } };
}

function describeInvalidShare(cve: string, what: string, written = ''): string {
  return `the ${what} of ${cve}, ${JSON.stringify(written.slice(0, 60))}, is not a number from 0 to 1`;
}

const decimal = /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function parseShare(written: string | undefined): number | null {
  if (written === undefined || !decimal.test(written)) return null;
  const number = Number(written);
  return number <= 1 ? number : null;
}

/** Returns the values of a line without surrounding spaces and quotes. Values of this file contain no comma and no line end. */
function splitCells(text: string): string[] {
  const values = text.split(',');
  for (const [index, value] of values.entries()) {
    const trimmed = value.trim();
    values[index] =
      trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"')
        ? trimmed.slice(1, -1).trim()
        : trimmed;
  }
  return values;
}
