/** Which update that Windows Update offers is a KB for a product of the security update guide. */
import { type NamedProduct, namedProduct } from './named-product.ts';

export interface KbOfProduct {
  readonly productName: string;
  readonly architecture: readonly string[];
}

export interface OfferedForKb {
  readonly title: string;
  readonly architecture: readonly string[];
}

/** Why none of a KB's updates is known to be the one for a product, the nearest miss first. */
export const mismatches = [
  'several updates fit',
  'offered for another architecture only',
  'offered for another version of .NET only',
  'offered for another version of Windows only',
  'offered for another product only',
] as const;
export type Mismatch = (typeof mismatches)[number];

export type UpdateMatch<Update> =
  | { readonly update: Update; readonly mismatch: null }
  /** `mismatch` is null where the KB has no update at all. */
  | { readonly update: null; readonly mismatch: Mismatch | null };

/** Among the updates of one KB the one that is certainly for the product: no file is better than a wrong one. */
export function matchUpdate<Update extends OfferedForKb>(
  asked: KbOfProduct,
  updates: readonly Update[],
): UpdateMatch<Update> {
  const product = namedProduct(asked.productName);
  // The guide names the architecture of a server only where it is not the usual one.
  const architectures =
    asked.architecture.length === 0 && product.system?.startsWith('Server') === true
      ? ['x64']
      : asked.architecture;
  const verdicts = updates.map((update) => ({
    update,
    mismatch: mismatchOf(product, architectures, update),
  }));
  const fitting = verdicts.flatMap(({ update, mismatch }) => (mismatch === null ? [update] : []));
  const exact = fitting.filter(({ architecture }) => isSame(architecture, architectures));
  const [update, ...others] = exact.length > 0 ? exact : fitting;
  if (update !== undefined && others.length === 0) return { update, mismatch: null };
  if (update !== undefined) return { update: null, mismatch: 'several updates fit' };
  return {
    update: null,
    mismatch:
      mismatches.find((mismatch) => verdicts.some((verdict) => verdict.mismatch === mismatch)) ??
      null,
  };
}

function mismatchOf(
  product: NamedProduct,
  architectures: readonly string[],
  { title, architecture }: OfferedForKb,
): Mismatch | null {
  const offered = namedProduct(title);
  if (product.system === null) {
    if (!isNamedIn(product.words, offered.words)) return 'offered for another product only';
  } else {
    if ((product.frameworks.length === 0) !== (offered.frameworks.length === 0))
      return 'offered for another product only';
    if (product.system !== offered.system) return 'offered for another version of Windows only';
    if (!product.frameworks.every((version) => offered.frameworks.includes(version)))
      return 'offered for another version of .NET only';
  }
  return overlap(architectures, architecture) ? null : 'offered for another architecture only';
}

/** The application's own name, or that of the Office it is part of: one update of Office 2016 is the KB for Word 2016 too. */
function isNamedIn(product: string, title: string): boolean {
  const has = (words: string) => ` ${title} `.includes(` ${words} `);
  const year =
    /^(?:access|excel|onenote|outlook|powerpoint|project|publisher|visio|word) (\d{4})$/.exec(
      product,
    )?.[1];
  return has(product) || (year !== undefined && has(`office ${year}`));
}

/** What is not said fits all. */
function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.length === 0 || b.length === 0 || a.some((architecture) => b.includes(architecture));
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return new Set(a).symmetricDifference(new Set(b)).size === 0;
}
