/** Parser of a Homebrew cask: the newest version of one macOS application. Older casks lack some members. */
import { z } from 'zod';
import type { ReleasePackage } from './release-package.ts';

const variationForm = z.object({
  url: z.string().optional(),
  sha256: z.unknown().optional(),
  version: z.string().optional(),
});
const caskForm = z.object({
  version: z.string().trim().regex(/^\S+$/, 'it is not a version'),
  url: z.string(),
  sha256: z.unknown().optional(),
  token: z.string().nullish(),
  name: z.array(z.string()).nullish(),
  desc: z.string().nullish(),
  homepage: z.string().nullish(),
  depends_on: z.unknown().optional(),
  variations: z.record(z.string(), variationForm).nullish(),
});

type Variation = z.infer<typeof variationForm>;

export interface Cask {
  readonly token: string | null;
  readonly version: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly homepage: string | null;
  readonly packages: readonly ReleasePackage[];
  /** Members whose values have another form. */
  readonly unfit: readonly string[];
}

/** Returns the error instead of a cask when the value is not a cask. */
export function readCask(
  value: unknown,
): { readonly cask: Cask } | { readonly cask: null; readonly error: z.ZodError } {
  const form = caskForm.safeParse(value);
  if (!form.success) return { cask: null, error: form.error };
  const { data } = form;
  const minimumOsVersion = parseMinimumMacos(data.depends_on);
  const sums = [data.sha256, ...Object.values(data.variations ?? {}).map(({ sha256 }) => sha256)];
  const packages = listDownloads(data).map(
    ({ architecture, url, sha256, version }): ReleasePackage => ({
      version: shortenVersion(version ?? data.version),
      platform: 'MACOS',
      architecture,
      minimumOsVersion,
      url,
      checksum: isSum(sha256) ? sha256.toLowerCase() : null,
      type: null,
      locale: null,
      scope: null,
    }),
  );
  const version = shortenVersion(data.version);
  return {
    cask: {
      token: data.token ?? null,
      version,
      name: data.name?.[0] ?? null,
      description: data.desc ?? null,
      homepage: data.homepage ?? null,
      packages,
      unfit: [
        ...(sums.every(
          (sum) => sum === undefined || sum === null || sum === 'no_check' || isSum(sum),
        )
          ? []
          : ['sha256']),
        ...(dependsOnForm.safeParse(data.depends_on).success ? [] : ['depends_on']),
      ],
    },
  };
}

const isSum = (value: unknown): value is string =>
  typeof value === 'string' && /^[\da-f]{64}$/i.test(value);

const dependsOnForm = z
  .object({ macos: z.record(z.string(), z.array(z.string())).nullish() })
  .nullish();

/** After the comma the version has parts that only the address needs. */
const shortenVersion = (version: string) => version.split(',', 1)[0]?.trim() || version;

type Download = Variation & { readonly architecture: string; readonly url: string };

/** The top-level download is for the processor without a variation, or for all without variations. */
function listDownloads(cask: z.infer<typeof caskForm>): Download[] {
  const differing = Object.entries(cask.variations ?? {}).flatMap(([system, variation]) =>
    variation.url === undefined || variation.url === cask.url || system.endsWith('_linux')
      ? []
      : [
          {
            ...variation,
            url: variation.url,
            architecture: system.startsWith('arm64_') ? 'arm64' : 'x64',
          },
        ],
  );
  const taken = new Set(differing.map(({ architecture }) => architecture));
  const architecture = taken.size === 0 ? 'neutral' : taken.has('arm64') ? 'x64' : 'arm64';
  return [{ url: cask.url, sha256: cask.sha256, architecture }, ...differing];
}

/** Reads `{"macos": {">=": ["10.12"]}}`; older casks have another form. */
function parseMinimumMacos(dependsOn: unknown): string | null {
  const found = z
    .object({ macos: z.object({ '>=': z.array(z.string()).min(1) }) })
    .safeParse(dependsOn);
  return found.success ? (found.data.macos['>='][0] ?? null) : null;
}
