/** Package URLs of operating system packages: https://github.com/package-url/purl-spec */
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

/** Null for what is no package URL, or one without a version. */
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

/** Null for packages of languages, and for what no package manager can have installed. */
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
    // The specification has the epoch as a qualifier, which is left out when there is none.
    epoch: /^\d+/.exec(url.qualifiers.get('epoch') ?? '0')?.[0] ?? '0',
    architecture,
    module: moduleOfUrl(url),
    source: null,
    stateKnown: true,
  };
}

/** As syft and Trivy write it. */
function moduleOfUrl({ qualifiers }: PackageUrl): InstalledModule {
  return moduleOfLabel(qualifiers.get('rpmmod') ?? qualifiers.get('modularitylabel') ?? '');
}

/** `distro=rocky-8.4`, the namespace tells the distribution; null where it does not say. */
export function releaseOfUrl({ namespace, qualifiers }: PackageUrl): {
  readonly distribution: string;
  readonly release: string;
} | null {
  const release = /(?:^|-)(\d[\w.]*)$/.exec(qualifiers.get('distro') ?? '')?.[1];
  return release === undefined || namespace === '' ? null : { distribution: namespace, release };
}
