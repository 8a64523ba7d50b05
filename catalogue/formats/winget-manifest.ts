/** The manifests of winget's package catalogue: YAML, where every value is a word (an unquoted 7.10 must not become 7.1). */
import { parse } from 'yaml';
import { z } from 'zod';
import { whyUnfit } from '../shapes/vendor-words.ts';

const word = z
  .string()
  .optional()
  .transform((text) => text?.trim() || null);
const line = word.transform((text) => text?.replaceAll(/\s+/g, ' ') ?? null);

/** What an installer has of its own or takes from the outermost level. */
const installerFields = {
  Architecture: word,
  InstallerType: word,
  InstallerLocale: word,
  Scope: word,
  InstallerUrl: word,
  InstallerSha256: word,
  MinimumOSVersion: word,
  ReleaseDate: word,
};

const installerManifest = z.object({
  PackageIdentifier: word,
  PackageVersion: z.string().trim().min(1),
  ...installerFields,
  Installers: z.array(z.object(installerFields)).min(1),
});

const localeManifest = z.object({
  PackageName: line,
  Publisher: line,
  PublisherUrl: word,
  PackageUrl: word,
  ShortDescription: word,
  Description: word,
  // `Tags:` with nothing behind it is a text, not a list.
  Tags: z
    .array(z.unknown())
    .catch([])
    .transform((tags) => tags.filter((tag) => typeof tag === 'string')),
});

type InstallerFields = { readonly [Name in keyof typeof installerFields]: string | null };

export interface WingetInstaller {
  /** x86, x64, arm, arm64, neutral */
  readonly architecture: string | null;
  readonly type: string | null;
  readonly locale: string | null;
  readonly scope: string | null;
  readonly url: string | null;
  readonly sha256: string | null;
  readonly minimumOsVersion: string | null;
}

export interface WingetVersion {
  readonly version: string;
  readonly releaseDate: string | null;
  readonly installers: readonly WingetInstaller[];
}

export interface WingetDescription {
  readonly name: string | null;
  readonly publisher: string | null;
  readonly page: string | null;
  readonly description: string | null;
  readonly tags: readonly string[];
}

/** Why a text is no such manifest. */
export class UnfitManifest extends Error {
  override readonly name = 'UnfitManifest';
}

/** `<Id>.installer.yaml`, or the one file of a package that has no others. Throws UnfitManifest. */
export function readWingetInstallers(text: string): WingetVersion {
  const { PackageVersion, Installers, ...outer } = fit(installerManifest, parsed(text));
  const installers = Installers.map((installer) => installerOf(installer, outer));
  const releaseDate = outer.ReleaseDate ?? Installers.map((installer) => installer.ReleaseDate).find((date) => date !== null) ?? null;
  return { version: PackageVersion, releaseDate, installers };
}

/** `<Id>.locale.<language>.yaml`, or the one file. Throws UnfitManifest. */
export function readWingetDescription(text: string): WingetDescription {
  const locale = fit(localeManifest, parsed(text));
  return {
    name: locale.PackageName,
    publisher: locale.Publisher,
    page: locale.PackageUrl ?? locale.PublisherUrl,
    description: locale.ShortDescription ?? locale.Description,
    tags: locale.Tags,
  };
}

/** The language that `<Id>.yaml` names as the default; null when it is the package's only file. Throws UnfitManifest. */
export function readWingetDefaultLocale(text: string): string | null {
  const { DefaultLocale, ManifestType } = fit(z.object({ DefaultLocale: word, ManifestType: word }), parsed(text));
  return ManifestType === 'singleton' ? null : (DefaultLocale ?? 'en-US');
}

/** Each on its own or as the outermost level says for all. */
function installerOf(own: InstallerFields, outer: InstallerFields): WingetInstaller {
  const either = (name: keyof InstallerFields) => own[name] ?? outer[name];
  return {
    architecture: either('Architecture')?.toLowerCase() ?? null,
    type: either('InstallerType')?.toLowerCase() ?? null,
    locale: either('InstallerLocale'),
    scope: either('Scope')?.toLowerCase() ?? null,
    url: either('InstallerUrl'),
    sha256: either('InstallerSha256')?.toLowerCase() ?? null,
    minimumOsVersion: either('MinimumOSVersion'),
  };
}

function parsed(text: string): unknown {
  try {
    return parse(text, { schema: 'failsafe', logLevel: 'error' });
  } catch (error) {
    throw new UnfitManifest(`it is not valid YAML: ${(error as Error).message.split('\n', 1)[0] ?? ''}`, { cause: error });
  }
}

function fit<Form extends z.ZodType>(form: Form, value: unknown): z.infer<Form> {
  const read = form.safeParse(value);
  if (!read.success) throw new UnfitManifest(whyUnfit(read.error));
  return read.data;
}
