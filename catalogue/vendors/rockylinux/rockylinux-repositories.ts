/** Replacement for Apollo while it is unavailable: reads new advisories from the updateinfo of the repositories. */

import { NotPublished } from '../../definition/document-errors.ts';
import type { DocumentFailure } from '../../definition/document-failure.ts';
import {
  type Document,
  entry,
  type FeedItem,
  type PartManifest,
  type Publication,
  type Rejection,
  type Remark,
} from '../../definition/feed.ts';
import type { FeedRemark } from '../../definition/feed-remark.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { isPublicationFailure } from '../../parsers/publication-failure.ts';
import { type UpdateinfoAdvisory, updateinfoIds } from '../../parsers/updateinfo.ts';
import { toErratumKey } from '../../schemas/errata-values.ts';
import { isRetracted, toUpdateinfoEntry } from '../../schemas/updateinfo-entry.ts';
import {
  openRepositories,
  type Repository,
  readRepositories,
} from '../../schemas/updateinfo-repositories.ts';
import { distinctWords } from '../../values/vendor-words.ts';
import { rockylinuxList } from './rockylinux-list.ts';
import { majorReleases, toAdvisoryPage, toSourceAdvisory } from './rockylinux-record.ts';

const root = 'https://dl.rockylinux.org/pub/rocky/';
const repositories = [
  'BaseOS',
  'AppStream',
  'HighAvailability',
  'NFV',
  'RT',
  'ResilientStorage',
  'SAP',
  'SAPHANA',
  'extras',
  'plus',
];

export interface RepositoryContents extends PartManifest {
  readonly kind: 'repositories';
  /** Natural keys that the list already has: Apollo described those advisories in more detail. */
  readonly known: ReadonlySet<string>;
}

/**
 * Opens the repositories release by release, so that one failing release does not affect the others. The contents are incomplete, because
 * repositories contain the newest minor release only.
 * @param apolloError why Apollo cannot be read
 * @throws `apolloError` when no repository with updateinfo can be read
 */
export async function openRepositoriesInstead(
  publication: Publication,
  apolloError: Error & { readonly failure: DocumentFailure },
): Promise<RepositoryContents> {
  const documents: Document[] = [];
  const known = new Set<string>();
  const remarks: (Remark | Rejection)[] = [];
  const remember: Record<string, string> = { ...publication.remembered };
  const last = await publication.readLast();
  const standIn: FeedRemark[] = [
    { code: 'errata_service_missing', params: { cause: apolloError.failure } },
  ];
  for (const release of majorReleases) {
    try {
      const opened = await openRepositories(publication, listRepositories(release));
      for (const key of await findKnownKeys(publication, release, opened.documents)) known.add(key);
      documents.push(...opened.documents);
      remarks.push(...(opened.remarks ?? []));
      Object.assign(remember, opened.remember);
    } catch (error) {
      if (!isPublicationFailure(error)) throw error;
      if (error instanceof BrokenDocument) await publication.distrust?.(error.url);
      const neverExisted =
        error instanceof NotPublished && !last.some((document) => isInRelease(release, document));
      if (!neverExisted)
        standIn.push({ code: 'release_unreadable', params: { release, cause: error.failure } });
    }
  }
  if (!documents.some(isUpdateinfo)) throw apolloError;
  return { kind: 'repositories', documents, isComplete: false, standIn, remarks, remember, known };
}

export async function* readRepositoriesInstead({
  documents,
  known,
}: RepositoryContents): AsyncGenerator<FeedItem> {
  for (const release of majorReleases) {
    const own = documents.filter((document) => isInRelease(release, document));
    for await (const reading of readRepositories(
      { documents: own, isComplete: false },
      { label: `Rocky Linux ${release}`, tag: `el${release}`, mayLackPackages: true },
    )) {
      if (reading.kind === 'remark') {
        yield reading;
        continue;
      }
      const key = toErratumKey(
        release,
        reading.kind === 'rejection' ? reading.rejected : reading.id,
      );
      if (known.has(key)) continue;
      if (reading.kind === 'rejection') yield { ...reading, keys: reading.keys ?? [key] };
      else if (!isRetracted(reading)) yield toRepositoryEntry(release, key, reading);
    }
  }
}

function isInRelease(release: string, { url }: Document): boolean {
  return url.startsWith(`${root}${release}/`);
}

function listRepositories(release: string): Repository[] {
  const names = [...repositories, Number(release) < 9 ? 'PowerTools' : 'CRB'];
  return names.map((name) => ({
    name: `${release} ${name}`,
    address: `${root}${release}/${name}/x86_64/os/`,
  }));
}

async function findKnownKeys(
  publication: Publication,
  release: string,
  documents: readonly Document[],
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const document of documents.filter(isUpdateinfo)) {
    for await (const id of updateinfoIds(document)) keys.add(toErratumKey(release, id));
  }
  return publication.known(rockylinuxList, [...keys]);
}

/** The documents contain the index of a repository that has no updateinfo. */
function isUpdateinfo({ url }: Document): boolean {
  return !url.endsWith('/repodata/repomd.xml');
}

function toRepositoryEntry(release: string, key: string, advisory: UpdateinfoAdvisory): FeedItem {
  const { row, detail, unknownWords } = toUpdateinfoEntry(advisory, `Rocky Linux ${release}`);
  const upstreamAdvisories = distinctWords([
    toSourceAdvisory(advisory.id),
    ...(detail.upstreamAdvisories ?? []),
  ]);
  // Only Apollo states a package's repositories.
  const packages = (detail.packages ?? []).map((item) => ({ ...item, repositories: [] }));
  return entry(
    rockylinuxList,
    key,
    row,
    { ...detail, packages, referenceLink: toAdvisoryPage(advisory.id), upstreamAdvisories },
    unknownWords,
  );
}
