/**
 * Reads a catalogue bundle and trusts nothing: signature, checksums and every record are validated. A BundleRefused says what is
 * wrong.
 */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { RiskFacts, RiskSourceKey } from '@patch/catalogue/definition/risk-facts.ts';
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { LineTooLong, textLines } from '@patch/catalogue/parsers/text-lines.ts';
import { sourceLabels } from '@patch/catalogue/sources.ts';
import { findProblem } from '../../ingest/reading/check-entry.ts';
import { isSignedBy, toFingerprint } from '../../platform/secrets/service-signer.ts';
import {
  type BundleFile,
  BundleLine,
  BundleManifest,
  BundleRefused,
  BundleSignature,
  bundleVersion,
  isWithdrawal,
  ManifestHead,
  manifestName,
  signatureName,
} from './bundle-manifest.ts';
import { riskLineSchemas } from './bundle-risk-store.ts';
import { type OpenZip, openZip, ZipBroken } from './zip-entries.ts';

export interface TrustedKey {
  readonly name: string;
  readonly publicKey: string;
}

export interface BundleList {
  readonly list: CatalogueList;
  readonly rows: number;
  readonly parts: readonly string[];
  /** Yields all lines in batches. The last batch ends the check of the signature's digest. */
  lines(): AsyncGenerator<readonly BundleLine[]>;
}

/** The facts of a risk source about CVEs. */
export interface BundleRisk {
  readonly source: RiskSourceKey;
  readonly label: string;
  readonly rows: number;
  /** True: CVEs that are absent are unknown to the source. */
  readonly isComplete: boolean;
  /** Yields all facts in batches. The last batch ends the check of the signature's digest. */
  facts(): AsyncGenerator<readonly RiskFacts[]>;
}

export interface ReadableBundle {
  readonly manifest: BundleManifest;
  readonly signedBy: TrustedKey;
  readonly lists: readonly BundleList[];
  readonly risk: readonly BundleRisk[];
  close(): void;
}

const damaged = (why: string) =>
  new BundleRefused(`The bundle is damaged: ${why} Copy it again, or create another one.`);
const largestManifest = 4 * 1024 ** 2;
const longestLine = 64 * 1024 ** 2;
const batchLines = 500;
const batchCharacters = 1_000_000;

export async function openBundle(
  path: string,
  trusted: readonly TrustedKey[],
): Promise<ReadableBundle> {
  const zip = await openZip(path).catch((error: unknown) => {
    if (error instanceof ZipBroken)
      throw new BundleRefused(
        `The file is not a catalogue bundle, or is damaged: ${error.message}`,
      );
    throw error;
  });
  try {
    const text = await readEntry(zip, manifestName);
    const manifest = parseManifest(text);
    const signedBy = verifySigner(text, await readEntry(zip, signatureName), trusted);
    const expected = new Set([
      manifestName,
      signatureName,
      ...manifest.lists.map(({ file }) => file),
      ...manifest.risk.map(({ file }) => file),
    ]);
    const unexpected = [...zip.sizes.keys()].find((name) => !expected.has(name));
    if (unexpected !== undefined)
      throw damaged(`it contains ${unexpected}, which is not in its manifest.`);
    return {
      manifest,
      signedBy,
      lists: manifest.lists.map((described) => bundleList(zip, manifest, described)),
      risk: manifest.risk.map((described) => bundleRisk(zip, manifest, described)),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function readEntry(zip: OpenZip, name: string): Promise<Buffer> {
  const size = zip.sizes.get(name);
  if (size === undefined)
    throw new BundleRefused(`The file is not a catalogue bundle: it has no ${name}.`);
  if (size > largestManifest) throw damaged(`${name} is too large.`);
  return asDamaged(async () => buffer(await zip.stream(name)), name);
}

/** Reports failures while decompressing as damage of the file. */
async function asDamaged<T>(work: () => Promise<T>, name: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BundleRefused) throw error;
    if (error instanceof LineTooLong) throw damaged(`a line of ${name} is too long.`);
    throw damaged(`${name} cannot be unpacked.`);
  }
}

function parseManifest(text: Buffer): BundleManifest {
  const json = jsonOrNull(text.toString());
  const head = ManifestHead.safeParse(json);
  if (!head.success)
    throw new BundleRefused('The file is not a catalogue bundle of Patch Repository.');
  if (head.data.version > bundleVersion)
    throw new BundleRefused(
      `The bundle has format ${head.data.version}, of version ${head.data.product}; this version reads formats up to ${bundleVersion}. Update this installation first.`,
    );
  const read = BundleManifest.safeParse(json);
  if (!read.success) throw damaged('its manifest is invalid.');
  const unknown = read.data.lists.find(({ list, source }) =>
    catalogueLists.every(({ key, source: own }) => key !== list || own !== source),
  );
  if (unknown !== undefined)
    throw new BundleRefused(
      `The bundle contains the list ${unknown.list}, which this version does not know. It was made by version ${head.data.product}: update this installation first.`,
    );
  return read.data;
}

function verifySigner(manifest: Buffer, text: Buffer, trusted: readonly TrustedKey[]): TrustedKey {
  const read = BundleSignature.safeParse(jsonOrNull(text.toString()));
  if (!read.success) throw damaged('its signature is malformed.');
  const { publicKey, signature } = read.data;
  if (!isSignedBy(publicKey, manifest, signature))
    throw damaged('its signature does not match its manifest.');
  const known = trusted.find((key) => key.publicKey === publicKey);
  if (known === undefined)
    throw new BundleRefused(
      `The bundle is signed by an installation that is not trusted here (key ${toFingerprint(publicKey)}). If you know it, add its public key under trusted keys, and upload the bundle again.`,
    );
  return known;
}

function bundleList(
  zip: OpenZip,
  { product }: BundleManifest,
  described: BundleManifest['lists'][number],
): BundleList {
  const list = catalogueLists.find(({ key }) => key === described.list);
  if (list === undefined) throw new Error(`Unknown list ${described.list}`);
  const { rows, parts } = described;

  async function* lines(): AsyncGenerator<readonly BundleLine[]> {
    for await (const { texts, first } of signedLines(zip, described))
      yield texts.map((text, index) =>
        parseLine(list as CatalogueList, text, first + index, product),
      );
  }
  return { list, rows, parts, lines };
}

function bundleRisk(
  zip: OpenZip,
  { product }: BundleManifest,
  described: BundleManifest['risk'][number],
): BundleRisk {
  const { source, rows } = described;
  const label = sourceLabels[source];

  async function* facts(): AsyncGenerator<readonly RiskFacts[]> {
    for await (const { texts, first } of signedLines(zip, described))
      yield texts.map((text, index) => {
        const read = riskLineSchemas[source].safeParse(jsonOrNull(text));
        if (read.success) return read.data;
        throw new BundleRefused(
          `${label}, line ${first + index} cannot be imported: it is not what this version knows of a CVE. The bundle was made by version ${product}; update this installation if that is newer.`,
        );
      });
  }
  return { source, label, rows, isComplete: described.whole, facts };
}

/**
 * Yields lines in batches with the number of the first line. Throws after the last batch when the file differs from the signed
 * digest.
 */
async function* signedLines(
  zip: OpenZip,
  { file, rows, bytes, sha256 }: BundleFile,
): AsyncGenerator<{ readonly texts: readonly string[]; readonly first: number }> {
  if (zip.sizes.get(file) !== bytes) throw damaged(`${file} is missing, or has the wrong size.`);
  const hash = createHash('sha256');
  let lineCount = 0;
  for await (const texts of readLines(zip, file, (piece) => hash.update(piece))) {
    yield { texts, first: lineCount + 1 };
    lineCount += texts.length;
  }
  if (hash.digest('hex') !== sha256 || lineCount !== rows)
    throw damaged(`${file} differs from the signed content.`);
}

function parseLine(list: CatalogueList, text: string, number: number, product: string): BundleLine {
  const read = BundleLine.safeParse(jsonOrNull(text));
  if (!read.success) throw damaged(`line ${number} of ${listName(list)} is invalid.`);
  const line = read.data;
  const content = isWithdrawal(line)
    ? { row: {}, detail: {} }
    : { row: line.row, detail: line.detail };
  const problem = findProblem({ list, key: line.key, ...content } as Parameters<
    typeof findProblem
  >[0]);
  if (problem !== null)
    throw new BundleRefused(
      `${listName(list)}, line ${number} cannot be imported: ${problem} The bundle was made by version ${product}; update this installation if that is newer.`,
    );
  return line;
}

const listName = ({ label, source }: CatalogueList) =>
  source === null ? label : `${sourceLabels[source]}, ${label}`;

/**
 * Yields complete lines in batches.
 * @param onPiece Receives the raw pieces of the file.
 */
async function* readLines(
  zip: OpenZip,
  file: string,
  onPiece: (piece: Buffer) => void,
): AsyncGenerator<readonly string[]> {
  const stream = await asDamaged(() => zip.stream(file), file);
  let waiting: string[] = [];
  let length = 0;
  let endsWithLine = true;
  async function* texts(): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const piece of stream as AsyncIterable<Buffer>) {
      onPiece(piece);
      const text = decoder.decode(piece, { stream: true });
      if (text !== '') endsWithLine = text.endsWith('\n');
      yield text;
    }
    decoder.decode();
  }
  const lines = textLines(texts(), longestLine);
  try {
    for (;;) {
      const next = await asDamaged(() => lines.next(), file);
      if (next.done === true) break;
      for (const line of next.value) {
        waiting.push(line);
        length += line.length;
        if (waiting.length < batchLines && length < batchCharacters) continue;
        yield waiting;
        waiting = [];
        length = 0;
      }
    }
  } finally {
    await lines.return(undefined);
    stream.destroy();
  }
  if (!endsWithLine) throw damaged(`${file} ends in the middle of a line.`);
  if (waiting.length > 0) yield waiting;
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
