/** Apple's own pages of security content: an index of releases, newest first, and a page for each release. */

import { htmlToText } from '../../schemas/html-to-text.ts';
import { webAddressOf } from '../../values/vendor-words.ts';
import { nameOfMajor } from './macos-majors.ts';
import { type ReleaseName, releaseKey, releaseNamesIn } from './macos-release-name.ts';
import { cvesOf } from './macos-security-release.ts';

export const securityIndex = 'https://support.apple.com/en-us/100100';

export interface IndexedRelease {
  /** A page may be of several releases. */
  readonly names: readonly ReleaseName[];
  /** Null for one of which Apple says that it has no published CVE entries. */
  readonly page: string | null;
}

export interface SecurityIndex {
  readonly releases: readonly IndexedRelease[];
  /** Indexes of other years. */
  readonly others: readonly string[];
}

/** A row of the table, or an item of the list that older years have; the first link is that of the release. */
export function readSecurityIndex(html: string, url: string): SecurityIndex {
  const releases: IndexedRelease[] = [];
  for (const { inner: line } of elementsIn(html, ['tr', 'li'])) {
    const [link] = linksIn(line, url);
    const withoutEntries = /no published CVE entries/i.test(htmlToText(line));
    if (link === undefined && !withoutEntries) continue;
    const names = releaseNamesIn(link?.text ?? firstLineOf(line));
    if (names.length > 0 && (link === undefined || link.page !== null))
      releases.push({ names, page: link?.page ?? null });
  }
  const others = linksIn(html, url).flatMap(({ text, page }) =>
    page !== null && /^Apple security (?:updates|releases)\b/i.test(text) ? [page] : [],
  );
  return { releases, others: [...new Set(others)].filter((page) => page !== url) };
}

function firstLineOf(line: string): string {
  return htmlToText(line).split('\n', 1)[0] ?? '';
}

interface Link {
  readonly text: string;
  /** Null where it leads elsewhere: Apple's older articles are on servers that are gone. */
  readonly page: string | null;
}

function linksIn(html: string, base: string): Link[] {
  return elementsIn(html, ['a']).flatMap(({ attributes, inner }) => {
    const [, double, single] = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes) ?? [];
    const href = double ?? single;
    return href === undefined
      ? []
      : [{ text: htmlToText(inner).replaceAll(/\s+/g, ' '), page: pageAt(href, base) }];
  });
}

interface HtmlElement {
  readonly attributes: string;
  readonly inner: string;
}

/** The elements of these names, each to its end or to where the next begins: none is nested in another where they are looked for. */
function elementsIn(html: string, names: readonly string[]): HtmlElement[] {
  const begins = [...html.matchAll(new RegExp(`<(${names.join('|')})\\b([^<>]*)>`, 'gi'))];
  return begins.map(({ index, 0: tag, 1: name = '', 2: attributes = '' }, place) => {
    const behind = html.slice(index + tag.length, begins[place + 1]?.index);
    const end = behind.search(new RegExp(`</${name}\\s*>`, 'i'));
    return { attributes, inner: end === -1 ? behind : behind.slice(0, end) };
  });
}

/** /kb/HT205636 leads to /en-us/HT205636. */
function pageAt(href: string, base: string): string | null {
  if (!URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  const [, id] = /^(?:\/kb|\/[a-z]{2}-[a-z]{2})?\/([A-Z]{0,2}\d+)$/.exec(url.pathname) ?? [];
  if (url.hostname !== 'support.apple.com' || id === undefined) return null;
  return webAddressOf(`https://support.apple.com/en-us/${id}`);
}

/** Apple names the software that an entry is available for, and says of one whether it was exploited. */
interface ContentEntry {
  readonly availableFor: string;
  readonly cves: string[];
  impactSaid: boolean;
  exploited: boolean;
}

export interface SecurityPage {
  readonly names: readonly ReleaseName[];
  readonly entries: readonly Readonly<ContentEntry>[];
}

/** 'Apple is aware of a report that this issue may have been exploited.' */
const exploitation =
  /\b(?:have|has) been (?:actively )?exploited\b|\baware of\b[^.]*\breports?\b[^.]*\bexploit/i;

export function readSecurityPage(html: string): SecurityPage {
  const names = elementsIn(html, ['title', 'h1', 'h2', 'h3']).flatMap(({ inner }) =>
    releaseNamesIn(htmlToText(inner)),
  );
  const entries: ContentEntry[] = [];
  for (const written of htmlToText(html).split('\n')) {
    const line = written.replace(/^- /, '');
    if (/^Additional recognition\b/i.test(line)) break;
    const available = /^Available for:?\s*(.*)$/i.exec(line)?.[1];
    const before = entries.at(-1);
    if (available !== undefined) entries.push(newEntry(available));
    else if (/^Impact:/i.test(line) && before !== undefined && before.impactSaid)
      entries.push(newEntry(before.availableFor));
    const entry = entries.at(-1);
    if (entry === undefined) continue;
    if (/^Impact:/i.test(line)) entry.impactSaid = true;
    if (exploitation.test(line)) entry.exploited = true;
    if (/^CVE\b/i.test(line)) entry.cves.push(...(line.match(/CVE-\d{4}-\d{4,}/gi) ?? []));
  }
  return { names, entries };
}

const newEntry = (availableFor: string): ContentEntry => ({
  availableFor,
  cves: [],
  impactSaid: false,
  exploited: false,
});

/**
 * The CVEs that a page states of one of its releases; null when it is not of that release, or of several and does not say which of its
 * entries are of this one.
 */
export function cvesOfRelease(
  { names, entries }: SecurityPage,
  name: ReleaseName,
): Map<string, boolean> | null {
  if (!names.some((one) => releaseKey(one) === releaseKey(name))) return null;
  const systems = new Set(
    names
      .filter(({ kind }) => kind !== 'Safari')
      .map((one) => `${releaseKey(one)} ${one.major ?? ''}`),
  );
  if (name.kind === 'Safari' || systems.size <= 1) return cvesOf(pairsOf(entries));
  const system = name.major === null ? null : nameOfMajor(name.major);
  if (system === null) return null;
  const named = new RegExp(`\\b(?:macOS|OS X) ${system}\\b`, 'i');
  return cvesOf(pairsOf(entries.filter(({ availableFor }) => named.test(availableFor))));
}

function pairsOf(entries: readonly Readonly<ContentEntry>[]): (readonly [string, boolean])[] {
  return entries.flatMap(({ cves, exploited }) => cves.map((cve) => [cve, exploited] as const));
}
