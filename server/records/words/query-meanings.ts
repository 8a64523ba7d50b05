/** What a few words mean in a list: a flag, a choice, a CVE, or a name. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField, shownSeverityField } from '@patch/catalogue/definition/record-name.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { exploitedWords, ransomwareWords, severityWords } from './aliases.ts';
import type { NameDictionary } from './name-dictionary.ts';

export type Meaning = (words: readonly string[]) => readonly FieldCriterion[];

/** The readings of some words, the more exact ones first. */
export function createMeanings(list: ListDefinition, names: NameDictionary): readonly Meaning[] {
  const severity = shownSeverityField(list);
  return [
    ...list.searchable.flatMap((name): Meaning[] => {
      const { kind, label, look, choices = [], words: labels = {}, risk } = getField(list, name);
      if (kind === 'flag')
        return [
          (words) => {
            const text = words.join(' ');
            const isNamed =
              fold(label) === text ||
              (risk === 'exploited' && exploitedWords.has(text)) ||
              (risk === 'ransomware' && ransomwareWords.has(text));
            return isNamed ? [equal(name, true)] : [];
          },
        ];
      if (kind !== 'choice' || (look === 'severity' && name !== severity)) return [];
      return [
        (words) => {
          const typed = words.join(' ');
          const text = severityWords.get(typed) ?? typed;
          const value = choices.find((choice) =>
            [String(choice), labels[String(choice)] ?? ''].some((each) => fold(each) === text),
          );
          return value === undefined
            ? []
            : [{ paramName: name, operator: 'in', value: [String(value)] }];
        },
      ];
    }),
    ...(list.searchable.includes(listedField) ? [readListed] : []),
    ...(list.searchable.includes(cveField) ? [readCve] : []),
    (words) => names.find(words),
  ];
}

/** The list of vulnerabilities has no flag for those that are known exploited, but the day since when. */
export const listedField = 'exploitedSince';
const publishedField = 'published';

/** Returns the date that a time of a query means where nothing else is said: of a CVE, its publication. */
export function findDateField(list: ListDefinition): string | null {
  const isOfCves = list.searchable.includes(listedField);
  const name = isOfCves ? publishedField : releaseDateField(list)?.name;
  // Some lists have the date in the detail alone, where nobody searches.
  return name !== undefined && list.searchable.includes(name) ? name : null;
}

const readListed: Meaning = (words) => {
  const text = words.join(' ');
  const isNamed = text === 'exploited' || exploitedWords.has(text);
  return isNamed ? [{ paramName: listedField, operator: 'is_not_null' }] : [];
};

/** Lists call their CVEs so. */
export const cveField = 'cve';

/** Reads a whole CVE, which as a word would also find those that begin with it. */
const readCve: Meaning = ([word = '', ...others]) =>
  others.length === 0 && isCve(word) ? [equal(cveField, word.toUpperCase())] : [];

export const isCve = (word: string): boolean => /^cve-\d{4}-\d{4,19}$/.test(word);

const equal = (paramName: string, value: string | boolean): FieldCriterion => ({
  paramName,
  operator: 'equal',
  value,
});
