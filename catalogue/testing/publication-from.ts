/** A publication over a folder of fixtures with the layout of a feed mirror, which feed tests read instead of a vendor. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, OpenOptions, Publication } from '../definition/feed.ts';
import { BrokenDocument, createDocument } from '../parsers/create-document.ts';
import { type ListedRecord, listDocument } from '../parsers/list-document.ts';
import { fileInMirror } from '../parsers/mirror-layout.ts';

export interface PublicationOptions {
  /** The engine's clock; the current time when absent. */
  readonly now?: number;
  readonly lastCompleteReadAt?: number | null;
  /** Natural keys that a list already has, by list key. */
  readonly known?: Readonly<Record<string, readonly string[]>>;
  /** Records of other lists of the source, by list key. */
  readonly lists?: Readonly<Record<string, readonly ListedRecord[]>>;
}

/** Reads `https://host/path?query` from `<folder>/host/path@query`. Throws NotPublished for a missing file. */
export function publicationFrom(
  folder: URL | string,
  options: PublicationOptions = {},
): Publication {
  const root = folder instanceof URL || folder.startsWith('file:') ? fileURLToPath(folder) : folder;
  return {
    open: (url, openOptions) => openFixture(root, url, openOptions),
    openList: async (list) => listDocument(list, options.lists?.[list.key] ?? []),
    async known(list, keys) {
      const known = new Set(options.known?.[list.key]);
      return new Set(keys.filter((key) => known.has(key)));
    },
    readLast: async () => [],
    trustedKeys: keysIn(join(root, 'keys')),
    lastCompleteReadAt: options.lastCompleteReadAt ?? null,
    now: () => options.now ?? Date.now(),
  };
}

/** Loads the public keys that sign the fixtures' indexes. */
function keysIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.asc'));
  return names.map((name) => readFileSync(join(folder, name), 'utf8'));
}

async function openFixture(
  root: string,
  url: string,
  options: OpenOptions = {},
): Promise<Document> {
  const file = await fileInMirror(root, url);
  if (file === null) throw new NotPublished(url);
  const body = await readFile(file);
  const { checksum, maxBytes = Number.POSITIVE_INFINITY } = options;
  if (body.length > maxBytes)
    throw new BrokenDocument(url, `it has ${body.length} bytes, at most ${maxBytes} are allowed`);
  if (checksum !== undefined) {
    const sum = createHash(checksum.algorithm).update(body).digest('hex');
    if (sum !== checksum.value)
      throw new BrokenDocument(
        url,
        `its ${checksum.algorithm} is ${sum}, announced was ${checksum.value}`,
      );
  }
  const sha256 = createHash('sha256').update(body).digest('hex');
  // Serves small pieces, to detect readers that only work on complete documents.
  async function* served() {
    for (let at = 0; at < body.length; at += 4096) yield body.subarray(at, at + 4096);
  }
  const document = createDocument(
    { url, sha256, size: body.length, lastModified: null },
    served,
    options,
  );
  await options.readThrough?.(document);
  return document;
}
