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
  if (url.type === 'deb') {
    const [, name, version] =
      /^([^\s@]+)(?:@(\S+))?$/.exec(url.qualifiers.get('upstream') ?? '') ?? [];
    const source = name === undefined ? null : { name, version: version ?? null };
    return debPackage(url.name, url.version, architecture, source, true);
  }
  if (url.type !== 'rpm' || url.name === 'gpg-pubkey' || architecture === 'src') return null;
  return {
    format: 'rpm',
    name: url.name,
    version: url.version.replace(/^\d+:/, ''),
    // The specification makes the epoch a qualifier, which is absent if none exists.
    epoch: /^\d+/.exec(url.qualifiers.get('epoch') ?? '0')?.[0] ?? '0',
    architecture,
    module: moduleOfUrl(url),
    source: null,
    stateKnown: true,
  };
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
