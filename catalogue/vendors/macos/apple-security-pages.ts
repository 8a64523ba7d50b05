/** Parser of Apple's pages of security content: an index of releases, newest first, and a page for each release. */

import { htmlToText } from '../../schemas/html-to-text.ts';
import { findCveIds, findUnknownCves, toWebAddress } from '../../values/vendor-words.ts';
import {
  findReleaseNames,
  findSystemName,
  type ReleaseName,
  toReleaseKey,
} from './macos-release-name.ts';
import { collectCves } from './macos-security-release.ts';

export const securityIndex = 'https://support.apple.com/en-us/100100';

export interface IndexedRelease {
  /** Several when the page covers several releases. */
  readonly names: readonly ReleaseName[];
  /** Null when Apple states that the release has no published CVE entries. */
  readonly page: string | null;
}

export interface SecurityIndex {
  readonly releases: readonly IndexedRelease[];
  /** Indexes of other years. */
  readonly others: readonly string[];
}

/** Reads rows of the table, or list items of older years; the first link is that of the release. */
export function readSecurityIndex(html: string, url: string): SecurityIndex {
  const releases: IndexedRelease[] = [];
  for (const { inner: line } of findElements(html, ['tr', 'li'])) {
    const [link] = findLinks(line, url);
    const withoutEntries = /no published CVE entries/i.test(htmlToText(line));
    if (link === undefined && !withoutEntries) continue;
    const names = findReleaseNames(link?.text ?? getFirstLine(line));
    if (names.length > 0 && (link === undefined || link.page !== null))
      releases.push({ names, page: link?.page ?? null });
  }
  const others = findLinks(html, url).flatMap(({ text, page }) =>
    page !== null && /^Apple security (?:updates|releases)\b/i.test(text) ? [page] : [],
  );
  return { releases, others: [...new Set(others)].filter((page) => page !== url) };
}

function getFirstLine(line: string): string {
  return htmlToText(line).split('\n', 1)[0] ?? '';
}

interface Link {
  readonly text: string;
  /** Null for other servers: Apple's older articles are on servers that no longer exist. */
  readonly page: string | null;
}

function findLinks(html: string, base: string): Link[] {
  return findElements(html, ['a']).flatMap(({ attributes, inner }) => {
    const [, double, single] = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes) ?? [];
    const href = double ?? single;
    return href === undefined
      ? []
      : [{ text: htmlToText(inner).replaceAll(/\s+/g, ' '), page: resolvePage(href, base) }];
  });
}

/** Returns the elements with these names, each up to its end tag or the next start tag: they are not nested on these pages. */
function findElements(html: string, names: readonly string[]) {
  const begins = [...html.matchAll(new RegExp(`<(${names.join('|')})\\b([^<>]*)>`, 'gi'))];
  return begins.map(({ index, 0: tag, 1: name = '', 2: attributes = '' }, position) => {
    const rest = html.slice(index + tag.length, begins[position + 1]?.index);
    const end = rest.search(new RegExp(`</${name}\\s*>`, 'i'));
    return { attributes, inner: end === -1 ? rest : rest.slice(0, end) };
  });
}

/** Resolves a link to its page: /kb/HT205636 is /en-us/HT205636. */
function resolvePage(href: string, base: string): string | null {
  if (!URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  const [, id] = /^(?:\/kb|\/[a-z]{2}-[a-z]{2})?\/([A-Z]{0,2}\d+)$/.exec(url.pathname) ?? [];
  if (url.hostname !== 'support.apple.com' || id === undefined) return null;
  return toWebAddress(`https://support.apple.com/en-us/${id}`);
}

/** An entry of a page: the software it is available for, its CVEs, and whether it was exploited. */
interface ContentEntry {
  readonly availableFor: string;
  readonly cves: string[];
  hasImpact: boolean;
  exploited: boolean;
}

export interface SecurityPage {
  readonly names: readonly ReleaseName[];
  readonly entries: readonly Readonly<ContentEntry>[];
  /** What begins like a CVE id and is none. */
  readonly unknownCves: readonly string[];
}

/** Matches 'Aware of a report that this issue may have been exploited' and similar sentences. */
const exploitation =
  /\b(?:have|has) been (?:actively )?exploited\b|\baware of\b[^.]*\breports?\b[^.]*\bexploit/i;

export function readSecurityPage(html: string): SecurityPage {
  const names = findElements(html, ['title', 'h1', 'h2', 'h3']).flatMap(({ inner }) =>
    findReleaseNames(htmlToText(inner)),
  );
  const entries: ContentEntry[] = [];
  const unknownCves: string[] = [];
  for (const written of htmlToText(html).split('\n')) {
    const line = written.replace(/^- /, '');
    if (/^Additional recognition\b/i.test(line)) break;
    const available = /^Available for:?\s*(.*)$/i.exec(line)?.[1];
    const before = entries.at(-1);
    if (available !== undefined) entries.push(createEntry(available));
    else if (/^Impact:/i.test(line) && before !== undefined && before.hasImpact)
      entries.push(createEntry(before.availableFor));
    const entry = entries.at(-1);
    if (entry === undefined) continue;
    if (/^Impact:/i.test(line)) entry.hasImpact = true;
    if (exploitation.test(line)) entry.exploited = true;
    if (!/^CVE\b/i.test(line)) continue;
    entry.cves.push(...findCveIds([line]));
    unknownCves.push(
      ...findUnknownCves([line.replace(/^CVE-IDs?\b/i, '')]).map(({ word }) => word),
    );
  }
  return { names, entries, unknownCves };
}

const createEntry = (availableFor: string): ContentEntry => ({
  availableFor,
  cves: [],
  hasImpact: false,
  exploited: false,
});

/**
 * Returns the CVEs of one of the page's releases; null when the page is of another release, or of several without stating which entries
 * belong to this one.
 */
export function findReleaseCves(
  { names, entries }: SecurityPage,
  name: ReleaseName,
): Map<string, boolean> | null {
  if (!names.some((listed) => toReleaseKey(listed) === toReleaseKey(name))) return null;
  const systems = new Set(
    names
      .filter(({ kind }) => kind !== 'Safari')
      .map((release) => `${toReleaseKey(release)} ${release.major ?? ''}`),
  );
  if (name.kind === 'Safari' || systems.size <= 1) return collectCves(listCvePairs(entries));
  const system = name.major === null ? null : findSystemName(name.major);
  if (system === null) return null;
  const pattern = new RegExp(`\\b(?:macOS|OS X) ${system}\\b`, 'i');
  return collectCves(
    listCvePairs(entries.filter(({ availableFor }) => pattern.test(availableFor))),
  );
}

function listCvePairs(entries: readonly Readonly<ContentEntry>[]): (readonly [string, boolean])[] {
  return entries.flatMap(({ cves, exploited }) => cves.map((cve) => [cve, exploited] as const));
}
