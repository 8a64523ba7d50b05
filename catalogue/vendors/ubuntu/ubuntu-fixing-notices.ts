/** Maps versions of packages to the notices that released them, which the archive's indexes do not state. */
import { createRemark, type Document, type Remark } from '../../definition/feed.ts';
import { readOnce } from '../../parsers/read-once.ts';
import { remarkOnDates, vendorDate } from '../../values/vendor-dates.ts';
import { distinctWords, findCveIds, findUnknownCves } from '../../values/vendor-words.ts';
import { type DatabaseNotice, readDatabaseNotices } from './ubuntu-notice-database.ts';

export interface FixingNotices {
  /** When the first notice was published, and its id. */
  readonly published: number | null;
  readonly first: string | null;
  readonly notices: readonly string[];
  readonly cves: readonly string[];
}

export interface NoticesByVersion {
  /** By `toVersionKey`. */
  readonly notices: ReadonlyMap<string, FixingNotices>;
  /** On notices, or dates of them, that cannot be read. */
  readonly remarks: readonly Remark[];
}

/** Distinguishes a source package from a binary package of the same name. */
export function toVersionKey(
  codename: string,
  kind: 'source' | 'binary',
  name: string,
  version: string,
): string {
  return [codename, kind, name, version].join(' ');
}

/** Creates a reader of the notices of these releases. */
export function createFixingNoticesReader(
  codenames: readonly string[],
): (database: readonly Document[]) => Promise<NoticesByVersion> {
  return readOnce(async (database) => {
    const notices = new Map<string, FixingNotices>();
    const remarks: Remark[] = [];
    for (const document of database) {
      for await (const notice of readDatabaseNotices(document)) {
        if (notice.kind === 'notice') {
          addNotice(notice, codenames, notices);
          if (codenames.some((codename) => Object.hasOwn(notice.releases, codename)))
            remarks.push(...remarkOnNotice(notice));
        } else remarks.push(createRemark(`${notice.rejected}: ${notice.reason}`));
      }
    }
    return { notices, remarks };
  });
}

function remarkOnNotice({ noticeId, timestamp, cves }: DatabaseNotice): Remark[] {
  return [
    ...remarkOnDates(noticeId, { timestamp }),
    ...findUnknownCves(cves ?? []).map(({ word }) =>
      createRemark(`${noticeId}: "${word}" is not a CVE id that can be read`),
    ),
  ];
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
    cves: findCveIds(notice.cves ?? []),
  };
  for (const codename of codenames) {
    const { sources, binaries, allbinaries } = notice.releases[codename] ?? {};
    for (const [kind, packages] of [
      ['source', { ...sources }] as const,
      ['binary', { ...binaries, ...allbinaries }] as const,
    ]) {
      for (const [name, { version }] of Object.entries(packages)) {
        if (version === null) continue;
        const key = toVersionKey(codename, kind, name, version);
        const before = found.get(key);
        found.set(key, before === undefined ? fixing : mergeNotices(before, fixing));
      }
    }
  }
}

const compareByTime = (a: FixingNotices, b: FixingNotices) =>
  (a.published ?? 0) - (b.published ?? 0);

function mergeNotices(a: FixingNotices, b: FixingNotices): FixingNotices {
  const [first = a] = [a, b].filter(({ published }) => published !== null).toSorted(compareByTime);
  return {
    published: first.published,
    first: first.first,
    notices: distinctWords([...a.notices, ...b.notices]),
    cves: distinctWords([...a.cves, ...b.cves]),
  };
}
