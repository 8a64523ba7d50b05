/** Feed of Amazon Linux's advisories: the updateinfo of the core repository of Amazon Linux 2023. */

import { NotPublished } from '../../definition/document-errors.ts';
import {
  createRemark,
  type Document,
  type Entry,
  entry,
  type Feed,
  type Part,
  type PartManifest,
  type Publication,
  type Remark,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { isPublicationFailure } from '../../parsers/publication-failure.ts';
import type { UpdateinfoAdvisory } from '../../parsers/updateinfo.ts';
import { toErratumKey } from '../../schemas/errata-values.ts';
import { toUpdateinfoEntry } from '../../schemas/updateinfo-entry.ts';
import { openRepositories, readErrata } from '../../schemas/updateinfo-repositories.ts';
import { amazonlinuxList } from './amazonlinux-list.ts';

const coreMirrors = 'https://cdn.amazonlinux.com/al2023/core/mirrors/latest/x86_64/mirror.list';
const bulletins = 'https://alas.aws.amazon.com/AL2023/';
const release = '2023';
const label = `Amazon Linux ${release}`;

const core: Part = {
  key: release,
  label,
  contents: (publication) => openSnapshot(publication, coreMirrors),
  read: (contents) =>
    readErrata(contents, { label, tag: 'amzn2023' }, toAdvisoryKey, toAmazonlinuxEntry),
};

export const amazonlinuxFeed: Feed = {
  fills: [amazonlinuxList],
  homepage: 'https://alas.aws.amazon.com/alas2023.html',
  schedule: '36 */4 * * *',
  version: 3,
  parts: [core],
};

/** Contains the release, so that another release can have keys of its own. */
const toAdvisoryKey = (id: string) => toErratumKey(release, id);

function toAmazonlinuxEntry(advisory: UpdateinfoAdvisory): Entry {
  const { id } = advisory;
  const { row, detail, unknownWords } = toUpdateinfoEntry(advisory, label);
  const page = /^ALAS2023-\d{4}-\d+$/.test(id)
    ? `${bulletins}${id}.html`
    : (detail.referenceLink ?? null);
  return entry(
    amazonlinuxList,
    toAdvisoryKey(id),
    row,
    { ...detail, referenceLink: page },
    unknownWords,
  );
}

const host = 'cdn.amazonlinux.com';
const maxListBytes = 64 * 1024;
/** Bounds the time: each failing address takes all of its attempts. */
const maxAddresses = 10;

/**
 * Each release of the core repository has its own address, which mirror.list names.
 * Opens the updateinfo of the first usable snapshot of the list, with a remark on each failed one. The repository is named `core` at any
 * address, so that a new snapshot without updateinfo withdraws nothing.
 * @throws the failure of the first address when all fail
 */
export async function openSnapshot(
  publication: Publication,
  mirrorList: string,
): Promise<PartManifest> {
  const list = await publication.open(mirrorList, {
    maxBytes: maxListBytes,
    maxOpenBytes: maxListBytes,
    // A broken list must not replace the copy of a good one.
    readThrough: async (document) => void (await readSnapshotAddresses(document)),
  });
  const failures: unknown[] = [];
  const remarks: Remark[] = [];
  for (const address of await readSnapshotAddresses(list)) {
    try {
      const contents = await openRepositories(publication, [{ name: 'core', address }]);
      return { ...contents, remarks: [...remarks, ...(contents.remarks ?? [])] };
    } catch (error) {
      if (!isPublicationFailure(error)) throw error;
      if (error instanceof BrokenDocument) await publication.distrust?.(error.url);
      failures.push(
        error instanceof NotPublished
          ? new BrokenDocument(mirrorList, `it names ${error.url}, which is not there`)
          : error,
      );
      remarks.push(
        createRemark(
          `The next address that ${mirrorList} names is read instead of ${address}: ${error.message.replace(/\.$/, '')}`,
        ),
      );
    }
  }
  throw failures[0];
}

/**
 * Returns the distinct addresses in the list's order, each with a trailing slash; at least one.
 * @throws BrokenDocument
 */
export async function readSnapshotAddresses(list: Document): Promise<readonly string[]> {
  const lines = (await list.text()).split('\n').map((line) => line.trim());
  const addresses = new Set(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => parseSnapshotAddress(list.url, line)),
  );
  if (addresses.size === 0) throw new BrokenDocument(list.url, `it names no address; ${allowed}`);
  if (addresses.size > maxAddresses)
    throw new BrokenDocument(list.url, `it names ${addresses.size} addresses; ${allowed}`);
  return [...addresses];
}

const allowed = `allowed are 1 to ${maxAddresses} lines with an address each, such as https://${host}/al2023/core/guids/…/x86_64/: https, that host, no password, query or fragment`;

function parseSnapshotAddress(list: string, line: string): string {
  const url = URL.canParse(line) ? new URL(line) : null;
  const plain =
    url !== null && `${url.origin}${url.pathname}` === url.href && !/[?#\\\s]/.test(line);
  if (!plain || url.origin !== `https://${host}`) {
    const shown = line.length > 100 ? `${line.slice(0, 100)}…` : line;
    throw new BrokenDocument(list, `'${shown}' is not an address of a snapshot; ${allowed}`);
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}
