/** Reads the manifests of winget's package catalogue: YAML in which every value is a word (an unquoted 7.10 must not become 7.1). */
import { parse } from 'yaml';
import { z } from 'zod';
import { findUnreadableDate, vendorDate } from '../values/vendor-dates.ts';
import { invalidReason } from '../values/vendor-words.ts';

const word = z
  .string()
  .optional()
  .transform((text) => text?.trim() || null);
const line = word.transform((text) => text?.replaceAll(/\s+/g, ' ') ?? null);

/** A value that is not needed to find and install the package: an invalid one is ignored. */
const extra = word.catch(null);

const switchesForm = z.object({
  Silent: extra,
  SilentWithProgress: extra,
  InstallLocation: extra,
  Custom: extra,
});
type Switches = z.infer<typeof switchesForm>;
const noSwitches: Switches = {
  Silent: null,
  SilentWithProgress: null,
  InstallLocation: null,
  Custom: null,
};

/** The entry of the installed program in Windows. */
const programForm = z.object({ ProductCode: extra, UpgradeCode: extra, DisplayVersion: extra });

/** Values that an installer states itself or inherits from the outermost level. */
const installerWords = {
  Architecture: word,
  InstallerType: word,
  InstallerLocale: word,
  Scope: word,
  InstallerUrl: word,
  InstallerSha256: word,
  MinimumOSVersion: word,
  ReleaseDate: word,
  ProductCode: extra,
};
const installerFields = {
  ...installerWords,
  InstallerSwitches: switchesForm.catch(noSwitches),
  AppsAndFeaturesEntries: z.array(programForm).catch([]),
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
  // `Tags:` without values is a text, not a list.
  Tags: z
    .array(z.unknown())
    .catch([])
    .transform((tags) => tags.filter((tag) => typeof tag === 'string')),
  PackageVersion: extra,
  ReleaseNotes: extra,
  ReleaseNotesUrl: extra,
});

type InstallerFields = z.infer<z.ZodObject<typeof installerFields>>;

export interface WingetInstaller {
  /** x86, x64, arm, arm64, neutral */
  readonly architecture: string | null;
  readonly type: string | null;
  readonly locale: string | null;
  readonly scope: string | null;
  readonly url: string | null;
  readonly sha256: string | null;
  readonly minimumOsVersion: string | null;
  readonly silentSwitches: string | null;
  readonly progressSwitches: string | null;
  readonly locationSwitch: string | null;
  readonly customSwitches: string | null;
  readonly productCode: string | null;
  readonly upgradeCode: string | null;
  readonly displayVersion: string | null;
}

export interface WingetVersion {
  /** Extras of another form, by their names. */
  readonly unfit: readonly string[];
  readonly version: string;
  /** Epoch milliseconds. */
  readonly releaseDate: number | null;
  readonly installers: readonly WingetInstaller[];
}

export interface WingetDescription {
  readonly name: string | null;
  readonly publisher: string | null;
  readonly page: string | null;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** The version that the notes are for. */
  readonly version: string | null;
  readonly notes: string | null;
  readonly notesLink: string | null;
  readonly unfit: readonly string[];
}

/** Explains why a text is not such a manifest. */
export class InvalidManifest extends Error {
  override readonly name = 'InvalidManifest';
}

/** @throws InvalidManifest for a manifest of another package or version. */
export function requireWingetManifest(text: string, id: string, version: string): void {
  const { PackageIdentifier, PackageVersion } = validate(
    z.object({ PackageIdentifier: word, PackageVersion: word }),
    parseYaml(text),
  );
  const isOther = (stated: string | null, expected: string) =>
    stated !== null && stated.toLowerCase() !== expected.toLowerCase();
  if (isOther(PackageIdentifier, id) || isOther(PackageVersion, version))
    throw new InvalidManifest(
      `it is of ${PackageIdentifier ?? id} ${PackageVersion ?? version}, not of ${id} ${version}`,
    );
}

/** Reads `<Id>.installer.yaml`, or a package's only file. @throws InvalidManifest */
export function readWingetInstallers(text: string): WingetVersion {
  const value = parseYaml(text);
  const { PackageVersion, Installers, ...outer } = validate(installerManifest, value);
  const installers = Installers.map((installer) => toInstaller(installer, outer));
  const releaseDate =
    [outer, ...Installers]
      .map((installer) => vendorDate(installer.ReleaseDate))
      .find((date) => date !== null) ?? null;
  return {
    version: PackageVersion,
    releaseDate,
    installers,
    unfit: findUnfit(installerExtras, value),
  };
}

/** Reads `<Id>.locale.<language>.yaml`, or a package's only file. @throws InvalidManifest */
export function readWingetDescription(text: string): WingetDescription {
  const value = parseYaml(text);
  const locale = validate(localeManifest, value);
  return {
    name: locale.PackageName,
    publisher: locale.Publisher,
    page: locale.PackageUrl ?? locale.PublisherUrl,
    description: locale.ShortDescription ?? locale.Description,
    tags: locale.Tags,
    version: locale.PackageVersion,
    notes: locale.ReleaseNotes,
    notesLink: locale.ReleaseNotesUrl,
    unfit: findUnfit(localeExtras, value),
  };
}

/** Valid forms of the extras. YAML writes an empty value for a list or an object that is left out. */
const words = z.string().optional();
const extraFields = z.object({
  ReleaseDate: words.refine((text) => findUnreadableDate(text) === null),
  ProductCode: words,
  InstallerSwitches: z.union([z.literal(''), z.record(z.string(), z.string())]).optional(),
  AppsAndFeaturesEntries: z
    .union([
      z.literal(''),
      z.array(z.object({ ProductCode: words, UpgradeCode: words, DisplayVersion: words })),
    ])
    .optional(),
});
const installerExtras = extraFields.extend({ Installers: z.array(extraFields) });
const localeExtras = z.object({
  Tags: z.union([z.literal(''), z.array(z.string())]).optional(),
  PackageVersion: words,
  ReleaseNotes: words,
  ReleaseNotesUrl: words,
});

/** Returns the names of extras of another form, each once. */
function findUnfit(form: z.ZodType, value: unknown): string[] {
  const names = (form.safeParse(value).error?.issues ?? []).map(({ path }) =>
    path.filter((step) => typeof step === 'string' && step !== 'Installers')[0]?.toString(),
  );
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** The language that `<Id>.yaml` names as the default; null when it is the package's only file. @throws InvalidManifest */
export function readWingetDefaultLocale(text: string): string | null {
  const { DefaultLocale, ManifestType } = validate(
    z.object({ DefaultLocale: word, ManifestType: word }),
    parseYaml(text),
  );
  return ManifestType === 'singleton' ? null : (DefaultLocale ?? 'en-US');
}

/** Inherits each missing value from the outermost level, and each missing switch separately. */
function toInstaller(own: InstallerFields, outer: InstallerFields): WingetInstaller {
  const either = (name: keyof typeof installerWords) => own[name] ?? outer[name];
  const eitherSwitch = (name: keyof Switches) =>
    own.InstallerSwitches[name] ?? outer.InstallerSwitches[name];
  const programs =
    own.AppsAndFeaturesEntries.length > 0
      ? own.AppsAndFeaturesEntries
      : outer.AppsAndFeaturesEntries;
  const findProgramValue = (name: keyof z.infer<typeof programForm>) =>
    programs.map((program) => program[name]).find((value) => value !== null);
  return {
    architecture: either('Architecture')?.toLowerCase() ?? null,
    type: either('InstallerType')?.toLowerCase() ?? null,
    locale: either('InstallerLocale'),
    scope: either('Scope')?.toLowerCase() ?? null,
    url: either('InstallerUrl'),
    sha256: either('InstallerSha256')?.toLowerCase() ?? null,
    minimumOsVersion: either('MinimumOSVersion'),
    silentSwitches: eitherSwitch('Silent'),
    progressSwitches: eitherSwitch('SilentWithProgress'),
    locationSwitch: eitherSwitch('InstallLocation'),
    customSwitches: eitherSwitch('Custom'),
    productCode: either('ProductCode') ?? findProgramValue('ProductCode') ?? null,
    upgradeCode: findProgramValue('UpgradeCode') ?? null,
    displayVersion: findProgramValue('DisplayVersion') ?? null,
  };
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { schema: 'failsafe', logLevel: 'error' });
  } catch (error) {
    throw new InvalidManifest(
      `it is not valid YAML: ${(error as Error).message.split('\n', 1)[0] ?? ''}`,
      { cause: error },
    );
  }
}

function validate<Form extends z.ZodType>(form: Form, value: unknown): z.infer<Form> {
  const read = form.safeParse(value);
  if (!read.success) throw new InvalidManifest(invalidReason(read.error));
  return read.data;
}
