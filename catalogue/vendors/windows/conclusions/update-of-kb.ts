/** Finds the update of Windows Update that is a KB for a product of the security update guide. */
import { type ComparableProduct, parseProductName } from '../names/comparable-product.ts';

export interface KbTarget {
  readonly productName: string;
  readonly architecture: readonly string[];
}

export interface UpdateDescription {
  readonly title: string;
  readonly architecture: readonly string[];
}

/** Why no update of a KB is known to be for a product, the nearest mismatch first. */
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
  /** `mismatch` is null when the KB has no update at all. */
  | { readonly update: null; readonly mismatch: Mismatch | null };

/** Returns the update of a KB that is certainly for the product: no update is better than a wrong one. */
export function matchUpdate<Update extends UpdateDescription>(
  target: KbTarget,
  updates: readonly Update[],
): UpdateMatch<Update> {
  const product = parseProductName(target.productName);
  // The guide states a server's architecture only when it is not x64.
  const architectures =
    target.architecture.length === 0 && product.system?.startsWith('Server') === true
      ? ['x64']
      : target.architecture;
  const verdicts = updates.map((update) => ({
    update,
    mismatch: findMismatch(product, architectures, update),
  }));
  const fitting = verdicts.flatMap(({ update, mismatch }) => (mismatch === null ? [update] : []));
  const exact = fitting.filter(({ architecture }) => isSameSet(architecture, architectures));
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

function findMismatch(
  product: ComparableProduct,
  architectures: readonly string[],
  { title, architecture }: UpdateDescription,
): Mismatch | null {
  const offered = parseProductName(title);
  if (product.system === null) {
    if (!isInTitle(product.words, offered.words)) return 'offered for another product only';
  } else {
    if ((product.frameworks.length === 0) !== (offered.frameworks.length === 0))
      return 'offered for another product only';
    if (product.system !== offered.system) return 'offered for another version of Windows only';
    if (!product.frameworks.every((version) => offered.frameworks.includes(version)))
      return 'offered for another version of .NET only';
  }
  return overlaps(architectures, architecture) ? null : 'offered for another architecture only';
}

/** Accepts the application's name or its Office's: an update of Office 2016 is also the KB for Word 2016. */
function isInTitle(product: string, title: string): boolean {
  const has = (words: string) => ` ${title} `.includes(` ${words} `);
  const year =
    /^(?:access|excel|onenote|outlook|powerpoint|project|publisher|visio|word) (\d{4})$/.exec(
      product,
    )?.[1];
  return has(product) || (year !== undefined && has(`office ${year}`));
}

/** An unspecified architecture matches any. */
function overlaps(a: readonly string[], b: readonly string[]): boolean {
  return a.length === 0 || b.length === 0 || a.some((architecture) => b.includes(architecture));
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return new Set(a).symmetricDifference(new Set(b)).size === 0;
}
