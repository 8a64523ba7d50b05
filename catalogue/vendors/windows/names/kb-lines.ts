/** Lines of updates that Microsoft services a product with. Updates replace each other within a line, not across lines. */
import type { UnknownWord } from '../../../definition/feed.ts';

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

/** Lines whose updates contain all earlier ones on the product, with the words that say so as evidence. */
export const containingLines = {
  'Cumulative update': 'cumulative updates hold all earlier ones',
  'Monthly rollup': 'monthly rollups hold all earlier ones',
  'SQL Server': 'updates of one branch of SQL Server hold all earlier ones',
  'Exchange Server': 'updates of one version of Exchange Server hold all earlier ones',
  'Internet Explorer': 'cumulative updates of Internet Explorer hold all earlier ones',
} as const satisfies Partial<Record<KbLine, string>>;
export type ContainingLine = keyof typeof containingLines;

export const containsEarlier = (line: KbLine): line is ContainingLine =>
  Object.hasOwn(containingLines, line);

/** In these lines an update with a higher build of the same branch contains all lower ones. Builds of Internet Explorer are not stated. */
export const isCumulative = (line: KbLine) => containsEarlier(line) && line !== 'Internet Explorer';

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

/** Released between two cumulative updates or rollups: the next one contains them, also where no document states their builds. */
export const isReleasedBetween = (line: KbLine) =>
  line === 'Preview' || line === 'Out-of-band' || line === 'Standalone update';

/** Maps Microsoft's words for an update: the guide's type and Windows Update's title. */
const words: readonly (readonly [RegExp, KbLine])[] = [
  [/hot ?patch/i, 'Hotpatch'],
  [/\bpreview\b/i, 'Preview'],
  [/\bout.of.band\b|\bOOB\b/i, 'Out-of-band'],
  [/servicing stack/i, 'Servicing stack'],
  [/\b(?:setup|dynamic(?! cumulative)|safe os)\b.*\bupdate/i, 'Setup and dynamic update'],
  [/security only/i, 'Security only'],
  [/stand-?alone/i, 'Standalone update'],
  [/\bIE cumulative|cumulative security update for internet explorer/i, 'Internet Explorer'],
  [/monthly (?:quality )?rollup/i, 'Monthly rollup'],
];

function findLine(said: Iterable<string>): KbLine | null {
  const all = [...said];
  return words.find(([pattern]) => all.some((word) => pattern.test(word)))?.[1] ?? null;
}

export const isCumulativeOfInternetExplorer = (updateTypes: ReadonlySet<string>) =>
  findLine(updateTypes) === 'Internet Explorer';

/** The guide's types for updates without a narrower line. */
const plainTypes = /^(?:security|cumulative) update$/i;

/** Reports types without a line: such an update counts as a plain security update, but may belong to a line of its own. */
export function findUnknownUpdateTypes(updateTypes: Iterable<string>): UnknownWord[] {
  return [...new Set(updateTypes)]
    .filter((type) => !plainTypes.test(type) && findLine([type]) === null)
    .toSorted()
    .map((word) => ({ vocabulary: 'update type', word, shownAs: null }));
}

/** Facts of a KB over all of its products. */
export interface LineInput {
  readonly productNames: readonly string[];
  /** Whether one of its products is Windows. */
  readonly isWindows: boolean;
  /** The guide's types: they differ between products, and the narrowest counts. */
  readonly updateTypes: ReadonlySet<string>;
  /** Titles of its updates at Windows Update. */
  readonly titles: readonly string[];
  /** Whether Microsoft's words show that it is a package beside the cumulative updates. */
  readonly isStatedSeparate: boolean;
  /** Whether its builds show that. */
  readonly isSpread: boolean;
  /** Whether a document states its build of Windows 10 or later. */
  readonly hasModernBuild: boolean;
  /** Whether a document states another version, as it does of single packages. */
  readonly hasPackageVersion: boolean;
  /** Whether its products are one release of Windows 10 or later, with those that share its updates. */
  readonly isForModernRelease: boolean;
}

/** Determines the line of a KB: one for all of its products, as it is one update. */
export function determineLine(kb: LineInput): KbLine {
  if (!kb.isWindows) return getProductLine(kb.productNames);
  const said = findLine(kb.updateTypes);
  // "Standalone" and the title's words do not say whether a cumulative update contains it; these words do.
  if (kb.isStatedSeparate && (said === null || said === 'Standalone update'))
    return 'Separate update';
  if (said !== null) return said;
  const titleLine = findLine(kb.titles);
  const isTitledCumulative = kb.titles.some((title) => /\bcumulative update\b/i.test(title));
  if (kb.isSpread && titleLine === null && !isTitledCumulative) return 'Separate update';
  if (titleLine !== null && titleLine !== 'Monthly rollup') return titleLine;
  // "Security Update" is the guide's word for a cumulative update of Windows 10 and later; before that it is a separate package.
  const isContradicted = kb.hasPackageVersion || (kb.titles.length > 0 && !isTitledCumulative);
  return kb.hasModernBuild || (kb.isForModernRelease && !isContradicted)
    ? 'Cumulative update'
    : 'Security update';
}

/** Lines of products beside Windows, by their names. */
const productLines: readonly (readonly [RegExp, KbLine])[] = [
  [/\.NET\b/i, '.NET'],
  [/^(?:Internet Explorer|Microsoft Edge \(EdgeHTML)/i, 'Internet Explorer'],
  [/^Microsoft SQL Server \d{4}\b/i, 'SQL Server'],
  [/^Microsoft Exchange Server\b/i, 'Exchange Server'],
];

function getProductLine(names: readonly string[]): KbLine {
  const found = productLines.find(([pattern]) => names.some((name) => pattern.test(name)));
  return found?.[1] ?? 'Other product';
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
