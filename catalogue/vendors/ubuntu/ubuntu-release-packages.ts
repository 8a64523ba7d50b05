/** The release packages of a notice as the API lists them, completed by those that the database knows. */
import type { Document, Rejection } from '../../definition/feed.ts';
import { type DatabaseNotice, databaseNotices } from './ubuntu-notice-database.ts';

export interface ReleasePackage {
  readonly name: string;
  readonly version: string | null;
  readonly pocket: string | null;
  readonly is_source: boolean | null;
  readonly is_visible: boolean | null;
}

/** By the release's code name. */
export type ReleasePackages = Readonly<Record<string, readonly ReleasePackage[]>>;

export type PackagesOfNotice = (noticeId: string) => ReleasePackages;

export interface DatabasePackages {
  readonly of: PackagesOfNotice;
  /** By notice. */
  readonly rejections: ReadonlyMap<string, Rejection>;
}

/** Those of a source package mostly differ in nothing but their names: together they need a third of the room. */
interface AlikePackages extends Omit<ReleasePackage, 'name'> {
  readonly names: string[];
}

/** Of these notices. Kernels have thousands of packages, and all notices over a million: they are kept as text, and packed. */
export async function readReleasePackages(
  database: readonly Document[],
  wanted: ReadonlySet<string>,
): Promise<DatabasePackages> {
  const found = new Map<string, string>();
  const rejections = new Map<string, Rejection>();
  for (const document of database) {
    for await (const notice of databaseNotices(document)) {
      if (notice.kind === 'rejection') rejections.set(notice.rejected, notice);
      else if (wanted.has(notice.noticeId))
        found.set(notice.noticeId, JSON.stringify(alikePackages(notice)));
    }
  }
  const of: PackagesOfNotice = (noticeId) => {
    const releases = JSON.parse(found.get(noticeId) ?? '[]') as ReturnType<typeof alikePackages>;
    return Object.fromEntries(
      releases.map(([codename, alike]) => [
        codename,
        alike.flatMap(({ names, ...facts }) => names.map((name) => ({ name, ...facts }))),
      ]),
    );
  };
  return { of, rejections };
}

function alikePackages({ releases }: DatabaseNotice): [codename: string, AlikePackages[]][] {
  return Object.entries(releases).map(([codename, { sources, binaries, allbinaries }]) => {
    const alike = new Map<string, AlikePackages>();
    const add = (name: string, facts: Omit<ReleasePackage, 'name'>) => {
      const key = JSON.stringify(facts);
      const others = alike.get(key) ?? { ...facts, names: [] };
      alike.set(key, others);
      others.names.push(name);
    };
    for (const [name, { version, pocket }] of Object.entries(sources ?? {})) {
      add(name, { version, pocket, is_source: true, is_visible: null });
    }
    // The short list is what the notice's page shows. Without it nothing can be told.
    for (const [name, { version, pocket }] of Object.entries({ ...binaries, ...allbinaries })) {
      add(name, {
        version,
        pocket,
        is_source: false,
        is_visible: binaries ? Object.hasOwn(binaries, name) : null,
      });
    }
    return [codename, [...alike.values()]];
  });
}

/**
 * What the API says stands. The database fills what it leaves open, corrects a source package that is listed as a binary one (or the
 * other way round), and adds the packages that the API passes over: for its page, a notice's list is often cut down to the chief ones.
 */
export function reconciled(
  listed: readonly ReleasePackage[],
  known: readonly ReleasePackage[],
): ReleasePackage[] {
  const facts = new Map(known.map((one) => [keyOf(one), one]));
  const keysListed = new Set(listed.map(keyOf));
  const met = new Set<string>();
  const completed = listed.map((one) => {
    const kinds = [false, true].map((is_source) => ({ ...one, is_source }));
    const mistaken = facts.has(keyOf(one))
      ? undefined
      : kinds.find((kind) => facts.has(keyOf(kind)) && !keysListed.has(keyOf(kind)));
    const named = mistaken ?? one;
    const fact = facts.get(keyOf(named));
    met.add(keyOf(named));
    return {
      ...named,
      version: one.version ?? fact?.version ?? null,
      pocket: one.pocket ?? fact?.pocket ?? null,
      is_visible: one.is_visible ?? fact?.is_visible ?? null,
    };
  });
  // The database has no order of its own: the same packages must come in the same one each time.
  const added = [...facts]
    .filter(([key]) => !met.has(key))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [...completed, ...added.map(([, one]) => one)];
}

/** Source packages come first. */
const keyOf = ({ name, is_source }: ReleasePackage) =>
  `${is_source === null ? 2 : is_source ? 0 : 1} ${name}`;
