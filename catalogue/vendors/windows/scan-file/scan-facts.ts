/** Parser of one update's facts in the offline scan file: its extended properties, its files, and its words in a language. */
import type { UnknownWord } from '../../../definition/feed.ts';
import { child, children, childText, type XmlElement } from '../../../parsers/xml-element.ts';
import {
  distinctWords,
  findUnknownCves,
  toWebAddress,
  toWord,
} from '../../../values/vendor-words.ts';
import { findVulnerabilityIds, parseKb } from '../guide/msrc-words.ts';

export interface ScanPayload {
  /** SHA-1 in base64, the file's id in package.xml. */
  readonly id: string;
  readonly name: string | null;
  readonly size: number | null;
  /** SHA-256 when stated, else SHA-1; lower-case hexadecimal. */
  readonly checksum: string | null;
}

/** Content of `x/<revision>`. */
export interface ScanProperties {
  readonly severity: string | null;
  readonly kbs: readonly string[];
  readonly cves: readonly string[];
  readonly unknownCves: readonly UnknownWord[];
  readonly bulletinId: string | null;
  readonly supportUrl: string | null;
  /** Maximum download in bytes; null when it is not stated. */
  readonly maxDownloadSize: number | null;
  /** Whether the update contains complete Windows images, of which a machine downloads the parts that it lacks. */
  readonly isSystemImage: boolean;
  /** NeverReboots, CanRequestReboot, AlwaysRequiresReboot. */
  readonly rebootBehaviour: string | null;
  readonly canBeUninstalled: boolean;
  /** Reboot after an uninstallation, in the words of `rebootBehaviour`. */
  readonly uninstallRebootBehaviour: string | null;
  readonly payload: readonly ScanPayload[];
}

/** Content of `l/<language>/<revision>`. */
export interface ScanWords {
  readonly title: string;
  readonly description: string | null;
  readonly uninstallNotes: string | null;
  readonly moreInfoUrl: string | null;
  readonly supportUrl: string | null;
}

/** Returns null when the fragment has no extended properties. */
export function parseProperties(fragment: readonly XmlElement[]): ScanProperties | null {
  const properties = fragment.find(({ name }) => name === 'ExtendedProperties');
  if (properties === undefined) return null;
  const { MsrcSeverity, MaxDownloadSize, Handler } = properties.attributes;
  const files = fragment
    .filter(({ name }) => name === 'Files')
    .flatMap((list) => children(list, 'File'));
  const uninstallation = child(properties, 'UninstallationBehavior');
  const texts = (name: string) => children(properties, name).map(({ text }) => text);
  return {
    severity: toWord(MsrcSeverity),
    kbs: distinctWords(texts('KBArticleID').map((text) => parseKb(text))),
    cves: findVulnerabilityIds(texts('CveID')),
    unknownCves: findUnknownCves(texts('CveID')),
    bulletinId: distinctWords(texts('SecurityBulletinID'))[0] ?? null,
    supportUrl: toWebAddress(childText(properties, 'SupportUrl')),
    maxDownloadSize: parseNumber(MaxDownloadSize),
    isSystemImage: /\/OSInstaller$/i.test(Handler ?? ''),
    rebootBehaviour: toWord(
      child(properties, 'InstallationBehavior')?.attributes['RebootBehavior'],
    ),
    canBeUninstalled: uninstallation !== undefined,
    uninstallRebootBehaviour: toWord(uninstallation?.attributes['RebootBehavior']),
    payload: files.map(toPayload),
  };
}

function toPayload(file: XmlElement): ScanPayload {
  const { Digest = '', FileName, Size } = file.attributes;
  const sha256 = children(file, 'AdditionalDigest').find(({ attributes }) =>
    /^SHA-?256$/i.test(attributes['Algorithm'] ?? ''),
  );
  return {
    id: Digest,
    name: toWord(FileName),
    size: parseNumber(Size),
    checksum: toHex(sha256?.text.trim() ?? '') ?? toHex(Digest),
  };
}

/** Returns null when the fragment has no title. */
export function parseWords(fragment: readonly XmlElement[]): ScanWords | null {
  const words = fragment.find(({ name }) => name === 'LocalizedProperties');
  const title = toWord(childText(words, 'Title'));
  if (title === null) return null;
  return {
    title,
    description: childText(words, 'Description'),
    uninstallNotes: childText(words, 'UninstallNotes'),
    moreInfoUrl: toWebAddress(childText(words, 'MoreInfoUrl')),
    supportUrl: toWebAddress(childText(words, 'SupportUrl')),
  };
}

/** Returns null for anything but a whole number. */
export function parseNumber(text: string | undefined): number | null {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : null;
}

/** Converts a SHA-1 or SHA-256 from base64 to hexadecimal; null for other values. */
export function toHex(digest: string): string | null {
  const bytes = /^[A-Za-z\d+/]+=*$/.test(digest) ? Buffer.from(digest, 'base64') : null;
  return bytes?.length === 20 || bytes?.length === 32 ? bytes.toString('hex') : null;
}
