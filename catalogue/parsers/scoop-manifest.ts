/** Reads a manifest of Scoop's buckets: one application in its newest version. */
import { z } from 'zod';
import { invalidReason } from '../values/vendor-words.ts';

export interface ScoopManifest {
  readonly version: string;
  readonly description: string | null;
  readonly homepage: string | null;
  readonly downloads: readonly ScoopDownload[];
  /** Architectures that are new in Scoop; their downloads carry these names. */
  readonly unknownArchitectures: readonly string[];
  /** Hashes that are none. */
  readonly unfit: readonly string[];
}

export interface ScoopDownload {
  /** x64, x86, arm64, or another name as written; null for a download for all architectures. */
  readonly architecture: string | null;
  readonly url: string;
  /** As written: SHA-256, or another hash with its name before a colon. */
  readonly hash: string | null;
}

export class InvalidScoopManifest extends Error {
  override readonly name = 'InvalidScoopManifest';
}

const oneOrMany = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .optional()
  .transform((many) => many ?? []);
const downloadForm = z.object({ url: oneOrMany, hash: oneOrMany });
const manifestForm = z.object({
  version: z.string().trim().regex(/^\S+$/, 'it is not a version'),
  description: z.string().nullish(),
  homepage: z.string().nullish(),
  ...downloadForm.shape,
  architecture: z.record(z.string(), downloadForm).optional(),
});

const architectures: Readonly<Record<string, string>> = {
  '64bit': 'x64',
  '32bit': 'x86',
  arm64: 'arm64',
};

/** Throws InvalidScoopManifest. */
export function readScoopManifest(text: string): ScoopManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidScoopManifest('it is not valid JSON', { cause: error });
  }
  const form = manifestForm.safeParse(value);
  if (!form.success) throw new InvalidScoopManifest(invalidReason(form.error));
  const { version, description, homepage, architecture = {} } = form.data;
  const known = Object.keys(architectures);
  const unknownArchitectures = Object.keys(architecture).filter(
    (written) => !known.includes(written),
  );
  const own = [...known, ...unknownArchitectures].flatMap((written) =>
    toDownloads(
      (Object.hasOwn(architectures, written) ? architectures[written] : undefined) ?? written,
      architecture[written],
      form.data,
    ),
  );
  const downloads = own.length > 0 ? own : toDownloads(null, form.data, form.data);
  return {
    version,
    description: description?.trim() || null,
    homepage: homepage?.trim() || null,
    downloads,
    unknownArchitectures,
    unfit: readHashes(form.data).every((hash) => hashForm.test(hash)) ? [] : ['hash'],
  };
}

const hashForm = /^\s*(?:\w+:)?[\da-f]+\s*$/i;

const readHashes = ({ hash, architecture = {} }: z.infer<typeof manifestForm>): string[] => [
  ...hash,
  ...Object.values(architecture).flatMap((own) => own.hash),
];

type Downloads = z.infer<typeof downloadForm>;

/** An architecture inherits missing values. The name to save the file as follows `#/` and is removed. */
function toDownloads(
  architecture: ScoopDownload['architecture'],
  own: Downloads | undefined,
  all: Downloads,
): ScoopDownload[] {
  if (own === undefined) return [];
  const urls = own.url.length > 0 ? own.url : all.url;
  const hashes = own.hash.length > 0 ? own.hash : all.hash;
  return urls.map((url, index) => ({
    architecture,
    url: url.replace(/#\/.*$/, ''),
    hash: /^(?:\w+:)?[\da-f]+$/.exec(hashes[index]?.trim().toLowerCase() ?? '')?.[0] ?? null,
  }));
}
