/** Parser of .dist files, the installer's description of a product. Scripts are only searched for system versions, never run. */
import type { Document } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { nextStrings } from '../../parsers/next-strings.ts';
import { BrokenXml, children, childText, type XmlElement } from '../../parsers/xml-element.ts';
import { xmlRecords } from '../../parsers/xml-reader.ts';
import { htmlToText } from '../../schemas/html-to-text.ts';
import { distinctWords, toWord } from '../../values/vendor-words.ts';
import { parseMacosMajor } from './macos-release-name.ts';

export interface Distribution {
  readonly title: string | null;
  readonly version: string | null;
  readonly build: string | null;
  readonly description: string | null;
  readonly restart: Restart | null;
  /** Restart words of the packages as Apple writes them; unknown ones are also in `unknownRestarts`. */
  readonly restartWords: readonly string[];
  readonly unknownRestarts: readonly string[];
  /** Name of the update's group in the system: 'Install macOS Mojave'. */
  readonly group: string | null;
  /** Systems that the scripts compare with. */
  readonly systems: readonly string[];
  /** Why it could only be read in part; null when it was read completely. */
  readonly problem: string | null;
}

/** Actions that a package requires after its installation, mildest first. */
export const restarts = [
  'None',
  'RequireLogout',
  'RecommendRestart',
  'RequireRestart',
  'RequireShutdown',
] as const;
export type Restart = (typeof restarts)[number];

/**
 * Reads only the strings of a distribution that is not XML, because Apple serves such.
 * @throws BrokenDocument when the bytes are invalid in the declared encoding: they were damaged in transfer
 */
export async function readDistribution(document: Document): Promise<Distribution> {
  const text = await decodeText(document);
  async function* chunks() {
    yield text;
  }
  try {
    for await (const root of xmlRecords(chunks(), ['installer-gui-script', 'installer-script']))
      return toDistribution(root);
    return readStringsOnly(text, 'it is empty');
  } catch (error) {
    if (error instanceof BrokenXml) return readStringsOnly(text, error.message);
    throw error;
  }
}

async function decodeText(document: Document): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of document.bytes()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const encoding = detectEncoding(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new BrokenDocument(document.url, `the text is not ${encoding.toUpperCase()}`, {
      cause: error,
    });
  }
}

/** Returns the encoding of the byte order mark or the declaration; UTF-8 otherwise. */
function detectEncoding(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const declared =
    /^[^>]*?encoding=["']([\w-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1]?.toLowerCase() ??
    '';
  return /^(?:iso-8859-\d+|windows-125\d|macintosh|us-ascii|ascii|latin1)$/.test(declared)
    ? declared
    : 'utf-8';
}

function toDistribution(root: XmlElement): Distribution {
  const strings = chooseStrings(root);
  const choices = findSoftwareUpdateChoices(root);
  const getAttribute = (name: string) =>
    choices
      .map(({ attributes }) => attributes[name])
      .find((value) => value !== undefined && value !== '');
  const auxiliary = readAuxiliaryInformation(root);
  const resolved = (value: string | null | undefined) => resolveString(value, strings);
  return {
    title:
      resolved(getAttribute('title')) ??
      resolved(childText(root, 'title')) ??
      toWord(strings.get('SU_TITLE')),
    version:
      auxiliary.get('macOSProductVersion') ??
      auxiliary.get('VERSION') ??
      resolved(getAttribute('versStr')) ??
      toWord(strings.get('SU_VERS')) ??
      toWord(strings.get('SU_VERSION')),
    build: auxiliary.get('macOSProductBuildVersion') ?? auxiliary.get('BUILD') ?? null,
    description:
      htmlToText(strings.get(getAttribute('description') ?? 'SU_DESCRIPTION') ?? '') || null,
    ...readRestarts(root),
    group: toWord(getAttribute('suDisabledGroupID')),
    systems: findComparedSystems(root),
    problem: null,
  };
}

/** Replaces the name of a string (in capitals) by its text; null when the string is missing. */
function resolveString(
  value: string | null | undefined,
  strings: ReadonlyMap<string, string>,
): string | null {
  const word = toWord(value);
  if (word === null) return null;
  const string = strings.get(word);
  if (string !== undefined) return toWord(string);
  return /^(?:SU|MANUAL|MAN)_/.test(word) ? null : word;
}

function chooseStrings(root: XmlElement): ReadonlyMap<string, string> {
  const all = findDescendants(root, 'strings');
  const rank = ({ attributes: { language = '' } }: XmlElement) =>
    language === 'English' ? 0 : /^en\b|^en_/i.test(language) ? 1 : 2;
  const chosen = all.toSorted((a, b) => rank(a) - rank(b))[0];
  return nextStrings(chosen?.text ?? '');
}

/** Returns the choices that Software Update offers; a choice may be written in several elements. */
function findSoftwareUpdateChoices(root: XmlElement): XmlElement[] {
  const outline = children(root, 'choices-outline').find(
    ({ attributes }) => attributes.ui === 'SoftwareUpdate',
  );
  const offered = new Set(
    outline === undefined
      ? ['su']
      : findDescendants(outline, 'line').map(({ attributes }) => attributes.choice ?? ''),
  );
  return findDescendants(root, 'choice').filter(({ attributes }) =>
    offered.has(attributes.id ?? ''),
  );
}

/** Keys stand in the element itself or in a dictionary, each followed by its value. */
function readAuxiliaryInformation(root: XmlElement): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const auxiliary of findDescendants(root, 'auxinfo')) {
    for (const holder of [auxiliary, ...findDescendants(auxiliary, 'dict')]) {
      for (const [index, { name, text }] of holder.children.entries()) {
        const next = holder.children[index + 1];
        const value = name === 'key' && next?.name === 'string' ? toWord(next.text) : null;
        if (value !== null) found.set(text.trim(), value);
      }
    }
  }
  return found;
}

function readRestarts(
  root: XmlElement,
): Pick<Distribution, 'restart' | 'restartWords' | 'unknownRestarts'> {
  const words = distinctWords(
    findDescendants(root, 'pkg-ref').map(({ attributes }) => attributes.onConclusion),
  );
  const ranks = words.map((word) => restarts.indexOf(word as Restart));
  return {
    restart: restarts[Math.max(-1, ...ranks)] ?? null,
    restartWords: words,
    unknownRestarts: words.filter((_, index) => ranks[index] === -1),
  };
}

const comparison =
  /compareVersions\(\s*(?:[\w.]*ProductVersion\s*,\s*(["'])(\d+(?:\.\d+)*)\1|(["'])(\d+(?:\.\d+)*)\3\s*,\s*[\w.]*ProductVersion)/g;

function findComparedSystems(root: XmlElement): string[] {
  const systems = new Set<string>();
  for (const { text } of findDescendants(root, 'script')) {
    for (const [, , behind, , before] of text.matchAll(comparison)) {
      const major = parseMacosMajor(behind ?? before ?? '');
      if (major !== null) systems.add(major);
    }
  }
  return [...systems];
}

function findDescendants(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) =>
    child.name === name ? [child, ...findDescendants(child, name)] : findDescendants(child, name),
  );
}

/** Finds the section of the strings without parsing XML. */
function readStringsOnly(text: string, problem: string): Distribution {
  const strings = nextStrings(
    /<strings\b[^>]*>\s*<!\[CDATA\[([\s\S]*?)\]\]>/.exec(text)?.[1] ?? '',
  );
  return {
    title: toWord(strings.get('SU_TITLE')),
    version: toWord(strings.get('SU_VERS')) ?? toWord(strings.get('SU_VERSION')),
    build: null,
    description: htmlToText(strings.get('SU_DESCRIPTION') ?? '') || null,
    restart: null,
    restartWords: [],
    unknownRestarts: [],
    group: null,
    systems: [],
    problem,
  };
}
