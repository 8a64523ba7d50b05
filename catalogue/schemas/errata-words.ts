/** The mapped words of an RPM erratum as the vendor wrote them, and a report of those without a mapping. */
import type { UnknownWord } from '../definition/feed.ts';
import { toWord } from '../values/vendor-words.ts';
import { findCategory } from './errata-values.ts';
import { findUnknownSeverity } from './severities.ts';

export interface VendorWords {
  readonly severity: string | null;
  readonly type: string | null;
  readonly status: string | null;
}

/** `retracted` errata are not listed; the other statuses do not matter. */
const knownStatuses: readonly string[] = ['final', 'stable', 'testing', 'retracted'];

export function toVendorWordFacts({ severity, type, status }: VendorWords) {
  return { vendorSeverity: toWord(severity), vendorCategory: toWord(type), status: toWord(status) };
}

/** Missing words are not reported. */
export function findUnknownErrataWords({ severity, type, status }: VendorWords): UnknownWord[] {
  const category = toWord(type);
  const statusWord = toWord(status);
  return [
    ...findUnknownSeverity(severity),
    ...(category === null || findCategory(category) !== null
      ? []
      : [{ vocabulary: 'category', word: category, shownAs: 'other' }]),
    ...(statusWord === null || knownStatuses.includes(statusWord.toLowerCase())
      ? []
      : [{ vocabulary: 'status', word: statusWord, shownAs: null }]),
  ];
}
