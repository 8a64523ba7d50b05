/** Writes a catalogue bundle while it is read from the database. */
import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { ZipFile } from 'yazl';
import type { Queryable } from '../../platform/database/database.ts';
import { productVersion } from '../../platform/http/product-version.ts';
import type { ServiceSigner } from '../../platform/secrets/service-signer.ts';
import {
  type BundleManifest,
  bundleFormat,
  bundleVersion,
  listFileName,
  manifestName,
  signatureName,
} from './bundle-manifest.ts';
import { bundleLines, countOfBundle, partsOfList, type SinceRun } from './bundle-rows-store.ts';

export interface BundleToWrite {
  readonly sources: readonly string[];
  /** Null: all that is listed. */
  readonly since: SinceRun | null;
  readonly signer: ServiceSigner;
  readonly now: number;
  readonly onTotal?: (rows: number) => void;
  readonly onRows?: (list: CatalogueList, rows: number) => void;
  readonly signal?: AbortSignal;
}

/** Inside a transaction that sees one moment. */
export async function writeBundle(
  tx: Queryable,
  output: Writable,
  bundle: BundleToWrite,
): Promise<BundleManifest> {
  const zip = new ZipFile();
  const failed = new AbortController();
  zip.on('error', (error: unknown) => failed.abort(error));
  const written = pipeline(Readable.from(zip.outputStream as AsyncIterable<Buffer>), output, {
    signal: failed.signal,
  });
  // Told where the manifest is awaited; heard here, so that it is never unheard.
  written.catch(() => undefined);
  const manifest = await Promise.race([
    addLists(tx, zip, bundle),
    written.then(() => Promise.reject(new Error('The bundle ended early'))),
  ]);
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const { publicKey } = bundle.signer;
  zip.addBuffer(text, manifestName);
  zip.addBuffer(
    Buffer.from(
      JSON.stringify({ algorithm: 'Ed25519', publicKey, signature: bundle.signer.sign(text) }),
    ),
    signatureName,
  );
  zip.end();
  await written;
  return manifest;
}

async function addLists(
  tx: Queryable,
  zip: ZipFile,
  bundle: BundleToWrite,
): Promise<BundleManifest> {
  const { sources, since, now, onTotal } = bundle;
  const lists = catalogueLists.filter(({ source }) => source !== null && sources.includes(source));
  let total = 0;
  for (const list of lists) total += await countOfBundle(tx, list, since);
  onTotal?.(total);
  const manifest: BundleManifest = {
    format: bundleFormat,
    version: bundleVersion,
    product: productVersion,
    madeAt: now,
    sources: [...sources],
    since: since?.startedAt ?? null,
    lists: [],
  };
  for (const list of lists) manifest.lists.push(await addList(tx, zip, list, bundle));
  return manifest;
}

/** Resolves when the list's last line has been taken. */
function addList(
  tx: Queryable,
  zip: ZipFile,
  list: CatalogueList,
  { since, onRows, signal }: BundleToWrite,
): Promise<BundleManifest['lists'][number]> {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256');
    let rows = 0;
    let bytes = 0;
    async function* text(): AsyncGenerator<Buffer> {
      try {
        for await (const lines of bundleLines(tx, list, since)) {
          signal?.throwIfAborted();
          const piece = Buffer.from(`${lines.join('\n')}\n`);
          hash.update(piece);
          rows += lines.length;
          bytes += piece.length;
          onRows?.(list, lines.length);
          yield piece;
        }
        const parts = since === null ? await partsOfList(tx, list) : [];
        const file = listFileName(list.key);
        resolve({
          list: list.key,
          source: list.source ?? '',
          file,
          rows,
          bytes,
          sha256: hash.digest('hex'),
          parts: [...parts],
        });
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }
    }
    zip.addReadStream(
      Readable.from(text(), { objectMode: false, highWaterMark: 1 }),
      listFileName(list.key),
      { forceZip64Format: true },
    );
  });
}
