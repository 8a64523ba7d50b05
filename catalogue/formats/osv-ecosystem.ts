/** Ecosystems of the OSV schema and the releases of this catalogue. See https://ossf.github.io/osv-schema/#affectedpackage-field */
import { distributionId } from '../machines/inventory/distribution-names.ts';
import { needsSubscription } from '../machines/judgement/deb-judgement.ts';
import type { PackageFix } from '../machines/judgement/machine-fixes.ts';
import { isLts, versionsByCodename } from '../vendors/ubuntu/ubuntu-releases.ts';
import { ecosystems } from './osv-lists.ts';

const ubuntuTiers: Readonly<Record<string, string>> = {
  fips: 'Pro:FIPS:',
  'fips-updates': 'Pro:FIPS-updates:',
  'fips-preview': 'Pro:FIPS-preview:',
  realtime: 'Pro:Realtime:',
};

/** The part of the name before the number, of fixes for subscribers of Ubuntu Pro. */
function ubuntuTier(fix: Pick<PackageFix, 'pocket' | 'version'>): string {
  return ubuntuTiers[fix.pocket ?? ''] ?? (needsSubscription(fix) ? 'Pro:' : '');
}

/** Reads `SIG Cloud` of `Rocky Linux SIG Cloud 8`: builds of a group, for machines that use its repositories, are none of the release. */
function readRelease(
  release: string,
  label: string,
): { readonly number: string; readonly group: string } {
  const words = release.slice(label.length + 1).split(' ');
  const number = words.find((word) => /^\d/.test(word)) ?? '';
  return { number, group: words.filter((word) => word !== number).join(' ') };
}

/**
 * Returns the ecosystem of a fix, null for releases of distributions that the schema lacks.
 * @param release - As records write it, without a support tag: `Rocky Linux 8`, `Ubuntu 22.04`.
 */
export function osvEcosystem(
  release: string,
  fix: Pick<PackageFix, 'pocket' | 'version'>,
): string | null {
  for (const { label, ecosystem, before } of Object.values(ecosystems)) {
    if (!release.startsWith(`${label} `)) continue;
    const { number, group } = readRelease(release, label);
    if (ecosystem !== 'Ubuntu')
      return [ecosystem, `${before}${number}`, ...(group === '' ? [] : [group])].join(':');
    return `Ubuntu:${ubuntuTier(fix)}${number}${isLts(number) ? ':LTS' : ''}`;
  }
  return null;
}

/** The machines that an ecosystem or a package URL stands for. */
export interface EcosystemTarget {
  /** The ID of os-release. */
  readonly distribution: string;
  /** Null for all releases of the distribution. */
  readonly release: string | null;
  /** The group of the distribution whose builds are meant, `SIG Cloud`; empty for the distribution's own. */
  readonly group: string;
  /** Includes fixes that only subscribers of the vendor get: `Ubuntu:Pro:18.04:LTS`. */
  readonly isSubscribed: boolean;
}

/** Null for an ecosystem that this catalogue does not have. */
export function parseEcosystem(ecosystem: string): EcosystemTarget | null {
  const [name = '', ...suffix] = ecosystem.split(':');
  const found = Object.entries(ecosystems).find(([, known]) => known.ecosystem === name);
  if (found === undefined) return null;
  const [distribution, { before }] = found;
  if (suffix.length === 0) return { distribution, release: null, group: '', isSubscribed: true };
  const numbered = suffix.map((word) => word.slice(word.startsWith(before) ? before.length : 0));
  const release = numbered.find((word) => /^\d{1,4}(?:\.\d{1,4})*$/.test(word));
  if (release === undefined) return null;
  const group = name === 'Ubuntu' ? '' : numbered.filter((word) => word !== release).join(' ');
  return { distribution, release, group, isSubscribed: suffix.includes('Pro') };
}

/** The names of a release of a target: those of its group alone, and all of a query without a release. */
export function namesOfTarget(
  { distribution, release, group }: EcosystemTarget,
  names: readonly string[],
): readonly string[] {
  const label = ecosystems[distribution]?.label ?? '';
  return release === null
    ? names
    : names.filter((name) => readRelease(name, label).group === group);
}

/** Code names that package URLs carry instead of a number: https://wiki.debian.org/DebianReleases, https://wiki.ubuntu.com/Releases */
const codeNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  debian: {
    squeeze: '6.0',
    wheezy: '7',
    jessie: '8',
    stretch: '9',
    buster: '10',
    bullseye: '11',
    bookworm: '12',
    trixie: '13',
    forky: '14',
  },
  ubuntu: versionsByCodename,
};

/**
 * Null for a namespace that this catalogue does not have, and for a release of another distribution than the namespace's.
 * @param distro - The qualifier: `almalinux-9.4`, `opensuse-leap-15.6`, `bookworm`; empty without one.
 */
export function findUrlTarget(namespace: string, distro: string): EcosystemTarget | null {
  const found = Object.entries(ecosystems).find(([, { namespaces }]) =>
    namespaces.includes(namespace.toLowerCase()),
  );
  if (found === undefined) return null;
  const [distribution] = found;
  if (distro === '') return { distribution, release: null, group: '', isSubscribed: false };
  const [, name = '', word = ''] = /^(?:(.+)-)?([^-]+)$/.exec(distro.toLowerCase()) ?? [];
  if (name !== '' && !isNameOf(distribution, name)) return null;
  const release = /^\d[\d.]*$/.test(word) ? word : (codeNames[distribution]?.[word] ?? null);
  return release === null ? null : { distribution, release, group: '', isSubscribed: false };
}

/** Reads `rocky-linux`, `opensuse-leap` and `leap`. */
const isNameOf = (distribution: string, name: string): boolean =>
  distributionId(name.replaceAll('-', '')) === distribution ||
  distribution === name ||
  distribution.endsWith(`-${name}`);
