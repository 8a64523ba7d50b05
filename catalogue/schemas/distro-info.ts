/** distro-info-data: the tables in which Debian keeps its own releases and Ubuntu's, with the days on which they came and end. */

import type { Document } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/document-of.ts';

/** By column: version, codename, series, created, release, eol …; a cell that is missing is undefined. No value holds a comma or a quote. */
export type DistroInfoRow = Readonly<Partial<Record<string, string>>>;

export function distroInfoRows(csv: string): DistroInfoRow[] {
  const [head = '', ...lines] = csv.split(/\r?\n/);
  const columns = head.split(',').map((name) => name.trim());
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) =>
      Object.fromEntries(line.split(',').map((cell, place) => [columns[place] ?? '', cell.trim()])),
    );
}

export function distroInfoColumns(csv: string): string[] {
  return (csv.split(/\r?\n/, 1)[0] ?? '').split(',').map((name) => name.trim());
}

/** Throws BrokenDocument for what is no such table, and for one without a release. */
export async function requireDistroInfo(document: Document): Promise<void> {
  const csv = await document.text();
  const columns = distroInfoColumns(csv);
  if (!columns.includes('version') || !columns.includes('series'))
    throw new BrokenDocument(document.url, 'it has no columns "version" and "series"');
  if (distroInfoRows(csv).every(({ series = '' }) => series === ''))
    throw new BrokenDocument(document.url, 'there is no release in it');
}

/** Releases whose code name or day cannot be read, as remarks of a run. Days that are not known yet are left empty. */
export function unfitReleases(csv: string): string[] {
  return distroInfoRows(csv).flatMap(({ series = '', version = '', release = '' }, index) => {
    const name = series || version || `line ${index + 2}`;
    if (series === '') return [`the table of releases names no series of ${name}`];
    return release === '' || distroInfoDay(release) !== null
      ? []
      : [`the table of releases has no day for ${name}: "${release}"`];
  });
}

/** A day at midnight UTC, epoch milliseconds; null for what is no day. */
export function distroInfoDay(written: string | undefined): number | null {
  const day = /^\d{4}-\d\d-\d\d$/.test(written ?? '') ? Date.parse(written ?? '') : Number.NaN;
  return Number.isNaN(day) ? null : day;
}
