/** What Apple calls a release that it publishes security content of: a system, Safari, a security update of an older system. */
import { macosMajor, majorOfName } from './macos-majors.ts';

export interface ReleaseName {
  readonly kind: 'macOS' | 'Safari' | 'Security Update';
  /** '26.2', '17.1', '2021-004' */
  readonly version: string;
  /** '(a)', of a background security improvement. */
  readonly extra: string | null;
  /** An update that came after the release of that number: 'macOS Mojave 10.14.6 Supplemental Update'. */
  readonly supplemental: boolean;
  /** The system that it is for, as its major version: that of a security update may have several. */
  readonly major: string | null;
}

const system =
  /\b(?:macOS|Mac OS X|OS X)(?! Server)((?: (?!Server\b)[A-Z][A-Za-z]+)*) v?(\d+(?:\.\d+)*)(?: ?(\([a-z]\)))?( Supplemental)?/g;
const safari = /\bSafari (\d+(?:\.\d+)*)/g;
const securityUpdate =
  /\b(?:Security Update|SecUpd)[ -]?(\d{4}-\d{3})(?:[ -]*\(?([A-Z][a-z]+(?: ?[A-Z][a-z]+)?))?/g;

/** All that a title or link names: 'macOS Mojave 10.14.4, Security Update 2019-002 High Sierra, Security Update 2019-002 Sierra'. */
export function releaseNamesIn(text: string): ReleaseName[] {
  const plain = { extra: null, supplemental: false };
  return [
    ...[...text.matchAll(system)].map(
      ([, , version = '', extra = null, supplemental]): ReleaseName => ({
        kind: 'macOS',
        version,
        extra,
        supplemental: supplemental !== undefined,
        major: macosMajor(version),
      }),
    ),
    ...[...text.matchAll(safari)].map(
      ([, version = '']): ReleaseName => ({ ...plain, kind: 'Safari', version, major: null }),
    ),
    ...[...text.matchAll(securityUpdate)].map(
      ([, version = '', name]): ReleaseName => ({
        ...plain,
        kind: 'Security Update',
        version,
        major: name === undefined ? null : majorOfName(name),
      }),
    ),
  ];
}

/** The same for every spelling of a release: 26 is 26.0. Without the system, which not every name tells. */
export function releaseKey({ kind, version, extra, supplemental }: ReleaseName): string {
  const numbers = kind === 'Security Update' ? version : plainVersion(version);
  return [
    kind,
    numbers,
    ...(extra === null ? [] : [extra]),
    ...(supplemental ? ['supplemental'] : []),
  ].join(' ');
}

/** 26 of 26.0. */
export function plainVersion(version: string): string {
  return version.replace(/(?:\.0)+$/, '');
}
