/** The mapped words of an RPM erratum as the vendor wrote them, and a report of those without a mapping. */
import type { UnknownWord } from '../definition/feed.ts';
import { wordOf } from '../values/vendor-words.ts';
import { findCategory } from './errata-values.ts';
import { unknownSeverity } from './severities.ts';

export interface VendorWords {
  readonly severity: string | null;
  readonly type: string | null;
  readonly status: string | null;
}

/** `retracted` errata are not listed; the other statuses do not matter. */
const knownStatuses: readonly string[] = ['final', 'stable', 'testing', 'retracted'];

export function toVendorWordFacts({ severity, type, status }: VendorWords) {
  return { vendorSeverity: wordOf(severity), vendorCategory: wordOf(type), status: wordOf(status) };
}

/** Missing words are not reported. */
export function findUnknownErrataWords({ severity, type, status }: VendorWords): UnknownWord[] {
  const category = wordOf(type);
  const statusWord = wordOf(status);
  return [
    ...unknownSeverity(severity),
    ...(category === null || findCategory(category) !== null
      ? []
      : [{ vocabulary: 'category', word: category, shownAs: 'other' }]),
    ...(statusWord === null || knownStatuses.includes(statusWord.toLowerCase())
      ? []
      : [{ vocabulary: 'status', word: statusWord, shownAs: null }]),
  ];
}
