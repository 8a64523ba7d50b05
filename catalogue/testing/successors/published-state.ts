/** What a vendor publishes at one time: its files by their path in a mirror, and a publication over them. */
import { readFileSync, realpathSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Document, Feed, OpenOptions, Publication } from '../../definition/feed.ts';
import type { ListDefinition } from '../../definition/list-definition.ts';
import { BrokenDocument, documentOf } from '../../parsers/document-of.ts';
import { type ListedRecord, listDocument } from '../../parsers/list-document.ts';
import { fileInMirror, pathInMirror } from '../../parsers/mirror-layout.ts';
import { publicationFrom } from '../publication-from.ts';
import { bytesOf, type PackedContent, sumOf, unpacked } from './packed-content.ts';

export interface PublishedState {
  /** By path: `host/path@query`. */
  readonly files: ReadonlyMap<string, PackedContent>;
  /** Armored keys that its indexes are signed with. */
  readonly trustedKeys: readonly string[];
}

/** The contents of a folder that is laid out like a mirror, without files beside the hosts' folders. */
export async function publishedIn(
  folder: string,
  trustedKeys: readonly string[],
): Promise<PublishedState> {
  const files = new Map<string, PackedContent>();
  for await (const found of glob('*.*/**', { cwd: folder, withFileTypes: true })) {
    if (!found.isFile()) continue;
    const file = join(found.parentPath, found.name);
    files.set(file.slice(folder.length + 1), await unpacked(readFileSync(file)));
  }
  return {
    files: new Map([...files].toSorted(([one], [other]) => (one < other ? -1 : 1))),
    trustedKeys,
  };
}

/** Only those files of a folder laid out like a mirror that the feed asks for. */
export async function publishedAt(
  folder: string,
  feed: Feed,
  now: number,
  trustedKeys: readonly string[],
): Promise<PublishedState> {
  const paths = new Set<string>();
  const publication = publicationFrom(folder, { now });
  for (const part of feed.parts) {
    const open: Publication['open'] = async (url, options) => {
      const document = await publication.open(url, options);
      const file = await fileInMirror(folder, url);
      if (file !== null) paths.add(relative(realpathSync(folder), realpathSync(file)));
      return document;
    };
    await part.contents({ ...publication, open }).catch((error: unknown) => {
      if (!(error instanceof NotPublished)) throw error;
    });
  }
  const files = new Map<string, PackedContent>();
  for (const path of [...paths].toSorted())
    files.set(path, await unpacked(readFileSync(join(folder, path))));
  return { files, trustedKeys };
}

/** The path of that address among these; null where it is not published. */
export function pathOf(files: PublishedState['files'], url: string): string | null {
  const path = pathInMirror(url);
  if (files.has(path)) return path;
  const [file, query] = splitQuery(path);
  if (query === null) return null;
  return (
    [...files.keys()].find(
      (other) => other.startsWith(`${file}@`) && sameQuery(other.slice(file.length + 1), query),
    ) ?? null
  );
}

export function splitQuery(path: string): [file: string, query: string | null] {
  const at = path.lastIndexOf('@');
  return at > path.lastIndexOf('/') && path.slice(at).includes('=')
    ? [path.slice(0, at), path.slice(at + 1)]
    : [path, null];
}

function sameQuery(one: string, other: string): boolean {
  const sorted = (query: string) =>
    [...new URLSearchParams(query)]
      .map((pair) => pair.join('='))
      .toSorted()
      .join('&');
  return sorted(one) === sorted(other);
}

/** What was asked for: null where it is not published. */
export interface Opening {
  readonly url: string;
  readonly path: string | null;
  readonly sha256: string | null;
  readonly version: string | null;
  /** It was refused: too large, another checksum, or nothing that its reader takes for the document. A feed may read on without it. */
  readonly broken: boolean;
}

export interface StatePublication {
  readonly publication: Publication;
  /** In the order of asking. */
  readonly openings: readonly Opening[];
}

/** As if it were read for the first time, at that time. `lists` are the records of lists that were read before. */
export function publicationOf(
  { files, trustedKeys }: PublishedState,
  now: number,
  lists: (list: ListDefinition) => readonly ListedRecord[],
): StatePublication {
  const openings: Opening[] = [];
  const open = async (url: string, options: OpenOptions = {}): Promise<Document> => {
    const path = pathOf(files, url);
    const file = path === null ? undefined : files.get(path);
    const version = options.version ?? null;
    if (file === undefined) {
      openings.push({ url, path: null, sha256: null, version, broken: false });
      throw new NotPublished(url);
    }
    const body = bytesOf(file);
    const opening = { url, path, sha256: sumOf(body, 'sha256'), version };
    try {
      const document = await verified(body, opening, options);
      openings.push({ ...opening, broken: false });
      return document;
    } catch (error) {
      openings.push({ ...opening, broken: error instanceof BrokenDocument });
      throw error;
    }
  };
  const verified = async (
    body: Buffer,
    { url, sha256 }: Pick<Opening, 'url'> & { readonly sha256: string },
    options: OpenOptions,
  ) => {
    const { checksum, maxBytes = Number.POSITIVE_INFINITY } = options;
    if (body.length > maxBytes)
      throw new BrokenDocument(url, `it has ${body.length} bytes, at most ${maxBytes} are allowed`);
    if (checksum !== undefined && sumOf(body, checksum.algorithm) !== checksum.value) {
      throw new BrokenDocument(url, `its ${checksum.algorithm} is not the one announced`);
    }
    async function* served() {
      yield body;
    }
    const document = documentOf(
      { url, sha256, size: body.length, lastModified: null },
      served,
      options,
    );
    await options.readThrough?.(document);
    return document;
  };
  const publication: Publication = {
    open,
    openList: async (list) => listDocument(list, lists(list)),
    known: async () => new Set(),
    readLast: async () => [],
    trustedKeys,
    readWholeAt: null,
    now: () => now,
  };
  return { publication, openings };
}
