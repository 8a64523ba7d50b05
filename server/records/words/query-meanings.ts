/** What a few words mean in a list: a flag, a choice, a time, or a name. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField, shownSeverityField } from '@patch/catalogue/definition/record-name.ts';
import { isRelativeTime } from '@patch/contract/dates/relative-date.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { exploitedWords, ransomwareWords, severityWords } from './aliases.ts';
import type { NameDictionary } from './name-dictionary.ts';

export type Meaning = (words: readonly string[]) => readonly FieldCriterion[];

/** The readings of some words, the more exact ones first. */
export function createMeanings(list: ListDefinition, names: NameDictionary): readonly Meaning[] {
  const date = releaseDateField(list)?.name ?? '';
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
    // Some lists have the date in the detail alone, where nobody searches.
    ...(list.searchable.includes(date)
      ? [(words: readonly string[]) => readTime(date, words)]
      : []),
    ...(list.searchable.includes(cveField) ? [readCve] : []),
    (words) => names.find(words),
  ];
}

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

/** Months in the languages of those who use the console, long and short, by folded name. */
const months: ReadonlyMap<string, number> = new Map(
  ['en', 'de', 'tr'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, at): [string, number] => [
        fold(format.format(Date.UTC(2024, at, 1))).replace(/\.$/, ''),
        at,
      ]);
    }),
  ),
);

/** Reads `june 2026`, `2026-06`, `this month` and `last 30 days`. */
function readTime(paramName: string, words: readonly string[]): readonly FieldCriterion[] {
  const relative = words.join('_');
  if (isRelativeTime(relative)) return [equal(paramName, relative)];
  const [, year = '', number = ''] =
    /^((?:19|20)\d\d)-(0[1-9]|1[0-2])$/.exec(words.join(' ')) ?? [];
  if (year !== '') return [monthOf(paramName, Number(year), Number(number) - 1)];
  const [word = '', typedYear = '', ...others] = words;
  const month = months.get(word.replace(/\.$/, ''));
  if (month === undefined || others.length > 0 || !/^(?:19|20)\d\d$/.test(typedYear)) return [];
  return [monthOf(paramName, Number(typedYear), month)];
}

const monthOf = (paramName: string, year: number, month: number): FieldCriterion => ({
  paramName,
  operator: 'between',
  value: Date.UTC(year, month, 1),
  toValue: Date.UTC(year, month + 1, 1) - 1,
});
