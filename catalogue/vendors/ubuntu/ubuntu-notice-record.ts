/** Parser of one notice of Ubuntu's security notices API, and its entry. */
import { z } from 'zod';
import {
  createRejection,
  type Entry,
  entry,
  type Rejection,
  type Remark,
} from '../../definition/feed.ts';
import { getMember } from '../../values/object-members.ts';
import { remarkOnDates, vendorDate } from '../../values/vendor-dates.ts';
import { optionalList, prose, word } from '../../values/vendor-forms.ts';
import {
  distinctWords,
  findCveIds,
  findUnknownCves,
  invalidReason,
  toCveTexts,
  toWord,
} from '../../values/vendor-words.ts';
import { type CvePriorities, findHighestPriority } from './ubuntu-cve-priorities.ts';
import { parseNoticeId } from './ubuntu-notice-database.ts';
import { ubuntuNoticeList } from './ubuntu-notice-list.ts';
import { findUnknownNoticeWords } from './ubuntu-notice-words.ts';
import {
  type GetNoticePackages,
  type ReleasePackages,
  reconcilePackages,
} from './ubuntu-release-packages.ts';
import { formatUbuntuReleaseName } from './ubuntu-releases.ts';

/** Returns the natural key of the record's entry; null when it has none. */
export function toNoticeKey(record: unknown): string | null {
  const read = noticeSchema.safeParse(record);
  return read.success && read.data.is_hidden !== true
    ? parseNoticeId(read.data.id, read.data.type)
    : null;
}

/** Returns the notice's id, even of an invalid record; null without one. */
export function findNoticeId(record: unknown): string | null {
  return parseNoticeId(getMember(record, 'id'), getMember(record, 'type'));
}

/** Facts that other documents than the API's pages state. */
export interface NoticeContext {
  readonly known: GetNoticePackages;
  readonly priorities: CvePriorities;
}

const emptyContext: NoticeContext = { known: () => ({}), priorities: new Map() };

/** Yields one entry or rejection, and a remark on an unreadable date. */
export function* readNotice(
  record: unknown,
  position: string,
  url: string,
  context: NoticeContext = emptyContext,
): Generator<Entry | Rejection | Remark> {
  const read = noticeSchema.safeParse(record);
  if (!read.success) {
    yield createRejection(
      findNoticeId(record) ?? toWord(getMember(record, 'id')) ?? position,
      invalidReason(read.error),
      url,
    );
    return;
  }
  const notice = read.data;
  const noticeId = parseNoticeId(notice.id, notice.type);
  if (noticeId === null) {
    yield createRejection(
      toWord(notice.id) ?? position,
      'id: it is not of the form USN-1234-1',
      url,
    );
  } else if (notice.is_hidden === true) {
    // A hidden notice was taken back by the vendor: its row is withdrawn.
    yield createRejection(noticeId, 'it is hidden by the vendor', url, []);
  } else {
    const published = vendorDate(notice.published);
    yield* remarkOnDates(noticeId, { published: notice.published });
    yield toEntry(noticeId, published, notice, {
      known: context.known(noticeId),
      priorities: context.priorities,
    });
  }
}

const optionalBoolean = z
  .boolean()
  .nullish()
  .transform((value) => value ?? null);
/** Plain words, or records with an id: the API has published both. */
const words = optionalList(
  z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)], {
    error: 'expected a word',
  }),
);

const releasePackage = z.object({
  name: z
    .string()
    .transform(toWord)
    .pipe(z.string({ error: 'it is empty' })),
  version: word,
  is_source: optionalBoolean,
  is_visible: optionalBoolean,
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
  is_hidden: optionalBoolean,
  references: words,
  cves_ids: z.preprocess(toCveTexts, words),
  cves: z.preprocess(toCveTexts, words),
  related_notices: words,
  releases: optionalList(z.object({ codename: z.string(), version: word })),
  release_packages: z
    .record(z.string(), z.array(releasePackage))
    .nullish()
    .transform((packages) => packages ?? {}),
});

type Notice = z.output<typeof noticeSchema>;

function toEntry(
  noticeId: string,
  published: number | null,
  notice: Notice,
  { known, priorities }: { readonly known: ReleasePackages; readonly priorities: CvePriorities },
): Entry {
  const versions = listReleaseVersions(notice, known);
  const names = formatReleaseNames(versions);
  const written = [...notice.cves_ids, ...notice.cves];
  const cves = findCveIds(written);
  const type = noticeId.slice(0, 'USN'.length);
  const packages = listReleasePackages(notice, names, known);
  const { priority, unknownWords } = findHighestPriority(cves, priorities);
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
        notice.related_notices.map((related) => parseNoticeId(related) ?? related),
      ),
      references: distinctWords([
        ...notice.references,
        ...written.filter((reference) => findCveIds([reference]).length === 0),
      ]),
      cvePriorities: cves.flatMap((cve) =>
        priorities.has(cve) ? [{ cve, priority: priorities.get(cve) ?? null }] : [],
      ),
      releasePackages: packages,
    },
    [
      ...unknownWords,
      ...findUnknownCves(written),
      ...findUnknownNoticeWords({ type: notice.type, shownType: type, versions, packages }),
    ],
  );
}

/** Versions by code name. The API states the releases; one that only the database states was taken back or is not published yet. */
function listReleaseVersions(
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

/** Names by code name, newest release first, because the API's order varies. */
function formatReleaseNames(
  versions: ReadonlyMap<string, string | null>,
): ReadonlyMap<string, string> {
  const names = [...versions].map(
    ([codename, version]) => [codename, formatUbuntuReleaseName(codename, version)] as const,
  );
  return new Map(names.toSorted(([, a], [, b]) => byNumber.compare(b, a)));
}

const byNumber = new Intl.Collator('en', { numeric: true });

function listReleasePackages(
  { release_packages }: Notice,
  names: ReadonlyMap<string, string>,
  known: ReleasePackages,
) {
  return [...names].flatMap(([codename, osVersion]) =>
    reconcilePackages(getPackages(release_packages, codename), getPackages(known, codename)).map(
      (row) => ({
        ...row,
        osVersion,
      }),
    ),
  );
}

function getPackages(byRelease: ReleasePackages, codename: string): ReleasePackages[string] {
  return (Object.hasOwn(byRelease, codename) ? byRelease[codename] : undefined) ?? [];
}
