/** The manifest of a catalogue bundle. The bundle is a zip of this manifest, its signature, and a file of JSON lines for each list. */
import { statusWords } from '@patch/catalogue/definition/package-status.ts';
import { riskSourceKeys } from '@patch/catalogue/definition/risk-facts.ts';
import { sourceKeys } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { type ServiceSigner, serviceSigner } from '../../platform/secrets/service-signer.ts';

export const bundleFormat = 'patch-repository catalogue bundle';
export const bundleVersion = 4;
export const manifestName = 'manifest.json';
export const signatureName = 'signature.json';
export const listFileName = (list: string) => `lists/${list}.jsonl`;
export const statusFileName = (source: string) => `statuses/${source}.jsonl`;
export const riskFileName = (source: string) => `risk/${source}.jsonl`;

const count = z.number().int().min(0);

/** Parsed before the rest, since a newer format may differ in everything else. */
export const ManifestHead = z.object({
  format: z.literal(bundleFormat),
  version: z.number().int().min(1),
  product: z.string(),
});

const fileShape = {
  file: z.string(),
  rows: count,
  bytes: count,
  sha256: z.string().regex(/^[\da-f]{64}$/),
};
/** The description of a file of JSON lines. */
export const BundleFile = z.object(fileShape);
export type BundleFile = z.infer<typeof BundleFile>;

export const BundleManifest = ManifestHead.extend({
  madeAt: count,
  sources: z.array(z.string()).min(1),
  /** The start of its changes; null: it contains all listed records. */
  since: count.nullable(),
  /** The end of the run before its changes, 0 without one: a bundle that was made after it has the state that they change. Absent in earlier bundles. */
  follows: count.optional(),
  lists: z.array(
    z.object({
      list: z.string(),
      source: z.string(),
      ...fileShape,
      /** The parts that a full bundle contains completely. */
      parts: z.array(z.string()),
    }),
  ),
  risk: z
    .array(
      z.object({
        source: z.enum(riskSourceKeys),
        ...fileShape,
        /** True: CVEs that are absent are unknown to the source. */
        whole: z.boolean(),
      }),
    )
    .default([]),
  /** What vendors say of vulnerabilities without a fix: always all statuses of these parts of the source. A bundle of format 3 has none. */
  statuses: z
    .array(z.object({ source: z.enum(sourceKeys), ...fileShape, parts: z.array(z.string()) }))
    .default([]),
});
export type BundleManifest = z.infer<typeof BundleManifest>;

export const BundleSignature = z.object({
  algorithm: z.literal('Ed25519'),
  publicKey: z.string(),
  signature: z.string(),
});

/** One line of a list's file. */
export const BundleLine = z.union([
  z.strictObject({
    key: z.string(),
    part: z.string(),
    /** Former keys of the record: the importing installation may know it by one of them. */
    formerKeys: z.array(z.string()).optional(),
    hash: z.string().min(1).max(200),
    row: z.record(z.string(), z.unknown()),
    detail: z.record(z.string(), z.unknown()),
  }),
  /** The vendor no longer lists the record. */
  z.strictObject({ key: z.string(), part: z.string(), withdrawn: z.literal(true) }),
]);
export type BundleLine = z.infer<typeof BundleLine>;

const oneLine = z.string().regex(/^[^\n\0]{1,255}$/);

/** One line of the statuses of a source. */
export const BundleStatus = z.strictObject({
  part: oneLine,
  release: oneLine,
  package: oneLine,
  cve: z.string().regex(/^CVE-\d{4}-\d{4,19}$/),
  word: z.enum(statusWords),
});
export type BundleStatus = z.infer<typeof BundleStatus>;

/** Only withdrawals have the property `withdrawn`. */
export const isWithdrawal = (line: BundleLine): line is Extract<BundleLine, { withdrawn: true }> =>
  (line as { readonly withdrawn?: true }).withdrawn === true;

/** Returns the records that had other natural keys before. */
export function findRenamed(
  lines: readonly BundleLine[],
): { readonly key: string; readonly formerKeys: readonly string[] }[] {
  return lines.flatMap((line) =>
    isWithdrawal(line) || line.formerKeys === undefined
      ? []
      : { key: line.key, formerKeys: line.formerKeys },
  );
}

/** Adds the keys of a list or a risk source to those that its file has had so far. */
export function addOnce(met: Set<string>, label: string, keys: readonly string[]): void {
  for (const key of keys) {
    if (met.has(key))
      throw new BundleRefused(`The bundle is damaged: ${label} has ${key} twice. Export it again.`);
    met.add(key);
  }
}

export const noChanges = (list: string, label: string) => ({
  list,
  label,
  added: 0,
  changed: 0,
  withdrawn: 0,
  unchanged: 0,
});

/** The bundle cannot be imported; the message says why. */
export class BundleRefused extends Error {
  override readonly name = 'BundleRefused';
}

/** @param secret The service's key. */
export function bundleSigner(secret: Uint8Array): ServiceSigner {
  return serviceSigner(secret, 'patch-repository catalogue bundles');
}
