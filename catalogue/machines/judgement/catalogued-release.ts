/** Maps a machine's release to its names in the catalogue's lists. */
import { isPreview } from '../inventory/named-release.ts';
import type { Machine } from '../machine.ts';

export interface CataloguedRelease {
  /** Values of osVersion, or of Ubuntu's affected OS without its support tag: `AlmaLinux 8`. Pardus has one for each layer. */
  readonly names: readonly string[];
  readonly family: 'rpm' | 'deb';
  /** False where the records of the distribution never state an epoch. */
  readonly epochs: boolean;
}

/** How names are built, and the number of version components that the vendor publishes by. */
interface Distribution {
  readonly label: string;
  readonly numbers: number;
  /** The first release that has that number; those before it had one more. */
  readonly firstRelease?: number;
  readonly family: 'rpm' | 'deb';
  /** Suffixes of the release, for Pardus: the suites from which a machine takes its updates. */
  readonly layers?: readonly string[];
  /** Prefixes of the release number, for Rocky Linux: groups that publish advisories (RXSA) for machines of the distribution. */
  readonly groups?: readonly string[];
}

const distributions: Readonly<Record<string, Distribution>> = {
  almalinux: { label: 'AlmaLinux', numbers: 1, family: 'rpm' },
  amzn: { label: 'Amazon Linux', numbers: 1, family: 'rpm' },
  centos: { label: 'CentOS', numbers: 1, family: 'rpm' },
  debian: { label: 'Debian', numbers: 1, firstRelease: 7, family: 'deb' },
  ol: { label: 'Oracle Linux', numbers: 1, family: 'rpm' },
  'opensuse-leap': { label: 'openSUSE Leap', numbers: 2, family: 'rpm' },
  pardus: { label: 'Pardus', numbers: 1, family: 'deb', layers: [' deb', ' guvenlik'] },
  rocky: { label: 'Rocky Linux', numbers: 1, family: 'rpm', groups: ['SIG Cloud'] },
  ubuntu: { label: 'Ubuntu', numbers: 2, family: 'deb' },
};

/**
 * Returns null for a distribution without records in the catalogue: its machines are reported as not judged, never as without
 * findings.
 */
export function cataloguedRelease({
  distribution,
  release,
}: Pick<Machine, 'distribution' | 'release'>): CataloguedRelease | null {
  if (distribution === null || !Object.hasOwn(distributions, distribution)) return null;
  const known = distributions[distribution];
  const version = /^\d{1,4}(?:\.\d{1,4})*/.exec(release ?? '')?.[0];
  if (known === undefined || version === undefined || isPreview(release ?? '')) return null;
  const isEarlier = Number.parseInt(version, 10) < (known.firstRelease ?? 0);
  const numbers = isEarlier ? known.numbers + 1 : known.numbers;
  const number = version.split('.').slice(0, numbers).join('.');
  const name = `${known.label} ${number}`;
  return {
    names: [
      ...['', ...(known.layers ?? [])].map((layer) => `${name}${layer}`),
      ...(known.groups ?? []).map((group) => `${known.label} ${group} ${number}`),
    ],
    family: known.family,
    epochs: distribution !== 'centos',
  };
}

/** Returns the distribution and the version for a written release; null for a release whose machines are not judged. */
export function machineOfRelease(written: string): {
  readonly distribution: string;
  readonly release: string;
  readonly family: CataloguedRelease['family'];
} | null {
  for (const [distribution, { label, family }] of Object.entries(distributions)) {
    if (!written.startsWith(`${label} `)) continue;
    const release = written
      .slice(label.length + 1)
      .split(' ')
      .find((word) => /^\d/.test(word));
    return release === undefined ? null : { distribution, release, family };
  }
  return null;
}

/** Parses a release as a record writes it; null for a release whose machines are not judged. */
export function writtenRelease(
  written: string,
): { readonly family: CataloguedRelease['family']; readonly withoutTag: string } | null {
  const known = Object.values(distributions).find(({ label }) => written.startsWith(`${label} `));
  if (known === undefined) return null;
  const rest = written.slice(known.label.length + 1);
  const group = known.groups?.find((one) => rest.startsWith(`${one} `));
  const label = group === undefined ? known.label : `${known.label} ${group}`;
  const [number = ''] = written.slice(label.length + 1).split(' ', 1);
  return { family: known.family, withoutTag: `${label} ${number}` };
}
