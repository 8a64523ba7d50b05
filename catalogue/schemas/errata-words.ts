/** The words of an RPM erratum that are mapped, kept as the vendor wrote them; those that no mapping knows are reported. */
import type { UnknownWord } from '../definition/feed.ts';
import { wordOf } from '../values/vendor-words.ts';
import { knownCategory } from './errata-values.ts';
import { unknownSeverity } from './severities.ts';

export interface WrittenWords {
  readonly severity: string | null;
  readonly type: string | null;
  readonly status: string | null;
}

/** `retracted` is not listed; the others are listed alike. */
const knownStatuses: readonly string[] = ['final', 'stable', 'testing', 'retracted'];

/** As facts of the detail. */
export function vendorWordFacts({ severity, type, status }: WrittenWords) {
  return { vendorSeverity: wordOf(severity), vendorCategory: wordOf(type), status: wordOf(status) };
}

/** A missing word is not an unknown one. */
export function unknownErrataWords({ severity, type, status }: WrittenWords): UnknownWord[] {
  const category = wordOf(type);
  const statusWord = wordOf(status);
  return [
    ...unknownSeverity(severity),
    ...(category === null || knownCategory(category) !== null
      ? []
      : [{ vocabulary: 'category', word: category, shownAs: 'other' }]),
    ...(statusWord === null || knownStatuses.includes(statusWord.toLowerCase())
      ? []
      : [{ vocabulary: 'status', word: statusWord, shownAs: null }]),
  ];
}
