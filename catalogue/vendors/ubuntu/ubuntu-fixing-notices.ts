/** Which notices brought which versions of which packages: an index of the archive says nothing of them. */
import type { Document, Remark } from '../../definition/feed.ts';
import { readOnce } from '../../parsers/read-once.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { cveIdOf, distinctWords } from '../../values/vendor-words.ts';
import { type DatabaseNotice, databaseNotices } from './ubuntu-notice-database.ts';

export interface FixingNotices {
  /** When the first of them was published, and which that is. */
  readonly published: number | null;
  readonly first: string | null;
  readonly notices: readonly string[];
  readonly cves: readonly string[];
}

export interface VersionsOfNotices {
  /** By `versionKey`. */
  readonly notices: ReadonlyMap<string, FixingNotices>;
  /** One for each notice that cannot be read. */
  readonly remarks: readonly Remark[];
}

/** A source package is told from a binary one of its name. */
export function versionKey(
  codename: string,
  kind: 'source' | 'binary',
  name: string,
  version: string,
): string {
  return [codename, kind, name, version].join(' ');
}

/** Of these releases. */
export function fixingNoticesReader(
  codenames: readonly string[],
): (database: readonly Document[]) => Promise<VersionsOfNotices> {
  return readOnce(async (database) => {
    const notices = new Map<string, FixingNotices>();
    const remarks: Remark[] = [];
    for (const document of database) {
      for await (const notice of databaseNotices(document)) {
        if (notice.kind === 'notice') addNotice(notice, codenames, notices);
        else remarks.push({ kind: 'remark', remark: `${notice.rejected}: ${notice.reason}` });
      }
    }
    return { notices, remarks };
  });
}

function addNotice(
  notice: DatabaseNotice,
  codenames: readonly string[],
  found: Map<string, FixingNotices>,
): void {
  const published = vendorDate(notice.timestamp);
  const fixing = {
    published,
    first: published === null ? null : notice.noticeId,
    notices: [notice.noticeId],
    cves: distinctWords((notice.cves ?? []).map(cveIdOf)),
  };
  for (const codename of codenames) {
    const { sources, binaries, allbinaries } = notice.releases[codename] ?? {};
    for (const [kind, packages] of [
      ['source', { ...sources }] as const,
      ['binary', { ...binaries, ...allbinaries }] as const,
    ]) {
      for (const [name, { version }] of Object.entries(packages)) {
        if (version === null) continue;
        const key = versionKey(codename, kind, name, version);
        const before = found.get(key);
        found.set(key, before === undefined ? fixing : both(before, fixing));
      }
    }
  }
}

const byTime = (one: FixingNotices, other: FixingNotices) =>
  (one.published ?? 0) - (other.published ?? 0);

function both(one: FixingNotices, other: FixingNotices): FixingNotices {
  const [first = one] = [one, other].filter(({ published }) => published !== null).toSorted(byTime);
  return {
    published: first.published,
    first: first.first,
    notices: distinctWords([...one.notices, ...other.notices]),
    cves: distinctWords([...one.cves, ...other.cves]),
  };
}
