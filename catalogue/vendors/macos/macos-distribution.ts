/** A .dist: the installer's own description of a product. Its scripts are never run, only looked at for a system's version. */
import type { Document } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { nextStrings } from '../../parsers/next-strings.ts';
import { children, childText, type XmlElement } from '../../parsers/xml-element.ts';
import { BrokenXml } from '../../parsers/xml-fault.ts';
import { xmlRecords } from '../../parsers/xml-reader.ts';
import { htmlToText } from '../../schemas/html-to-text.ts';
import { distinctWords, wordOf } from '../../values/vendor-words.ts';
import { macosMajor } from './macos-majors.ts';

export interface Distribution {
  readonly title: string | null;
  readonly version: string | null;
  readonly build: string | null;
  readonly description: string | null;
  readonly restart: Restart | null;
  /** What its packages want, in Apple's words; those that are none of `restarts` apart. */
  readonly restartWords: readonly string[];
  readonly unknownRestarts: readonly string[];
  /** What the system lists it under: 'Install macOS Mojave'. */
  readonly group: string | null;
  /** The systems that its scripts compare with. */
  readonly systems: readonly string[];
  /** Why it could not be read as a whole; null when it could. */
  readonly problem: string | null;
}

/** What a package wants when it is installed, mildest first. */
export const restarts = [
  'None',
  'RequireLogout',
  'RecommendRestart',
  'RequireRestart',
  'RequireShutdown',
] as const;
export type Restart = (typeof restarts)[number];

/**
 * Of a distribution that is no XML, what its strings say is kept: Apple serves such. Throws BrokenDocument on bytes that are no text
 * in the encoding they declare: those were damaged on their way.
 */
export async function readDistribution(document: Document): Promise<Distribution> {
  const text = await declaredText(document);
  async function* chunks() {
    yield text;
  }
  try {
    for await (const root of xmlRecords(chunks(), ['installer-gui-script', 'installer-script']))
      return wholeDistribution(root);
    return stringsOnly(text, 'it is empty');
  } catch (error) {
    if (error instanceof BrokenXml) return stringsOnly(text, error.message);
    throw error;
  }
}

async function declaredText(document: Document): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of document.bytes()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new BrokenDocument(document.url, `the text is not ${encoding.toUpperCase()}`, {
      cause: error,
    });
  }
}

/** Its byte order mark or its own word; UTF-8 otherwise. */
function encodingOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const declared =
    /^[^>]*?encoding=["']([\w-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1]?.toLowerCase() ??
    '';
  return /^(?:iso-8859-\d+|windows-125\d|macintosh|us-ascii|ascii|latin1)$/.test(declared)
    ? declared
    : 'utf-8';
}

function wholeDistribution(root: XmlElement): Distribution {
  const strings = chosenStrings(root);
  const choices = softwareUpdateChoices(root);
  const said = (name: string) =>
    choices
      .map(({ attributes }) => attributes[name])
      .find((value) => value !== undefined && value !== '');
  const auxiliary = auxiliaryInformation(root);
  const resolved = (value: string | null | undefined) => resolve(value, strings);
  return {
    title:
      resolved(said('title')) ??
      resolved(childText(root, 'title')) ??
      wordOf(strings.get('SU_TITLE')),
    version:
      auxiliary.get('macOSProductVersion') ??
      auxiliary.get('VERSION') ??
      resolved(said('versStr')) ??
      wordOf(strings.get('SU_VERS')) ??
      wordOf(strings.get('SU_VERSION')),
    build: auxiliary.get('macOSProductBuildVersion') ?? auxiliary.get('BUILD') ?? null,
    description: htmlToText(strings.get(said('description') ?? 'SU_DESCRIPTION') ?? '') || null,
    ...restartsOf(root),
    group: wordOf(said('suDisabledGroupID')),
    systems: systemsCompared(root),
    problem: null,
  };
}

/** The names of strings are all in capitals; where there is none of that name, it says nothing. */
function resolve(
  value: string | null | undefined,
  strings: ReadonlyMap<string, string>,
): string | null {
  const word = wordOf(value);
  if (word === null) return null;
  const string = strings.get(word);
  if (string !== undefined) return wordOf(string);
  return /^(?:SU|MANUAL|MAN)_/.test(word) ? null : word;
}

function chosenStrings(root: XmlElement): ReadonlyMap<string, string> {
  const all = descendants(root, 'strings');
  const rank = ({ attributes: { language = '' } }: XmlElement) =>
    language === 'English' ? 0 : /^en\b|^en_/i.test(language) ? 1 : 2;
  const chosen = all.toSorted((a, b) => rank(a) - rank(b))[0];
  return nextStrings(chosen?.text ?? '');
}

/** The choices that Software Update offers; a choice can be written in several elements. */
function softwareUpdateChoices(root: XmlElement): XmlElement[] {
  const outline = children(root, 'choices-outline').find(
    ({ attributes }) => attributes.ui === 'SoftwareUpdate',
  );
  const offered = new Set(
    outline === undefined
      ? ['su']
      : descendants(outline, 'line').map(({ attributes }) => attributes.choice ?? ''),
  );
  return descendants(root, 'choice').filter(({ attributes }) => offered.has(attributes.id ?? ''));
}

/** Its keys lie in it directly or in a dictionary, each followed by its value. */
function auxiliaryInformation(root: XmlElement): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const auxiliary of descendants(root, 'auxinfo')) {
    for (const holder of [auxiliary, ...descendants(auxiliary, 'dict')]) {
      for (const [place, { name, text }] of holder.children.entries()) {
        const next = holder.children[place + 1];
        const value = name === 'key' && next?.name === 'string' ? wordOf(next.text) : null;
        if (value !== null) found.set(text.trim(), value);
      }
    }
  }
  return found;
}

function restartsOf(
  root: XmlElement,
): Pick<Distribution, 'restart' | 'restartWords' | 'unknownRestarts'> {
  const words = distinctWords(
    descendants(root, 'pkg-ref').map(({ attributes }) => attributes.onConclusion),
  );
  const ranks = words.map((word) => restarts.indexOf(word as Restart));
  return {
    restart: restarts[Math.max(-1, ...ranks)] ?? null,
    restartWords: words,
    unknownRestarts: words.filter((_, place) => ranks[place] === -1),
  };
}

const comparison =
  /compareVersions\(\s*(?:[\w.]*ProductVersion\s*,\s*(["'])(\d+(?:\.\d+)*)\1|(["'])(\d+(?:\.\d+)*)\3\s*,\s*[\w.]*ProductVersion)/g;

function systemsCompared(root: XmlElement): string[] {
  const systems = new Set<string>();
  for (const { text } of descendants(root, 'script')) {
    for (const [, , behind, , before] of text.matchAll(comparison)) {
      const major = macosMajor(behind ?? before ?? '');
      if (major !== null) systems.add(major);
    }
  }
  return [...systems];
}

function descendants(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) =>
    child.name === name ? [child, ...descendants(child, name)] : descendants(child, name),
  );
}

/** The strings lie in a section that needs no XML to be found. */
function stringsOnly(text: string, problem: string): Distribution {
  const strings = nextStrings(
    /<strings\b[^>]*>\s*<!\[CDATA\[([\s\S]*?)\]\]>/.exec(text)?.[1] ?? '',
  );
  return {
    title: wordOf(strings.get('SU_TITLE')),
    version: wordOf(strings.get('SU_VERS')) ?? wordOf(strings.get('SU_VERSION')),
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
