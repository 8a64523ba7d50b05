/** Lines of updates that Microsoft services a product with. Updates replace each other within a line, not across lines. */
import type { UnknownWord } from '../../definition/feed.ts';
import type { FixedBuild } from './fixed-build.ts';

export const kbLines = [
  'Cumulative update',
  'Monthly rollup',
  'Security only',
  'Hotpatch',
  'Preview',
  'Out-of-band',
  'Servicing stack',
  'Setup and dynamic update',
  'Standalone update',
  'Separate update',
  'Internet Explorer',
  '.NET',
  'SQL Server',
  'Exchange Server',
  'Security update',
  'Other product',
] as const;
export type KbLine = (typeof kbLines)[number];

/** In these lines an update with a higher build of the same branch contains all lower ones. */
const cumulativeLines: readonly KbLine[] = [
  'Cumulative update',
  'Monthly rollup',
  'SQL Server',
  'Exchange Server',
];

export const isCumulative = (line: KbLine) => cumulativeLines.includes(line);

/** Only for specially serviced machines: never recommended for installation. */
export const isSpecial = (line: KbLine) => line === 'Hotpatch' || line === 'Preview';

/** Cumulative updates of a higher build contain updates of these lines, but not the reverse. */
export const isIncludedInCumulative = (line: KbLine) => includedLines.includes(line);

const includedLines: readonly KbLine[] = [
  'Preview',
  'Out-of-band',
  'Security update',
  'Standalone update',
];

/** Maps Microsoft's words for an update: the guide's type and Windows Update's title. */
const words: readonly (readonly [RegExp, KbLine])[] = [
  [/hot ?patch/i, 'Hotpatch'],
  [/\bpreview\b/i, 'Preview'],
  [/\bout.of.band\b|\bOOB\b/i, 'Out-of-band'],
  [/servicing stack/i, 'Servicing stack'],
  [/\b(?:setup|dynamic|safe os)\b.*\bupdate/i, 'Setup and dynamic update'],
  [/security only/i, 'Security only'],
  [/stand-?alone/i, 'Standalone update'],
  [/\bIE cumulative|cumulative security update for internet explorer/i, 'Internet Explorer'],
  [/monthly (?:quality )?rollup/i, 'Monthly rollup'],
];

function findLine(said: Iterable<string>): KbLine | null {
  const all = [...said];
  return words.find(([pattern]) => all.some((word) => pattern.test(word)))?.[1] ?? null;
}

/** The guide's types for updates without a narrower line. */
const plainTypes = /^(?:security|cumulative) update$/i;

/** Reports types without a line: such an update counts as a plain security update, but may belong to a line of its own. */
export function findUnknownUpdateTypes(updateTypes: Iterable<string>): UnknownWord[] {
  return [...new Set(updateTypes)]
    .filter((type) => !plainTypes.test(type) && findLine([type]) === null)
    .toSorted()
    .map((word) => ({ vocabulary: 'update type', word, shownAs: null }));
}

export interface LineInput {
  readonly productName: string;
  readonly isWindows: boolean;
  /** The guide's types of the KB on any product of its kind: types differ between products, and the narrowest counts. */
  readonly updateTypes: ReadonlySet<string>;
  /** Title of the matched update at Windows Update; null when unknown. */
  readonly title: string | null;
  /** Whether builds or Microsoft's words show that it is a package beside the cumulative updates. */
  readonly isSeparate: boolean;
  /** Build on the product's branch; null without one. */
  readonly build: Pick<FixedBuild, 'branch'> | null;
}

export function determineLine({
  productName,
  isWindows,
  updateTypes,
  title,
  isSeparate,
  build,
}: LineInput): KbLine {
  if (!isWindows) return getProductLine(productName, build !== null);
  const said = findLine(updateTypes);
  if (said !== null) return said;
  const titleLine = findLine(title === null ? [] : [title]);
  const isTitledCumulative = title !== null && /\bcumulative update\b/i.test(title);
  if (isSeparate && titleLine === null && !isTitledCumulative) return 'Separate update';
  if (titleLine !== null && titleLine !== 'Monthly rollup') return titleLine;
  // "Security Update" is the guide's word for a cumulative update of Windows 10 and later; before that it is a separate package.
  return build?.branch.startsWith('10.') === true ? 'Cumulative update' : 'Security update';
}

function getProductLine(name: string, hasBuild: boolean): KbLine {
  if (/\.NET\b/i.test(name)) return '.NET';
  if (/^(?:Internet Explorer|Microsoft Edge \(EdgeHTML)/i.test(name)) return 'Internet Explorer';
  if (hasBuild) return /^Microsoft SQL Server/i.test(name) ? 'SQL Server' : 'Exchange Server';
  return 'Other product';
}

/** Returns the line of an update that only Windows Update has. */
export function getTitleLine(title: string): KbLine {
  const said = findLine([title]);
  if (said !== null) return said;
  if (/\.NET\b/.test(title)) return '.NET';
  return /\bCumulative Update for (?:Windows|Microsoft server operating system)/i.test(title)
    ? 'Cumulative update'
    : 'Security update';
}
