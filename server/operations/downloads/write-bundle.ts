/** Writes a catalogue bundle while it is read from the database. */
import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { riskSourceKeys } from '@patch/catalogue/definition/risk-facts.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { sourceKeys, sourceLabels } from '@patch/catalogue/sources.ts';
import { ZipFile } from 'yazl';
import type { Queryable } from '../../platform/database/database.ts';
import { productVersion } from '../../platform/http/product-version.ts';
import type { ServiceSigner } from '../../platform/secrets/service-signer.ts';
import {
  type BundleFile,
  type BundleManifest,
  bundleFormat,
  bundleVersion,
  listFileName,
  manifestName,
  riskFileName,
  signatureName,
  statusFileName,
} from './bundle-manifest.ts';
import { countRiskLines, isAlwaysComplete, readRiskLines } from './bundle-risk-store.ts';
import { countBundleRows, readBundleLines, readParts, type SinceRun } from './bundle-rows-store.ts';
import { readStatusLines, readStatusParts } from './bundle-status-store.ts';

export interface BundleToWrite {
  readonly sources: readonly string[];
  /** Null: all listed records. */
  readonly since: SinceRun | null;
  readonly signer: ServiceSigner;
  readonly now: number;
  readonly onTotal?: (rows: number) => void;
  readonly onRows?: (written: { readonly label: string }, rows: number) => void;
  readonly signal?: AbortSignal;
}

/** Requires a transaction with snapshot isolation. */
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
  // The error is reported where `written` is awaited; this handler prevents an unhandled rejection.
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
  for (const list of lists) total += await countBundleRows(tx, list, since);
  const risk = riskSourceKeys.filter((source) => sources.includes(source));
  for (const source of risk) total += await countRiskLines(tx, source, since);
  onTotal?.(total);
  const manifest: BundleManifest = {
    format: bundleFormat,
    version: bundleVersion,
    product: productVersion,
    madeAt: now,
    sources: [...sources],
    since: since?.startedAt ?? null,
    ...(since !== null && { follows: since.follows }),
    lists: [],
    risk: [],
    statuses: [],
  };
  for (const list of lists) {
    const lines = readBundleLines(tx, list, since);
    const written = await addLines(zip, { file: listFileName(list.key), lines, of: list }, bundle);
    const parts = since === null ? await readParts(tx, list) : [];
    manifest.lists.push({
      list: list.key,
      source: list.source ?? '',
      ...written,
      parts: [...parts],
    });
  }
  for (const source of risk) {
    const lines = readRiskLines(tx, source, since);
    const of = { label: sourceLabels[source] };
    const written = await addLines(zip, { file: riskFileName(source), lines, of }, bundle);
    manifest.risk.push({ source, ...written, whole: isAlwaysComplete(source) });
  }
  for (const source of sourceKeys.filter((one) => sources.includes(one))) {
    const parts = await readStatusParts(tx, source);
    if (parts.length === 0) continue;
    const lines = readStatusLines(tx, source);
    const of = { label: sourceLabels[source] };
    // They are few beside the records, and not counted with them.
    const written = await addLines(
      zip,
      { file: statusFileName(source), lines, of },
      { ...bundle, onRows: () => {} },
    );
    manifest.statuses.push({ source, ...written, parts: [...parts] });
  }
  return manifest;
}

interface LinesToAdd {
  readonly file: string;
  readonly lines: AsyncIterable<readonly string[]>;
  readonly of: { readonly label: string };
}

/** Resolves when the last line has been taken. */
function addLines(
  zip: ZipFile,
  { file, lines, of }: LinesToAdd,
  { onRows, signal }: BundleToWrite,
): Promise<BundleFile> {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256');
    let rows = 0;
    let bytes = 0;
    async function* text(): AsyncGenerator<Buffer> {
      try {
        for await (const batch of lines) {
          signal?.throwIfAborted();
          const piece = Buffer.from(`${batch.join('\n')}\n`);
          hash.update(piece);
          rows += batch.length;
          bytes += piece.length;
          onRows?.(of, batch.length);
          yield piece;
        }
        resolve({ file, rows, bytes, sha256: hash.digest('hex') });
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }
    }
    zip.addReadStream(Readable.from(text(), { objectMode: false, highWaterMark: 1 }), file, {
      forceZip64Format: true,
    });
  });
}
