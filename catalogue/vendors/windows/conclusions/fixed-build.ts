/** Builds that fixes bring a product to, and their order: only builds of one branch can be compared. */
import type { MsrcDocument } from '../guide/msrc-document.ts';

export interface FixedBuild {
  /** As Microsoft writes it: '10.0.20348.5139'. */
  readonly text: string;
  /**
   * Leading numbers that stay the same while a product is updated: '10.0.20348' of Windows, '15.2.1544' of Exchange, '16.0' of SQL Server.
   */
  readonly branch: string;
  /** The remaining numbers, which order builds within the branch, most significant first. */
  readonly order: readonly number[];
  /** The newest document that states it. */
  readonly document: MsrcDocument;
}

const windows = /^Windows (?:\d|RT|Server|Vista|XP)/i;

/** Products whose updates contain all earlier ones, with the number of build components in the branch. */
const cumulativeProducts: readonly (readonly [name: RegExp, branchLength: number])[] = [
  [windows, 3],
  [/^Microsoft Exchange Server\b/i, 3],
  [/^Microsoft SQL Server \d{4}\b/i, 2],
];

/**
 * Returns the build that the product itself states once the fix is installed. Null for what is the version of a single package: '1.000'
 * and '1.0.0.3' of Windows, which has version 6 or 10.
 */
export function readProductBuild(productName: string, text: string): string | null {
  // Some documents write '0.0.26200.4652' for a build of 10.0.
  const build = text.trim().replace(/^0\.0\.(?=\d{5}\.)/, '10.0.');
  const form = windows.test(productName)
    ? /^(?:6|10)(?:\.\d{1,9}){3}$/
    : /^\d{1,9}(?:\.\d{1,9}){2,}$/;
  return form.test(build) ? build : null;
}

/**
 * Returns null for anything but a build of four numbers ('1.002', '4.8.04798.04', 'App Build 15.17 …'), and for products with parallel
 * updates (Office, SharePoint, .NET Framework), where a higher build may belong to another component.
 */
export function parseFixedBuild(
  productName: string,
  text: string,
  document: MsrcDocument,
): FixedBuild | null {
  const branchLength = cumulativeProducts.find(([name]) => name.test(productName))?.[1];
  const numbers = readProductBuild(productName, text)?.split('.').map(Number);
  if (branchLength === undefined || numbers?.length !== 4) return null;
  return {
    text: text.trim(),
    branch: numbers.slice(0, branchLength).join('.'),
    order: numbers.slice(branchLength),
    document,
  };
}

/** Returns a positive number when `a` is higher. Both builds must be of one branch. */
export function compareBuilds(a: Pick<FixedBuild, 'order'>, b: Pick<FixedBuild, 'order'>): number {
  const index = a.order.findIndex((number, position) => number !== b.order[position]);
  return index === -1 ? 0 : (a.order[index] ?? 0) - (b.order[index] ?? 0);
}
