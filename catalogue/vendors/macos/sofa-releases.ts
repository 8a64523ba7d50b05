/** Reads SOFA, a list of macOS releases with their CVEs that Mac administrators derive from Apple's pages every hour. */
import { z } from 'zod';
import type { Document } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { readJsonDocument } from '../../parsers/read-json-document.ts';
import { requiredText } from '../../values/vendor-forms.ts';
import { findUnknownCves, invalidReason, toWebAddress, toWord } from '../../values/vendor-words.ts';
import { parseMacosMajor, removeTrailingZeros } from './macos-release-name.ts';
import { collectCves, type SecurityRelease } from './macos-security-release.ts';

export const sofaAddress = 'https://sofafeed.macadmins.io/v1/macos_data_feed.json';

export interface SofaReleases {
  readonly releases: readonly SecurityRelease[];
  /** By plain version: 26 for 26.0. */
  readonly builds: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of releases that cannot be read, each with the reason. */
  readonly unreadable: readonly string[];
}

const latestForm = z.object({ ProductVersion: requiredText, Build: requiredText });
const versionAndBuild = z.object({ version: requiredText, build: requiredText });
const listForm = z.object({
  OSVersions: z
    .array(z.object({ Latest: z.unknown().optional(), SecurityReleases: z.array(z.unknown()) }))
    .min(1),
  InstallationApps: z
    .object({ LatestUMA: z.unknown().optional(), AllPreviousUMA: z.array(z.unknown()).nullish() })
    .nullish(),
});
const systemName = z.string().regex(/^(?:macOS|OS X|Mac OS X)\b/, 'it is of another system');
const releaseForm = z.object({
  UpdateName: systemName.nullish(),
  ProductVersion: requiredText,
  SecurityInfo: z.string().nullish(),
  /** Whether each was exploited; newer feeds have an object instead of the flag. */
  CVEs: z.record(z.string(), z.unknown()),
  ActivelyExploitedCVEs: z.array(z.unknown()),
  Build: z.string().nullish(),
  AllBuilds: z.array(z.string()).nullish(),
});

/** @throws BrokenDocument for anything but the list of releases */
export async function readSofa(document: Document): Promise<SofaReleases> {
  const list = await readJsonDocument(document, listForm, 'a list of releases');
  const releases: SecurityRelease[] = [];
  const builds = new Map<string, Set<string>>();
  const unreadable: string[] = [];
  const noteBuild = (version: string, build: string) => {
    const key = removeTrailingZeros(version);
    builds.set(key, (builds.get(key) ?? new Set()).add(build));
  };

  for (const { Latest, SecurityReleases } of list.OSVersions) {
    const latest = latestForm.safeParse(Latest);
    if (latest.success) noteBuild(latest.data.ProductVersion, latest.data.Build);
    else if (Latest !== undefined) unreadable.push(`Latest (${invalidReason(latest.error)})`);
    for (const [index, record] of SecurityReleases.entries()) {
      const form = releaseForm.safeParse(record);
      if (!form.success) {
        unreadable.push(
          `${getName(record) ?? `release ${index + 1}`} (${invalidReason(form.error)})`,
        );
        continue;
      }
      for (const build of [form.data.Build, ...(form.data.AllBuilds ?? [])])
        if (build) noteBuild(form.data.ProductVersion, build);
      const written = [...Object.keys(form.data.CVEs), ...form.data.ActivelyExploitedCVEs];
      for (const { word } of findUnknownCves(written, true))
        unreadable.push(`${form.data.ProductVersion} (${word} is not a CVE id)`);
      const release = toRelease(form.data);
      if (release !== null) releases.push(release);
    }
  }
  const { LatestUMA, AllPreviousUMA } = list.InstallationApps ?? {};
  const previous = (AllPreviousUMA ?? []).entries();
  const installers = [
    ...(LatestUMA === undefined ? [] : [['LatestUMA', LatestUMA] as const]),
    ...[...previous].map(([index, item]) => [`AllPreviousUMA ${index + 1}`, item] as const),
  ];
  for (const [name, installer] of installers) {
    const form = versionAndBuild.safeParse(installer);
    if (form.success) noteBuild(form.data.version, form.data.build);
    else unreadable.push(`${name} (${invalidReason(form.error)})`);
  }
  if (releases.length === 0) throw new BrokenDocument(document.url, 'it names no release');
  return { releases, builds, unreadable };
}

/** Returns null when no page and no CVE is stated. 'No published CVE entries' is a statement; its page is Apple's index. */
function toRelease({
  ProductVersion,
  SecurityInfo,
  CVEs,
  ActivelyExploitedCVEs,
}: z.infer<typeof releaseForm>): SecurityRelease | null {
  const [, version = ProductVersion, extra = null] =
    /^(\S+)\s+(\([a-z]\))$/.exec(ProductVersion) ?? [];
  const exploited = new Set(ActivelyExploitedCVEs);
  const cves = collectCves([
    ...Object.entries(CVEs).map(
      ([cve, value]) => [cve, value === true || exploited.has(cve)] as const,
    ),
    ...[...exploited].map((cve) => [cve, true] as const),
  ]);
  const page = toWebAddress(SecurityInfo);
  if (page === null && cves.size === 0) return null;
  return {
    name: { kind: 'macOS', version, extra, supplemental: false, major: parseMacosMajor(version) },
    cves,
    page,
    statedBy: 'SOFA',
  };
}

function getName(record: unknown): string | null {
  const update = z.object({ UpdateName: z.string() }).safeParse(record);
  return update.success ? toWord(update.data.UpdateName) : null;
}
