/** The lines of updates that Microsoft services a product with. Updates replace each other within a line, not across lines. */
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

/** In these lines an update with a higher build of the same branch holds all that lower ones hold. */
const cumulativeLines: readonly KbLine[] = [
  'Cumulative update',
  'Monthly rollup',
  'SQL Server',
  'Exchange Server',
];

export const isCumulative = (line: KbLine) => cumulativeLines.includes(line);

/** Not for a machine that is serviced as usual: never what it is to install. */
export const isSpecial = (line: KbLine) => line === 'Hotpatch' || line === 'Preview';

/** What cumulative updates of a higher build hold too, though it holds nothing of theirs. */
export const isHeldByCumulative = (line: KbLine) => heldLines.includes(line);

const heldLines: readonly KbLine[] = [
  'Preview',
  'Out-of-band',
  'Security update',
  'Standalone update',
];

/** By Microsoft's words for the update: the type that the guide gives it, the title that Windows Update gives it. */
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

function lineInWords(said: Iterable<string>): KbLine | null {
  const all = [...said];
  return words.find(([pattern]) => all.some((word) => pattern.test(word)))?.[1] ?? null;
}

/** What the guide calls an update of no narrower line. */
const plainTypes = /^(?:security|cumulative) update$/i;

/** Types that place an update in no line: it counts as a plain security update, and may belong to a line of its own. */
export function unknownUpdateTypes(updateTypes: Iterable<string>): UnknownWord[] {
  return [...new Set(updateTypes)]
    .filter((type) => !plainTypes.test(type) && lineInWords([type]) === null)
    .toSorted()
    .map((word) => ({ vocabulary: 'update type', word, shownAs: null }));
}

export interface KbToPlace {
  readonly productName: string;
  readonly isWindows: boolean;
  /** What the guide calls the KB, on any product of the kind: it calls one KB differently on several, and the narrower word counts. */
  readonly updateTypes: ReadonlySet<string>;
  /** What Windows Update calls it on the product; null where that is not known. */
  readonly title: string | null;
  /** A package beside the cumulative updates, by its builds or by Microsoft's words. */
  readonly isSeparate: boolean;
  /** Of the branch that the product is on; null when it names none. */
  readonly build: Pick<FixedBuild, 'branch'> | null;
}

export function lineOf({
  productName,
  isWindows,
  updateTypes,
  title,
  isSeparate,
  build,
}: KbToPlace): KbLine {
  if (!isWindows) return lineOfProduct(productName, build !== null);
  const said = lineInWords(updateTypes);
  if (said !== null) return said;
  const titled = lineInWords(title === null ? [] : [title]);
  const isTitledCumulative = title !== null && /\bcumulative update\b/i.test(title);
  if (isSeparate && titled === null && !isTitledCumulative) return 'Separate update';
  if (titled !== null && titled !== 'Monthly rollup') return titled;
  // "Security Update" is what the guide calls a cumulative update of Windows 10 and later; before that it is a package of its own.
  return build?.branch.startsWith('10.') === true ? 'Cumulative update' : 'Security update';
}

function lineOfProduct(name: string, hasBuild: boolean): KbLine {
  if (/\.NET\b/i.test(name)) return '.NET';
  if (/^(?:Internet Explorer|Microsoft Edge \(EdgeHTML)/i.test(name)) return 'Internet Explorer';
  if (hasBuild) return /^Microsoft SQL Server/i.test(name) ? 'SQL Server' : 'Exchange Server';
  return 'Other product';
}

/** Of an update that only Windows Update has. */
export function lineOfTitle(title: string): KbLine {
  const said = lineInWords([title]);
  if (said !== null) return said;
  if (/\.NET\b/.test(title)) return '.NET';
  return /\bCumulative Update for (?:Windows|Microsoft server operating system)/i.test(title)
    ? 'Cumulative update'
    : 'Security update';
}
