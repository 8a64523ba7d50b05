/** Names of releases with security content: a system, Safari, or a security update of an older system. */
import { findMajor, parseMacosMajor } from './macos-majors.ts';

export interface ReleaseName {
  readonly kind: 'macOS' | 'Safari' | 'Security Update';
  /** '26.2', '17.1', '2021-004' */
  readonly version: string;
  /** '(a)' of a background security improvement. */
  readonly extra: string | null;
  /** Whether it is an update after the release of that number: 'macOS Mojave 10.14.6 Supplemental Update'. */
  readonly supplemental: boolean;
  /** Major version of the system that it is for; a security update can be for several. */
  readonly major: string | null;
}

const system =
  /\b(?:macOS|Mac OS X|OS X)(?! Server)((?: (?!Server\b)[A-Z][A-Za-z]+)*) v?(\d+(?:\.\d+)*)(?: ?(\([a-z]\)))?( Supplemental)?/g;
const safari = /\bSafari (\d+(?:\.\d+)*)/g;
const securityUpdate =
  /\b(?:Security Update|SecUpd)[ -]?(\d{4}-\d{3})(?:[ -]*\(?([A-Z][a-z]+(?: ?[A-Z][a-z]+)?))?/g;

/** Returns all names in a title or link: 'macOS Mojave 10.14.4, Security Update 2019-002 High Sierra, Security Update 2019-002 Sierra'. */
export function findReleaseNames(text: string): ReleaseName[] {
  const plain = { extra: null, supplemental: false };
  return [
    ...[...text.matchAll(system)].map(
      ([, , version = '', extra = null, supplemental]): ReleaseName => ({
        kind: 'macOS',
        version,
        extra,
        supplemental: supplemental !== undefined,
        major: parseMacosMajor(version),
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
        major: name === undefined ? null : findMajor(name),
      }),
    ),
  ];
}

/** Returns the same key for every spelling of a release (26 is 26.0), without the system, which not every name states. */
export function toReleaseKey({ kind, version, extra, supplemental }: ReleaseName): string {
  const numbers = kind === 'Security Update' ? version : removeTrailingZeros(version);
  return [
    kind,
    numbers,
    ...(extra === null ? [] : [extra]),
    ...(supplemental ? ['supplemental'] : []),
  ].join(' ');
}

/** Returns 26 for 26.0. */
export function removeTrailingZeros(version: string): string {
  return version.replace(/(?:\.0)+$/, '');
}
