/** What the offline scan file says of one update: its extended properties, its files, and its words in a language. */
import { child, children, childText, type XmlElement } from '../../parsers/xml-element.ts';
import { cveIdOf, distinctWords, webAddressOf, wordOf } from '../../values/vendor-words.ts';
import { kbOf } from './msrc-words.ts';

export interface ScanPayload {
  /** SHA-1 as base64: what package.xml knows the file by. */
  readonly id: string;
  readonly name: string | null;
  readonly size: number | null;
  /** SHA-256 where it is said, else SHA-1; lower-case hexadecimal. */
  readonly checksum: string | null;
}

/** `x/<revision>` */
export interface ScanProperties {
  readonly severity: string | null;
  readonly kbs: readonly string[];
  readonly cves: readonly string[];
  readonly bulletinId: string | null;
  readonly supportUrl: string | null;
  /** Of what has to be downloaded at most, bytes; null when nothing is said. */
  readonly maxDownloadSize: number | null;
  /** Whole Windows images by the parts that a machine lacks. */
  readonly isWholeSystem: boolean;
  /** NeverReboots, CanRequestReboot, AlwaysRequiresReboot. */
  readonly rebootBehaviour: string | null;
  readonly canBeUninstalled: boolean;
  /** After an uninstallation, in the words of `rebootBehaviour`. */
  readonly uninstallRebootBehaviour: string | null;
  readonly payload: readonly ScanPayload[];
}

/** `l/<language>/<revision>` */
export interface ScanWords {
  readonly title: string;
  readonly description: string | null;
  readonly uninstallNotes: string | null;
  readonly moreInfoUrl: string | null;
  readonly supportUrl: string | null;
}

/** Null when the fragment has no extended properties. */
export function propertiesOf(fragment: readonly XmlElement[]): ScanProperties | null {
  const properties = fragment.find(({ name }) => name === 'ExtendedProperties');
  if (properties === undefined) return null;
  const { MsrcSeverity, MaxDownloadSize, Handler } = properties.attributes;
  const files = fragment
    .filter(({ name }) => name === 'Files')
    .flatMap((list) => children(list, 'File'));
  const uninstallation = child(properties, 'UninstallationBehavior');
  const texts = (name: string) => children(properties, name).map(({ text }) => text);
  return {
    severity: wordOf(MsrcSeverity),
    kbs: distinctWords(texts('KBArticleID').map((text) => kbOf(text))),
    cves: distinctWords(texts('CveID').map(vulnerabilityIdOf)),
    bulletinId: distinctWords(texts('SecurityBulletinID'))[0] ?? null,
    supportUrl: webAddressOf(childText(properties, 'SupportUrl')),
    maxDownloadSize: sizeOf(MaxDownloadSize),
    isWholeSystem: /\/OSInstaller$/i.test(Handler ?? ''),
    rebootBehaviour: wordOf(
      child(properties, 'InstallationBehavior')?.attributes['RebootBehavior'],
    ),
    canBeUninstalled: uninstallation !== undefined,
    uninstallRebootBehaviour: wordOf(uninstallation?.attributes['RebootBehavior']),
    payload: files.map(payloadOf),
  };
}

/** A CVE, or an advisory of Microsoft's where there is none: ADV220005. */
function vulnerabilityIdOf(text: string): string | null {
  return cveIdOf(text) ?? /^\s*(ADV\d{6})\s*$/i.exec(text)?.[1]?.toUpperCase() ?? null;
}

function payloadOf(file: XmlElement): ScanPayload {
  const { Digest = '', FileName, Size } = file.attributes;
  const sha256 = children(file, 'AdditionalDigest').find(({ attributes }) =>
    /^SHA-?256$/i.test(attributes['Algorithm'] ?? ''),
  );
  return {
    id: Digest,
    name: wordOf(FileName),
    size: sizeOf(Size),
    checksum: hexOf(sha256?.text.trim() ?? '') ?? hexOf(Digest),
  };
}

/** Null when the fragment has no title. */
export function wordsOf(fragment: readonly XmlElement[]): ScanWords | null {
  const words = fragment.find(({ name }) => name === 'LocalizedProperties');
  const title = wordOf(childText(words, 'Title'));
  if (title === null) return null;
  return {
    title,
    description: childText(words, 'Description'),
    uninstallNotes: childText(words, 'UninstallNotes'),
    moreInfoUrl: webAddressOf(childText(words, 'MoreInfoUrl')),
    supportUrl: webAddressOf(childText(words, 'SupportUrl')),
  };
}

function sizeOf(text: string | undefined): number | null {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : null;
}

/** A SHA-1 or SHA-256 in base64 as hexadecimal; null for what is neither. */
export function hexOf(digest: string): string | null {
  const bytes = /^[A-Za-z\d+/]+=*$/.test(digest) ? Buffer.from(digest, 'base64') : null;
  return bytes?.length === 20 || bytes?.length === 32 ? bytes.toString('hex') : null;
}
