/** distro-info-data: the tables in which Debian keeps its own releases and Ubuntu's, with the days on which they came and end. */

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

/** A day at midnight UTC, epoch milliseconds; null for what is no day. */
export function distroInfoDay(written: string | undefined): number | null {
  const day = /^\d{4}-\d\d-\d\d$/.test(written ?? '') ? Date.parse(written ?? '') : Number.NaN;
  return Number.isNaN(day) ? null : day;
}
