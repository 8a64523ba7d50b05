/** What a catalogue bundle says of itself. The bundle is a zip of this manifest, its signature, and a file of JSON lines for each list. */
import { z } from 'zod';

export const bundleFormat = 'patch-repository catalogue bundle';
/** Since 2 a record may name the keys that it had before. */
export const bundleVersion = 2;
export const manifestName = 'manifest.json';
export const signatureName = 'signature.json';
export const listFileName = (list: string) => `lists/${list}.jsonl`;

const count = z.number().int().min(0);

/** Read before anything else: of a newer format nothing more is understood. */
export const ManifestHead = z.object({ format: z.literal(bundleFormat), version: z.number().int().min(1), product: z.string() });

export const BundleManifest = ManifestHead.extend({
  madeAt: count,
  sources: z.array(z.string()).min(1),
  /** When the changes in it begin; null: it holds all that was listed. */
  since: count.nullable(),
  lists: z.array(
    z.object({
      list: z.string(),
      source: z.string(),
      file: z.string(),
      rows: count,
      bytes: count,
      sha256: z.string().regex(/^[\da-f]{64}$/),
      /** Of a full bundle: the parts of which it holds all rows. */
      parts: z.array(z.string()),
    }),
  ),
});
export type BundleManifest = z.infer<typeof BundleManifest>;

export const BundleSignature = z.object({ algorithm: z.literal('Ed25519'), publicKey: z.string(), signature: z.string() });

/** A line of a list's file. */
export const BundleLine = z.union([
  z.strictObject({
    key: z.string(),
    part: z.string(),
    /** Keys that the record had before: the importing installation may know it by one of them. */
    formerKeys: z.array(z.string()).optional(),
    hash: z.string().min(1).max(200),
    row: z.record(z.string(), z.unknown()),
    detail: z.record(z.string(), z.unknown()),
  }),
  /** Listed no more by its vendor. */
  z.strictObject({ key: z.string(), part: z.string(), withdrawn: z.literal(true) }),
]);
export type BundleLine = z.infer<typeof BundleLine>;

/** The records among them that had other natural keys before. */
export function renamedIn(lines: readonly BundleLine[]): { readonly key: string; readonly formerKeys: readonly string[] }[] {
  return lines.flatMap((line) =>
    'withdrawn' in line || line.formerKeys === undefined ? [] : { key: line.key, formerKeys: line.formerKeys },
  );
}

/** The bundle cannot be taken; the message says why. */
export class BundleRefused extends Error {
  override readonly name = 'BundleRefused';
}
