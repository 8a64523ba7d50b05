/**
 * Reads a catalogue bundle and trusts nothing: signature, checksums and every record are validated. A BundleRefused says what is
 * wrong.
 */
import { buffer } from 'node:stream/consumers';
import type { RiskFacts, RiskSourceKey } from '@patch/catalogue/definition/risk-facts.ts';
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import { findProblem } from '../../ingest/reading/check-entry.ts';
import { isSignedBy, toFingerprint } from '../../platform/secrets/service-signer.ts';
import { asDamaged, damaged, jsonOrNull, signedLines } from './bundle-lines.ts';
import {
  BundleLine,
  BundleManifest,
  BundleRefused,
  BundleSignature,
  BundleStatus,
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

/** What a source says of vulnerabilities without a fix. */
export interface BundleStatuses {
  readonly source: SourceKey;
  readonly parts: readonly string[];
  /** Yields all statuses in batches. The last batch ends the check of the signature's digest. */
  readonly statuses: () => AsyncGenerator<readonly BundleStatus[]>;
}

export interface ReadableBundle {
  readonly manifest: BundleManifest;
  readonly signedBy: TrustedKey;
  readonly lists: readonly BundleList[];
  readonly risk: readonly BundleRisk[];
  readonly statuses: readonly BundleStatuses[];
  close(): void;
}

const largestManifest = 4 * 1024 ** 2;
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
      ...manifest.statuses.map(({ file }) => file),
    ]);
    const unexpected = [...zip.sizes.keys()].find((name) => !expected.has(name));
    if (unexpected !== undefined)
      throw damaged(`it contains ${unexpected}, which is not in its manifest.`);
    return {
      manifest,
      signedBy,
      lists: manifest.lists.map((described) => bundleList(zip, manifest, described)),
      risk: manifest.risk.map((described) => bundleRisk(zip, manifest, described)),
      statuses: manifest.statuses.map((described) => bundleStatuses(zip, described)),
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

function bundleStatuses(
  zip: OpenZip,
  described: BundleManifest['statuses'][number],
): BundleStatuses {
  async function* statuses(): AsyncGenerator<readonly BundleStatus[]> {
    for await (const { texts, first } of signedLines(zip, described))
      yield texts.map((text, index) => {
        const read = BundleStatus.safeParse(jsonOrNull(text));
        if (read.success) return read.data;
        throw damaged(`line ${first + index} of ${described.file} is invalid.`);
      });
  }
  const { source, parts } = described;
  return { source, parts, statuses };
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
