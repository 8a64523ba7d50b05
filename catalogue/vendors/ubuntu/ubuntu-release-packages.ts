/** Reads the release packages of notices from the database, and completes those that the API lists. */
import type { Document, Rejection } from '../../definition/feed.ts';
import { type DatabaseNotice, readDatabaseNotices } from './ubuntu-notice-database.ts';

export interface ReleasePackage {
  readonly name: string;
  readonly version: string | null;
  readonly pocket: string | null;
  readonly is_source: boolean | null;
  readonly is_visible: boolean | null;
}

/** By the release's code name. */
export type ReleasePackages = Readonly<Record<string, readonly ReleasePackage[]>>;

export type GetNoticePackages = (noticeId: string) => ReleasePackages;

export interface DatabasePackages {
  readonly getPackages: GetNoticePackages;
  /** By notice. */
  readonly rejections: ReadonlyMap<string, Rejection>;
}

/** Packages that share all facts: grouping those of a source package takes a third of the memory. */
interface PackageGroup extends Omit<ReleasePackage, 'name'> {
  readonly names: string[];
}

/**
 * Reads the packages of the `wanted` notices. They are stored as grouped JSON text, because kernels have thousands of packages and all
 * notices over a million.
 */
export async function readReleasePackages(
  database: readonly Document[],
  wanted: ReadonlySet<string>,
): Promise<DatabasePackages> {
  const found = new Map<string, string>();
  const rejections = new Map<string, Rejection>();
  for (const document of database) {
    for await (const notice of readDatabaseNotices(document)) {
      if (notice.kind === 'rejection') rejections.set(notice.rejected, notice);
      else if (wanted.has(notice.noticeId))
        found.set(notice.noticeId, JSON.stringify(groupPackages(notice)));
    }
  }
  const getPackages: GetNoticePackages = (noticeId) => {
    const releases = JSON.parse(found.get(noticeId) ?? '[]') as ReturnType<typeof groupPackages>;
    return Object.fromEntries(
      releases.map(([codename, groups]) => [
        codename,
        groups.flatMap(({ names, ...facts }) => names.map((name) => ({ name, ...facts }))),
      ]),
    );
  };
  return { getPackages, rejections };
}

function groupPackages({ releases }: DatabaseNotice): [codename: string, PackageGroup[]][] {
  return Object.entries(releases).map(([codename, { sources, binaries, allbinaries }]) => {
    const groups = new Map<string, PackageGroup>();
    const add = (name: string, facts: Omit<ReleasePackage, 'name'>) => {
      const key = JSON.stringify(facts);
      const others = groups.get(key) ?? { ...facts, names: [] };
      groups.set(key, others);
      others.names.push(name);
    };
    for (const [name, { version, pocket }] of Object.entries(sources ?? {})) {
      add(name, { version, pocket, is_source: true, is_visible: null });
    }
    // The notice's page shows the short list. Without it the visibility is unknown.
    for (const [name, { version, pocket }] of Object.entries({ ...binaries, ...allbinaries })) {
      add(name, {
        version,
        pocket,
        is_source: false,
        is_visible: binaries ? Object.hasOwn(binaries, name) : null,
      });
    }
    return [codename, [...groups.values()]];
  });
}

/**
 * Merges the packages of a notice. Values of the API count. The database completes missing values, corrects a source package that is listed
 * as a binary one (or the reverse), and adds packages that the API omits: its lists are often limited to the main ones.
 */
export function reconcilePackages(
  listed: readonly ReleasePackage[],
  known: readonly ReleasePackage[],
): ReleasePackage[] {
  const facts = new Map(known.map((row) => [toKey(row), row]));
  const keysListed = new Set(listed.map(toKey));
  const met = new Set<string>();
  const completed = listed.map((row) => {
    const kinds = [false, true].map((is_source) => ({ ...row, is_source }));
    const mistaken = facts.has(toKey(row))
      ? undefined
      : kinds.find((kind) => facts.has(toKey(kind)) && !keysListed.has(toKey(kind)));
    const corrected = mistaken ?? row;
    const fact = facts.get(toKey(corrected));
    met.add(toKey(corrected));
    return {
      ...corrected,
      version: row.version ?? fact?.version ?? null,
      pocket: row.pocket ?? fact?.pocket ?? null,
      is_visible: row.is_visible ?? fact?.is_visible ?? null,
    };
  });
  // The database has no order: equal packages must always come in the same order.
  const added = [...facts]
    .filter(([key]) => !met.has(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [...completed, ...added.map(([, row]) => row)];
}

/** Sorts source packages first. */
const toKey = ({ name, is_source }: ReleasePackage) =>
  `${is_source === null ? 2 : is_source ? 0 : 1} ${name}`;
