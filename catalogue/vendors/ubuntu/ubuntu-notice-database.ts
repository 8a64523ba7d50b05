/** Ubuntu's database of its notices: which versions of which packages they brought. */
import { z } from 'zod';
import type { Document, Publication } from '../../definition/feed.ts';
import { jsonMembers } from '../../formats/json-members.ts';
import { openOrLast } from '../../formats/open-or-last.ts';
import { readOnce } from '../../formats/read-once.ts';
import { vendorDate } from '../../shapes/vendor-dates.ts';
import { cveIdOf, distinctWords } from '../../shapes/vendor-words.ts';
import { noticeIdOf } from './ubuntu-notice-record.ts';

export const databaseAddress = 'https://usn.ubuntu.com/usn-db/database.json.bz2';

export interface FixingNotices {
  /** When the first of them was published. */
  readonly published: number | null;
  readonly notices: readonly string[];
  readonly cves: readonly string[];
}

/** By `versionKey`. */
export type VersionsOfNotices = ReadonlyMap<string, FixingNotices>;

/** A source package is told from a binary one of its name. */
export function versionKey(codename: string, kind: 'source' | 'binary', name: string, version: string): string {
  return [codename, kind, name, version].join(' ');
}

/** Its checksum lies beside it: while that is the same, the database is not asked for. */
export async function openDatabase(publication: Publication): Promise<readonly Document[]> {
  const [sum] = await openOrLast(publication, `${databaseAddress}.sha256`);
  const value = /^[0-9a-f]{64}\b/i.exec((await sum?.text()) ?? '')?.[0].toLowerCase();
  return openOrLast(publication, databaseAddress, value === undefined ? {} : { checksum: { algorithm: 'sha256', value } });
}

const versions = z
  .record(z.string(), z.object({ version: z.string().nullish() }))
  .nullish()
  .transform((packages) => packages ?? {});

const recordSchema = z.object({
  id: z.string(),
  timestamp: z.unknown().optional(),
  cves: z.array(z.string()).nullish(),
  releases: z.record(z.string(), z.object({ sources: versions, binaries: versions, allbinaries: versions })),
});

/** Of these releases. A record of another form brings nothing: notices themselves are read, and judged, elsewhere. */
export function databaseReader(codenames: readonly string[]): (documents: readonly Document[]) => Promise<VersionsOfNotices> {
  return readOnce(async (documents) => {
    const found = new Map<string, FixingNotices>();
    for (const document of documents) {
      for await (const { value } of jsonMembers(document)) addNotice(value, codenames, found);
    }
    return found;
  });
}

function addNotice(value: unknown, codenames: readonly string[], found: Map<string, FixingNotices>): void {
  const record = recordSchema.safeParse(value).data;
  const notice = noticeIdOf(record?.id);
  if (record === undefined || notice === null) return;
  const fixing = { published: vendorDate(record.timestamp), notices: [notice], cves: distinctWords((record.cves ?? []).map(cveIdOf)) };
  for (const codename of codenames) {
    const { sources = {}, binaries = {}, allbinaries = {} } = record.releases[codename] ?? {};
    for (const [kind, packages] of [['source', sources] as const, ['binary', { ...binaries, ...allbinaries }] as const]) {
      for (const [name, { version }] of Object.entries(packages)) {
        if (!version) continue;
        const key = versionKey(codename, kind, name, version);
        const before = found.get(key);
        found.set(key, before === undefined ? fixing : both(before, fixing));
      }
    }
  }
}

function both(one: FixingNotices, other: FixingNotices): FixingNotices {
  const times = [one.published, other.published].filter((time) => time !== null);
  return {
    published: times.length === 0 ? null : Math.min(...times),
    notices: distinctWords([...one.notices, ...other.notices]),
    cves: distinctWords([...one.cves, ...other.cves]),
  };
}
