/**
 * Catalogue bundles of other installations: uploaded, checked by a dry run that reports the changes, then applied; and the keys
 * that are trusted.
 */
import { z } from 'zod';
import { Message, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { JobId, jobShape } from './download-endpoints.ts';

/** Limit of an upload, in bytes. */
export const largestBundle = 4 * 1024 ** 3;

/** Changes of a list by a bundle, planned or applied. */
export const BundleListChanges = z.object({
  list: z.string(),
  label: z.string(),
  added: z.number().int(),
  changed: z.number().int().describe('Including records that were withdrawn and are listed again'),
  withdrawn: z.number().int(),
  unchanged: z.number().int(),
});
export type BundleListChanges = z.infer<typeof BundleListChanges>;

/**
 * 'older': a newer bundle of the installation was applied before. 'gap': no bundle was applied that reaches to the start of its changes.
 * 'withdrawals': more records would be withdrawn than a sync withdraws without approval.
 */
export const bundleConcernKinds = ['older', 'gap', 'withdrawals'] as const;
export const BundleConcern = z.object({ kind: z.enum(bundleConcernKinds), words: z.string() });
export type BundleConcern = z.infer<typeof BundleConcern>;
export const AcceptedConcerns = z.array(z.enum(bundleConcernKinds)).max(bundleConcernKinds.length);

export const BundleReport = z.object({
  /** When the bundle was created. */
  madeAt: z.number().int(),
  /** 'this installation', or the name of the trusted key. */
  signedBy: z.string(),
  fingerprint: z.string(),
  /** Names of the families. */
  families: z.array(z.string()),
  /** When the changes in it begin; null when it contains everything that was listed. */
  since: z.number().int().nullable(),
  lists: z.array(BundleListChanges),
  /** Concerns that must be accepted before it is applied. */
  concerns: z.array(BundleConcern),
  /** Null until it is applied. */
  appliedAt: z.number().int().nullable(),
});
export type BundleReport = z.infer<typeof BundleReport>;

export const BundleImport = z.object({
  ...jobShape,
  /** Once done, a bundle in the step `check` can be applied, and one in `apply` has been. */
  step: z.enum(['check', 'apply']),
  /** Null until it was checked. */
  report: BundleReport.nullable(),
});
export type BundleImport = z.infer<typeof BundleImport>;

const tag = 'Downloads';

const admins = { tag, access: 'admin', scope: 'manage' } as const;
const signedInAdmins = { tag, access: 'admin' } as const;

export const uploadBundleEndpoint = defineEndpoint({
  ...admins,
  name: 'upload_bundle',
  summary: 'Upload a catalogue bundle; it is verified and compared, and nothing changes',
  method: 'POST',
  path: '/downloads/bundle-imports',
  query: z.strictObject({ fileName: z.string().trim().max(200).default('bundle.zip') }),
  receives: 'file',
  reply: BundleImport,
  status: 202,
});

export const bundleImportsEndpoint = defineEndpoint({
  ...admins,
  name: 'bundle_imports',
  summary: 'Uploaded bundles, newest first, each with the changes it would make',
  method: 'GET',
  path: '/downloads/bundle-imports',
  reply: z.object({ objList: z.array(BundleImport), totalCount: z.number().int() }),
});

export const applyBundleEndpoint = defineEndpoint({
  ...admins,
  name: 'apply_bundle',
  summary: 'Apply a verified bundle; if anything fails, nothing changes',
  method: 'POST',
  path: '/downloads/bundle-imports/{id}/apply',
  params: JobId,
  body: z
    .strictObject({
      accept: AcceptedConcerns.default([]).describe(
        'The concerns in its report that the user accepts',
      ),
    })
    .default({ accept: [] }),
  reply: BundleImport,
  status: 202,
});

/** An Ed25519 key. */
export const BundleKey = z.object({
  name: z.string(),
  publicKey: z.string().describe('The 32 bytes in base64'),
  fingerprint: z.string().describe('The first 16 digits of its SHA-256'),
  addedAt: z.number().int(),
  addedBy: z.string(),
});
export type BundleKey = z.infer<typeof BundleKey>;

export const NewBundleKey = z.strictObject({
  name: plainLine(100, 'may have at most 100 characters'),
  publicKey: z
    .string()
    .trim()
    .regex(
      /^[A-Za-z\d+/]{43}=$/,
      'must be the public key as the other installation shows it: 44 characters',
    ),
});

export const bundleKeysEndpoint = defineEndpoint({
  ...admins,
  name: 'bundle_keys',
  summary: 'The key that signs bundles here, and the trusted keys of other installations',
  method: 'GET',
  path: '/downloads/bundle-keys',
  reply: z.object({
    own: BundleKey.pick({ publicKey: true, fingerprint: true }),
    objList: z.array(BundleKey),
    totalCount: z.number().int(),
  }),
});

export const trustBundleKeyEndpoint = defineEndpoint({
  ...signedInAdmins,
  name: 'trust_bundle_key',
  summary: 'Trust bundles from another installation',
  method: 'POST',
  path: '/downloads/bundle-keys',
  body: NewBundleKey,
  reply: BundleKey,
  status: 201,
});

export const distrustBundleKeyEndpoint = defineEndpoint({
  ...signedInAdmins,
  name: 'distrust_bundle_key',
  summary: 'Stop trusting bundles from an installation',
  method: 'DELETE',
  path: '/downloads/bundle-keys/{fingerprint}',
  params: z.object({ fingerprint: z.string().regex(/^[\da-f]{16}$/, 'is not a fingerprint') }),
  reply: Message,
});
