/** One notice of Ubuntu's security notices API, and the entry it becomes. */
import { z } from 'zod';
import { type Entry, entry, type Rejection, type Remark } from '../../definition/feed.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import {
  cveIdOf,
  distinctWords,
  invalidReason,
  splitCveText,
  wordOf,
} from '../../values/vendor-words.ts';
import { type CvePriorities, highestPriority } from './ubuntu-cve-priorities.ts';
import { noticeIdOf } from './ubuntu-notice-id.ts';
import { ubuntuNoticeList } from './ubuntu-notice-list.ts';
import { unknownNoticeWords } from './ubuntu-notice-words.ts';
import {
  type PackagesOfNotice,
  type ReleasePackages,
  reconciled,
} from './ubuntu-release-packages.ts';
import { ubuntuReleaseName } from './ubuntu-releases.ts';

/** The natural key of what a record would become; null when it would become nothing. */
export function noticeKey(record: unknown): string | null {
  const read = noticeSchema.safeParse(record);
  return read.success && read.data.is_hidden !== true
    ? noticeIdOf(read.data.id, read.data.type)
    : null;
}

/** Which notice a record is of, fit or not; null when it does not say. */
export function idOfRecord(record: unknown): string | null {
  const read = z
    .object({ id: z.unknown().optional(), type: z.unknown().optional() })
    .safeParse(record);
  return read.success ? noticeIdOf(read.data.id, read.data.type) : null;
}

/** What is known beside the pages of the API. */
export interface Beside {
  readonly known: PackagesOfNotice;
  readonly priorities: CvePriorities;
}

const nothing: Beside = { known: () => ({}), priorities: new Map() };

/** One entry or one rejection, and a remark where something could not be read. */
export function* readNotice(
  record: unknown,
  place: string,
  url: string,
  beside: Beside = nothing,
): Generator<Entry | Rejection | Remark> {
  const read = noticeSchema.safeParse(record);
  if (!read.success) {
    yield {
      kind: 'rejection',
      rejected: idOfRecord(record) ?? nameOf(record) ?? place,
      reason: invalidReason(read.error),
      url,
    };
    return;
  }
  const notice = read.data;
  const noticeId = noticeIdOf(notice.id, notice.type);
  if (noticeId === null) {
    yield {
      kind: 'rejection',
      rejected: wordOf(notice.id) ?? place,
      reason: 'id: it is not of the form USN-1234-1',
      url,
    };
  } else if (notice.is_hidden === true) {
    // The vendor has taken it back: a row that it has is withdrawn, not kept.
    yield {
      kind: 'rejection',
      rejected: noticeId,
      keys: [],
      reason: 'it is hidden by the vendor',
      url,
    };
  } else {
    const published = vendorDate(notice.published);
    if (published === null && wordOf(notice.published) !== null) {
      yield {
        kind: 'remark',
        remark: `${noticeId}: published "${wordOf(notice.published)}" is not a date that can be read`,
      };
    }
    yield entryOf(noticeId, published, notice, {
      known: beside.known(noticeId),
      priorities: beside.priorities,
    });
  }
}

function nameOf(record: unknown): string | null {
  return typeof record === 'object' && record !== null ? wordOf(Reflect.get(record, 'id')) : null;
}

const word = z
  .union([z.string(), z.number()], { error: 'expected a word' })
  .nullish()
  .transform(wordOf);
const prose = z
  .string()
  .nullish()
  .transform((text) => text || null);
const yesOrNo = z
  .boolean()
  .nullish()
  .transform((value) => value ?? null);
/** Plain words, or records with an id: the API has written both. */
const words = z
  .array(
    z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)], {
      error: 'expected a word',
    }),
  )
  .nullish()
  .transform((list) => list ?? []);

const releasePackage = z.object({
  name: z
    .string()
    .transform(wordOf)
    .pipe(z.string({ error: 'it is empty' })),
  version: word,
  is_source: yesOrNo,
  is_visible: yesOrNo,
  pocket: word,
});

const noticeSchema = z.object({
  id: z.string(),
  type: word,
  title: word,
  summary: prose,
  description: prose,
  instructions: prose,
  published: z.unknown().optional(),
  is_hidden: yesOrNo,
  references: words,
  cves_ids: z.preprocess(splitCveText, words),
  cves: z.preprocess(splitCveText, words),
  related_notices: words,
  releases: z
    .array(z.object({ codename: z.string(), version: word }))
    .nullish()
    .transform((list) => list ?? []),
  release_packages: z
    .record(z.string(), z.array(releasePackage))
    .nullish()
    .transform((packages) => packages ?? {}),
});

type Notice = z.output<typeof noticeSchema>;

function entryOf(
  noticeId: string,
  published: number | null,
  notice: Notice,
  { known, priorities }: { readonly known: ReleasePackages; readonly priorities: CvePriorities },
): Entry {
  const versions = releaseVersions(notice, known);
  const names = releaseNames(versions);
  const written = [...notice.cves_ids, ...notice.cves];
  const cves = distinctWords(written.map(cveIdOf));
  const type = noticeId.slice(0, 'USN'.length);
  const packages = releasePackages(notice, names, known);
  const { priority, unknownWords } = highestPriority(cves, priorities);
  return entry(
    ubuntuNoticeList,
    noticeId,
    {
      noticeId,
      title: notice.title,
      affectedOs: [...new Set(names.values())],
      published,
      releaseDate: published,
      type,
      priority,
    },
    {
      summary: notice.summary,
      description: notice.description,
      instructions: notice.instructions,
      referenceLink: `https://ubuntu.com/security/notices/${noticeId}`,
      cve: cves,
      relatedNotices: distinctWords(
        notice.related_notices.map((related) => noticeIdOf(related) ?? related),
      ),
      references: distinctWords([
        ...notice.references,
        ...written.filter((reference) => cveIdOf(reference) === null),
      ]),
      cvePriorities: cves.flatMap((cve) =>
        priorities.has(cve) ? [{ cve, priority: priorities.get(cve) ?? null }] : [],
      ),
      releasePackages: packages,
    },
    [
      ...unknownWords,
      ...unknownNoticeWords({ type: notice.type, shownType: type, versions, packages }),
    ],
  );
}

/** By code name. Which releases they are says the API; one that only the database names was taken back, or is yet to come. */
function releaseVersions(
  { releases, release_packages }: Notice,
  known: ReleasePackages,
): ReadonlyMap<string, string | null> {
  const versions = new Map<string, string | null>(
    Object.keys(release_packages).map((codename) => [codename, null]),
  );
  for (const { codename, version } of releases) versions.set(codename, version);
  if (versions.size === 0) for (const codename of Object.keys(known)) versions.set(codename, null);
  return versions;
}

/** By code name, the newest release first: the API orders them at times one way, at times another. */
function releaseNames(versions: ReadonlyMap<string, string | null>): ReadonlyMap<string, string> {
  const names = [...versions].map(
    ([codename, version]) => [codename, ubuntuReleaseName(codename, version)] as const,
  );
  return new Map(names.toSorted(([, one], [, other]) => byNumber.compare(other, one)));
}

const byNumber = new Intl.Collator('en', { numeric: true });

function releasePackages(
  { release_packages }: Notice,
  names: ReadonlyMap<string, string>,
  known: ReleasePackages,
) {
  return [...names].flatMap(([codename, osVersion]) =>
    reconciled(packagesOf(release_packages, codename), packagesOf(known, codename)).map((one) => ({
      ...one,
      osVersion,
    })),
  );
}

function packagesOf(byRelease: ReleasePackages, codename: string): ReleasePackages[string] {
  return (Object.hasOwn(byRelease, codename) ? byRelease[codename] : undefined) ?? [];
}
