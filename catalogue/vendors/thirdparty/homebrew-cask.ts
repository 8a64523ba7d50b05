/** A cask of Homebrew's: one application for macOS in its newest version. Older ones lack members that newer ones have. */
import { z } from 'zod';
import type { ReleasePackage } from './release-package.ts';

const variationForm = z.object({
  url: z.string().optional(),
  sha256: z.unknown().optional(),
  version: z.string().optional(),
});
const caskForm = z.object({
  version: z.string().trim().regex(/^\S+$/, 'it is no version'),
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

/** Null for a value that is no cask; the error says why. */
export function readCask(
  value: unknown,
): { readonly cask: Cask } | { readonly cask: null; readonly error: z.ZodError } {
  const form = caskForm.safeParse(value);
  if (!form.success) return { cask: null, error: form.error };
  const { data } = form;
  const minimumOsVersion = minimumMacos(data.depends_on);
  const sums = [data.sha256, ...Object.values(data.variations ?? {}).map(({ sha256 }) => sha256)];
  const packages = downloads(data).map(
    ({ architecture, url, sha256, version }): ReleasePackage => ({
      version: shortVersion(version ?? data.version),
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
  const version = shortVersion(data.version);
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

/** Behind the comma is what only the address needs. */
const shortVersion = (version: string) => version.split(',', 1)[0]?.trim() || version;

type Download = Variation & { readonly architecture: string; readonly url: string };

/** The outermost is for the processor that no variation is for; for all where no variation differs. */
function downloads(cask: z.infer<typeof caskForm>): Download[] {
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

/** `{"macos": {">=": ["10.12"]}}`; it was another object's name once. */
function minimumMacos(dependsOn: unknown): string | null {
  const found = z
    .object({ macos: z.object({ '>=': z.array(z.string()).min(1) }) })
    .safeParse(dependsOn);
  return found.success ? (found.data.macos['>='][0] ?? null) : null;
}
