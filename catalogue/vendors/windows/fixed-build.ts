/** The builds that fixes bring a product to, and which of them can be compared: only builds of one branch follow each other. */
import type { MsrcDocument } from './msrc-document.ts';

export interface FixedBuild {
  /** As Microsoft writes it: '10.0.20348.5139'. */
  readonly text: string;
  /** What a product stays on while it is updated: '10.0.20348' of Windows, '15.2.1544' of Exchange, '16.0' of SQL Server. */
  readonly branch: string;
  /** What is counted within the branch, the weightiest first. */
  readonly order: readonly number[];
  /** The newest document that states it. */
  readonly document: MsrcDocument;
}

/** Products whose updates hold all earlier ones, by their names, and how many numbers of a build name the branch. */
const cumulativeProducts: readonly (readonly [name: RegExp, branchLength: number])[] = [
  [/^Windows (?:\d|RT|Server|Vista|XP)/i, 3],
  [/^Microsoft Exchange Server\b/i, 3],
  [/^Microsoft SQL Server \d{4}\b/i, 2],
];

/**
 * Null for what is no build of four numbers ('1.002', '4.8.04798.04', 'App Build 15.17 …'), and for a product of which several
 * updates are made side by side (Office, SharePoint, .NET Framework): there a higher build is another component's.
 */
export function fixedBuildOf(
  productName: string,
  text: string,
  document: MsrcDocument,
): FixedBuild | null {
  const branchLength = cumulativeProducts.find(([name]) => name.test(productName))?.[1];
  const written = text.trim();
  if (branchLength === undefined || !/^\d{1,9}(?:\.\d{1,9}){3}$/.test(written)) return null;
  const numbers = written.split('.').map(Number);
  // Windows has version 6 or 10; '1.0.0.3' is the version of a single package.
  if (/^Windows/i.test(productName) && numbers[0] !== 6 && numbers[0] !== 10) return null;
  return {
    text: written,
    branch: numbers.slice(0, branchLength).join('.'),
    order: numbers.slice(branchLength),
    document,
  };
}

/** Positive when the first is the higher. Only of builds that can be compared. */
export function compareBuilds(a: Pick<FixedBuild, 'order'>, b: Pick<FixedBuild, 'order'>): number {
  const place = a.order.findIndex((number, index) => number !== b.order[index]);
  return place === -1 ? 0 : (a.order[place] ?? 0) - (b.order[place] ?? 0);
}
