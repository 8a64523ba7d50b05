/** Parses package URLs of operating system packages: https://github.com/package-url/purl-spec */
import type { InstalledModule, InstalledPackage } from '../machine.ts';
import { debPackage } from './dpkg-lines.ts';
import { moduleOfLabel } from './rpm-lines.ts';

export interface PackageUrl {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly qualifiers: ReadonlyMap<string, string>;
}

const maxUrlLength = 4096;

/** Returns null for an invalid package URL, and for one without a version. */
export function packageUrl(written: unknown): PackageUrl | null {
  if (typeof written !== 'string' || written.length > maxUrlLength) return null;
  const [, type, path, version, query] =
    /^pkg:\/{0,2}([A-Za-z][A-Za-z0-9.+-]*)\/([^@?#]+)@([^?#]+)(?:\?([^#]*))?/.exec(written) ?? [];
  if (type === undefined || path === undefined || version === undefined) return null;
  const segments = path.split('/').map(decoded);
  const name = segments.pop() ?? '';
  const qualifiers = (query ?? '').split('&').map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at).toLowerCase(), decoded(pair.slice(at + 1))];
  });
  return {
    type: type.toLowerCase(),
    namespace: segments.join('/'),
    name,
    version: decoded(version),
    qualifiers: new Map(qualifiers),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns null for packages of programming languages, and for packages that no package manager can have installed. */
export function packageOfUrl(url: PackageUrl): InstalledPackage | null {
  if (/\s/.test(url.name) || /\s/.test(url.version)) return null;
  const architecture = url.qualifiers.get('arch') ?? null;
  const { epoch, version } = splitEpoch(url);
  if (url.type === 'deb') {
    const [, name, sourceVersion] =
      /^([^\s@]+)(?:@(\S+))?$/.exec(url.qualifiers.get('upstream') ?? '') ?? [];
    const source = name === undefined ? null : { name, version: sourceVersion ?? null };
    const written = epoch === '0' ? version : `${epoch}:${version}`;
    return debPackage(url.name, written, architecture, source, true);
  }
  if (url.type !== 'rpm' || url.name === 'gpg-pubkey' || architecture === 'src') return null;
  return {
    format: 'rpm',
    name: url.name,
    version,
    epoch,
    architecture,
    module: moduleOfUrl(url),
    source: null,
    stateKnown: true,
  };
}

/**
 * The specification makes the epoch a qualifier of rpm and a part of the version of deb, absent if none exists. Trivy also writes
 * the qualifier for deb, and its older versions the epoch before the version of rpm.
 */
function splitEpoch({ version, qualifiers }: PackageUrl): {
  readonly epoch: string;
  readonly version: string;
} {
  const [, before, rest] = /^(\d+):(.+)$/.exec(version) ?? [];
  const stated = /^\d+/.exec(qualifiers.get('epoch') ?? '')?.[0];
  return { epoch: stated ?? before ?? '0', version: rest ?? version };
}

/** Reads the qualifier that syft and Trivy write. */
function moduleOfUrl({ qualifiers }: PackageUrl): InstalledModule {
  return moduleOfLabel(qualifiers.get('rpmmod') ?? qualifiers.get('modularitylabel') ?? '');
}

/** Reads `distro=rocky-8.4`, with the distribution from the namespace; null when it is not stated. */
export function releaseOfUrl({ namespace, qualifiers }: PackageUrl): {
  readonly distribution: string;
  readonly release: string;
} | null {
  const release = /(?:^|-)(\d[\w.]*)$/.exec(qualifiers.get('distro') ?? '')?.[1];
  return release === undefined || namespace === '' ? null : { distribution: namespace, release };
}
