/** Describes in one sentence what an update is for and what it closes. Unknown facts are omitted, but an unknown risk is stated. */

import type { Figure, RankedUpdate } from '@patch/contract/reports/dashboard-endpoint.ts';
import { describeSeverity, readUpdateWords } from '@patch/contract/reports/update-words.ts';
import { dayDate } from '../../values/day-date.ts';
import { percentText } from '../../values/share-text.ts';
import { buildCvesOfRecord, buildFigure } from '../../widgets/build-figure.ts';
import { formatNumber } from '../../widgets/format-number.ts';

export interface SentencePart {
  readonly text: string;
  /** `danger` for what is attacked or missing now, `unknown` for what cannot be judged. */
  readonly tone?: 'danger' | 'unknown';
  /** The search behind a number of machines or CVEs. */
  readonly figure?: Figure;
  /** Counts what the record's own page lists. */
  readonly isOnPage?: true;
}

/** @param ownProducts - Named first, where the update is for several */
export function describeUpdate(
  {
    row,
    machines,
    closes,
    closesExploited,
    exploitedCves,
    exploitedSince,
    replaces,
    restart,
    knownIssues,
  }: RankedUpdate,
  ownProducts: readonly string[] = [],
): readonly SentencePart[] {
  const [cvss, epss] = [row['cvss'], row['epss']];
  const amongClosed = { paramName: 'id', operator: 'in', value: closes.map(String) } as const;
  return [
    ...describeSubject(row, ownProducts),
    ...describeRank(row, exploitedCves, exploitedSince),
    ...(machines === null
      ? []
      : [
          {
            text: `missing on ${count(machines.totalCount, 'machine')}`,
            tone: 'danger',
            figure: machines,
          } as const,
        ]),
    ...(closes.length === 0
      ? []
      : [
          {
            text: `also closes ${count(closes.length, 'missing update')}`,
            figure: buildFigure('all_patches', closes.length, [amongClosed]),
          },
        ]),
    ...(closesExploited === 0
      ? []
      : [
          {
            text: `${formatNumber(closesExploited)} of these known exploited`,
            tone: 'danger',
            figure: buildFigure('all_patches', closesExploited, [
              amongClosed,
              { paramName: 'exploited', operator: 'equal', value: true },
            ]),
          } as const,
        ]),
    ...describeVulnerabilities(row),
    ...(typeof cvss === 'number' ? [{ text: `CVSS ${cvss.toFixed(1)}` }] : []),
    ...(typeof epss === 'number'
      ? [{ text: `EPSS ${percentText(epss)}`.replaceAll(' ', '\u00A0') }]
      : []),
    ...(replaces === null
      ? []
      : [{ text: `replaces ${count(replaces, 'update')}`, isOnPage: true } as const]),
    ...(restart === null ? [] : [{ text: describeRestart(restart) }]),
    ...(knownIssues === null ? [] : [{ text: count(knownIssues, 'known issue') }]),
  ];
}

const knownExploited = { paramName: 'exploitedSince', operator: 'is_not_null' } as const;

type Row = RankedUpdate['row'];

/** Names the packages and the products or releases; the vendor alone of what is called by its title: `macOS 26.3`. */
function describeSubject(row: Row, ownProducts: readonly string[]): readonly SentencePart[] {
  const vendor = row['vendor'];
  const { isCalledByTitle, title } = readUpdateWords(row);
  const packages = isCalledByTitle ? [] : toWords(row['packages']);
  const releases = isCalledByTitle
    ? []
    : toWords(row['release']).toSorted(
        (a, b) => Number(ownProducts.includes(b)) - Number(ownProducts.includes(a)),
      );
  const names =
    packages.length > 0 ? packages : releases.length === 0 && title !== null ? [title] : [];
  const owners = releases.length > 0 ? releases : typeof vendor === 'string' ? [vendor] : [];
  return [names, owners].flatMap((words) =>
    words.length === 0 ? [] : [{ text: withMore(words) }],
  );
}

/** States the evidence of the rank: whether and since when exploited, released when, how severe. */
function describeRank(
  row: Row,
  exploitedCves: number,
  exploitedSince: number | null,
): readonly SentencePart[] {
  const released = row['releaseDate'];
  return [
    ...describeExploitation(row, exploitedCves, exploitedSince),
    typeof released === 'number'
      ? { text: `released ${toDay(released)}` }
      : { text: 'release date not stated', tone: 'unknown' },
    { text: describeSeverity(readUpdateWords(row)) },
  ];
}

function describeExploitation(
  row: Row,
  exploitedCves: number,
  exploitedSince: number | null,
): readonly SentencePart[] {
  if (row['exploited'] === false) return [];
  if (row['exploited'] !== true) return [{ text: 'not known whether exploited', tone: 'unknown' }];
  const ransomware = row['ransomware'] === true ? ', used by ransomware' : '';
  if (exploitedCves === 0 || exploitedSince === null)
    return [{ text: `exploited by the word of the vendor${ransomware}`, tone: 'danger' }];
  const since = `since ${toDay(exploitedSince)}`;
  return [
    {
      text:
        exploitedCves === 1
          ? `known exploited ${since}${ransomware}`
          : `${formatNumber(exploitedCves)} CVEs known exploited, the last ${since}${ransomware}`,
      tone: 'danger',
      figure: linkCves(row, exploitedCves, [knownExploited]),
    },
  ];
}

const toDay = (time: number) => dayDate(time, 'UTC').replaceAll(' ', '\u00A0');

const linkCves = (row: Row, amount: number, more: Figure['criteria'] = []) =>
  buildCvesOfRecord(amount, 'all_patches', row.id, more);

function describeVulnerabilities(row: Row): readonly SentencePart[] {
  const cves = toWords(row['cve']).length;
  return cves === 0
    ? [{ text: 'names no CVE' }]
    : [{ text: `closes ${count(cves, 'CVE')}`, figure: linkCves(row, cves) }];
}

/** Microsoft's values stand alone elsewhere; here they continue a sentence. */
function describeRestart(words: string): string {
  switch (words) {
    case 'Required':
    case 'Always requires restart':
      return 'restart required';
    case 'Not required':
    case 'Never restarts':
      return 'no restart';
    case 'Can request restart':
      return 'may ask for a restart';
    default:
      return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  }
}

function withMore([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${formatNumber(others.length)} more`;
}

const count = (amount: number, noun: string): string =>
  `${formatNumber(amount)} ${noun}${amount === 1 ? '' : 's'}`;

const toWords = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];
