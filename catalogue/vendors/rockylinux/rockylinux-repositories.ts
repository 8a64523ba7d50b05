/** What stands in for Apollo while it cannot be read: the updateinfo of the repositories, for the advisories that are not known yet. */

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
import { BrokenDocument } from '../../parsers/document-of.ts';
import { isPublicationFailure } from '../../parsers/publication-failure.ts';
import { type UpdateinfoAdvisory, updateinfoIds } from '../../parsers/updateinfo.ts';
import { isRetracted, updateinfoEntry } from '../../schemas/updateinfo-entry.ts';
import {
  openRepositories,
  type Repository,
  readRepositories,
} from '../../schemas/updateinfo-repositories.ts';
import { distinctWords } from '../../values/vendor-words.ts';
import { rockylinuxList } from './rockylinux-list.ts';
import { advisoryKey, advisoryPage, majorReleases, sourceAdvisory } from './rockylinux-record.ts';

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
  /** Natural keys of the advisories that the list has: they are known from Apollo, which tells more. */
  readonly known: ReadonlySet<string>;
}

/**
 * Release by release: one that cannot be read leaves the others. Never whole, as repositories hold the newest minor release only.
 * `lacking` is why Apollo cannot be read; thrown again when no repository can, or none has updateinfo.
 */
export async function repositoriesInstead(
  publication: Publication,
  lacking: Error & { readonly failure: DocumentFailure },
): Promise<RepositoryContents> {
  const documents: Document[] = [];
  const known = new Set<string>();
  const remarks: (Remark | Rejection)[] = [];
  const remember: Record<string, string> = { ...publication.remembered };
  const last = await publication.readLast();
  const standIn: FeedRemark[] = [
    { code: 'errata_service_missing', params: { cause: lacking.failure } },
  ];
  for (const release of majorReleases) {
    try {
      const opened = await openRepositories(publication, repositoriesOf(release));
      for (const key of await knownKeys(publication, release, opened.documents)) known.add(key);
      documents.push(...opened.documents);
      remarks.push(...(opened.remarks ?? []));
      Object.assign(remember, opened.remember);
    } catch (error) {
      if (!isPublicationFailure(error)) throw error;
      if (error instanceof BrokenDocument) await publication.distrust?.(error.url);
      const neverWas =
        error instanceof NotPublished && !last.some((document) => isOfRelease(release, document));
      if (!neverWas)
        standIn.push({ code: 'release_unreadable', params: { release, cause: error.failure } });
    }
  }
  if (!documents.some(isUpdateinfo)) throw lacking;
  return { kind: 'repositories', documents, whole: false, standIn, remarks, remember, known };
}

/** An advisory counts for one release: the same id in two releases is two rows. */
export async function* readRepositoriesInstead({
  documents,
  known,
}: RepositoryContents): AsyncGenerator<FeedItem> {
  for (const release of majorReleases) {
    const own = documents.filter((document) => isOfRelease(release, document));
    for await (const reading of readRepositories(
      { documents: own, whole: false },
      { label: `Rocky Linux ${release}`, tag: `el${release}`, mayLackPackages: true },
    )) {
      if (reading.kind === 'remark') {
        yield reading;
        continue;
      }
      const key = advisoryKey(
        release,
        reading.kind === 'rejection' ? reading.rejected : reading.id,
      );
      if (known.has(key)) continue;
      if (reading.kind === 'rejection') yield { ...reading, keys: reading.keys ?? [key] };
      else if (!isRetracted(reading)) yield repositoryEntry(release, key, reading);
    }
  }
}

function isOfRelease(release: string, { url }: Document): boolean {
  return url.startsWith(`${root}${release}/`);
}

function repositoriesOf(release: string): Repository[] {
  const names = [...repositories, Number(release) < 9 ? 'PowerTools' : 'CRB'];
  return names.map((name) => ({
    name: `${release} ${name}`,
    address: `${root}${release}/${name}/x86_64/os/`,
  }));
}

async function knownKeys(
  publication: Publication,
  release: string,
  documents: readonly Document[],
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const document of documents.filter(isUpdateinfo)) {
    for await (const id of updateinfoIds(document)) keys.add(advisoryKey(release, id));
  }
  return publication.known(rockylinuxList, [...keys]);
}

/** An index of a repository stands among the documents when it names none. */
function isUpdateinfo({ url }: Document): boolean {
  return !url.endsWith('/repodata/repomd.xml');
}

function repositoryEntry(release: string, key: string, advisory: UpdateinfoAdvisory): FeedItem {
  const { row, detail, unknownWords } = updateinfoEntry(advisory, `Rocky Linux ${release}`);
  const upstreamAdvisories = distinctWords([
    sourceAdvisory(advisory.id),
    ...(detail.upstreamAdvisories ?? []),
  ]);
  // Apollo alone says which repositories a package is in.
  const packages = (detail.packages ?? []).map((one) => ({ ...one, repositories: [] }));
  return entry(
    rockylinuxList,
    key,
    row,
    { ...detail, packages, referenceLink: advisoryPage(advisory.id), upstreamAdvisories },
    unknownWords,
  );
}
