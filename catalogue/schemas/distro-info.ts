/** distro-info-data: tables in which Debian publishes its own releases and Ubuntu's, with their release and end-of-life days. */

import type { Document } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/create-document.ts';

/**
 * Cells by column name: version, codename, series, created, release, eol …; a missing cell is undefined. Values contain no comma and no
 * quote.
 */
export type DistroInfoRow = Readonly<Partial<Record<string, string>>>;

export function parseDistroInfo(csv: string): DistroInfoRow[] {
  const [head = '', ...lines] = csv.split(/\r?\n/);
  const columns = head.split(',').map((name) => name.trim());
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) =>
      Object.fromEntries(line.split(',').map((cell, index) => [columns[index] ?? '', cell.trim()])),
    );
}

export function parseDistroInfoColumns(csv: string): string[] {
  return (csv.split(/\r?\n/, 1)[0] ?? '').split(',').map((name) => name.trim());
}

/** @throws BrokenDocument without the table's columns or without a release */
export async function validateDistroInfo(document: Document): Promise<void> {
  const csv = await document.text();
  const columns = parseDistroInfoColumns(csv);
  if (!columns.includes('version') || !columns.includes('series'))
    throw new BrokenDocument(document.url, 'it has no columns "version" and "series"');
  if (parseDistroInfo(csv).every(({ series = '' }) => series === ''))
    throw new BrokenDocument(document.url, 'it contains no release');
}

/** Returns remarks on releases whose code name or day cannot be read. Releases without a day yet are accepted. */
export function findUnreadableReleases(csv: string): string[] {
  return parseDistroInfo(csv).flatMap(({ series = '', version = '', release = '' }, index) => {
    const name = series || version || `line ${index + 2}`;
    if (series === '') return [`the table of releases names no series of ${name}`];
    return release === '' || parseDistroInfoDay(release) !== null
      ? []
      : [`the table of releases has no day for ${name}: "${release}"`];
  });
}

/** Returns midnight UTC of the day in epoch milliseconds, or null when `written` is not a day. */
export function parseDistroInfoDay(written: string | undefined): number | null {
  const day = /^\d{4}-\d\d-\d\d$/.test(written ?? '') ? Date.parse(written ?? '') : Number.NaN;
  return Number.isNaN(day) ? null : day;
}
