/**
 * Reads all that a mirror's folder has of one source, in a process of its own, and prints how it went, as JSON:
 * node bench/read-mirror.ts <source> <mirror>. Documents come by the engine's own fetcher; only the database is not there.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NotPublished } from '@patch/catalogue/definition/document-errors.ts';
import type {
  Document,
  Part,
  PartManifest,
  Publication,
} from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { listDocument } from '@patch/catalogue/parsers/list-document.ts';
import type { VendorSourceKey } from '@patch/catalogue/sources.ts';
import { DocumentCache } from '@patch/server/ingest/sync/document-cache.ts';
import { Fetcher } from '@patch/server/ingest/sync/fetcher.ts';
import { folderUpstream } from '@patch/server/ingest/sync/folder-upstream.ts';
import { intoRecords } from './into-records.ts';

export interface ReadSource {
  readonly documents: number;
  /** Unpacked. */
  readonly bytes: number;
  readonly records: number;
  /** Finding the documents, copying and verifying them: contents(). */
  readonly opening: number;
  /** From documents to records. */
  readonly reading: number;
}

async function readSource(source: VendorSourceKey, mirror: string): Promise<ReadSource> {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'read-mirror-'));
  const cache = new DocumentCache(cacheFolder);
  await cache.prepare();
  const publication = publicationOf(new Fetcher(folderUpstream(mirror), cache));
  const sum = { documents: 0, bytes: 0, records: 0, opening: 0, reading: 0 };
  try {
    for (const part of vendorFeeds[source]?.parts ?? []) {
      const began = performance.now();
      const contents = await contentsOf(part, publication);
      if (contents === null) continue;
      sum.opening += (performance.now() - began) / 1000;
      const { records, seconds } = await intoRecords(source, part, contents);
      sum.records += records;
      sum.reading += seconds;
      sum.documents += contents.documents.length;
      for (const document of contents.documents) sum.bytes += await sizeOf(document);
    }
  } finally {
    await rm(cacheFolder, { recursive: true, force: true });
  }
  return sum;
}

/** As on a first sync. */
function publicationOf(fetcher: Fetcher): Publication {
  const context = { signal: new AbortController().signal, copyRead: () => undefined };
  return {
    open: (url, options = {}) => fetcher.open(url, options, context),
    openList: (list) => Promise.resolve(listDocument(list, [])),
    known: () => Promise.resolve(new Set()),
    readLast: () => Promise.resolve([]),
    readWholeAt: null,
    now: Date.now,
  };
}

/** Null where the mirror has no document of the part. */
async function contentsOf(part: Part, publication: Publication): Promise<PartManifest | null> {
  try {
    return await part.contents(publication);
  } catch (error) {
    if (error instanceof NotPublished) return null;
    throw error;
  }
}

async function sizeOf(document: Document): Promise<number> {
  let size = 0;
  for await (const piece of document.bytes()) size += piece.length;
  return size;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [source = '', mirror = ''] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(await readSource(source as VendorSourceKey, mirror)));
}
