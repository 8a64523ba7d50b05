/** Explains the filter language in the API reference for one list: its fields, their operators, and an example. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { dateWords } from './base/row-schema.ts';
import type { FieldCriterion } from './filter/criterion.ts';
import { maxConditions, maxValues } from './filter/filter-conditions.ts';
import { filterText } from './filter/filter-text.ts';
import { maxFilterLength } from './filter/parse-filter.ts';
import { isOfWords, wireOperatorsOfKind } from './filter/wire-operators.ts';
import { largestPage, type SearchBody } from './records/search-endpoint.ts';

/** Returns CommonMark. */
export function searchReference(list: ListDefinition): string {
  const rows = list.searchable.map((name) => {
    const field = getField(list, name);
    const { kind, label, choices } = field;
    const operators = wireOperatorsOfKind(kind).map((operator) => `\`${operator}\``);
    const values =
      choices === undefined ? valueWords(field) : `words, among them ${choices.join(', ')}`;
    return `| \`${list.filterName[name] ?? name}\` | ${label} | ${values} | ${operators.join(' ')} |`;
  });
  return [
    'A page of the rows that match both `filter` and `keyword`, and the exact total. Without either: all rows.',
    '',
    '**Filter.** Conditions joined by `and`:',
    '',
    ...exampleCriteria(list).map((criterion) => `    ${writeExample(list, [criterion])}`),
    '',
    "Words are compared without case, as `lower(field) operator 'words in lower case'`; a quote inside is doubled. In a pattern `%` stands for any",
    'text and `_` for any character; a backslash escapes them. Numbers, dates (epoch milliseconds) and `true`, `false` are not quoted.',
    `At most ${maxFilterLength} bytes, ${maxConditions} conditions and ${maxValues} values in a list. An invalid filter is refused with 422, the position of the error and what is allowed there.`,
    '',
    '| field | label | values | operators |',
    '|---|---|---|---|',
    ...rows,
    '',
    '**Keyword.** Words that stand without quotes may stand anywhere in the text fields, the severity and the release of a record, each in another',
    'field: `critical windows server 2022`. Every one of them must be there. Words in quotes must stand there as they are written: `"server 2022"`;',
    'a quote inside is doubled, and a quote that nothing closes is part of its word. An identifier (`KB5034441`, `5034441`, `CVE-2024-3094`, a uuid)',
    'finds its record first, a package its advisory: `openssl-libs-1.1.1k-12.el8_9.x86_64`.',
    '',
    `**Paging.** \`offset\` and \`size\` (at most ${largestPage}); \`sort\` by any field, ties by id, so that pages neither overlap nor skip.`,
  ].join('\n');
}

export function searchExample(list: ListDefinition): SearchBody {
  return { filter: writeExample(list, exampleCriteria(list)) };
}

function writeExample(list: ListDefinition, criteria: readonly FieldCriterion[]): string {
  return filterText(list, criteria, { now: 0, timeZone: 'UTC' });
}

/** Returns a criterion of words, one of choices and one of dates, where the list has them. */
function exampleCriteria(list: ListDefinition): readonly FieldCriterion[] {
  const findField = (fits: (kind: FieldKind) => boolean) =>
    list.searchable.find((name) => fits(getField(list, name).kind));
  const [words, choice, date] = [
    findField((kind) => kind === 'text'),
    findField((kind) => kind === 'choice'),
    findField((kind) => kind === 'date'),
  ];
  const criteria: FieldCriterion[] = [];
  if (words !== undefined)
    criteria.push({ paramName: words, operator: 'contains', value: 'openssl' });
  if (choice !== undefined) {
    const highest = getField(list, choice).choices?.slice(-2).map(String) ?? [];
    criteria.push({ paramName: choice, operator: 'in', value: highest });
  }
  if (date !== undefined)
    criteria.push({ paramName: date, operator: 'greater_than', value: Date.UTC(2024, 0, 1) });
  return criteria;
}

function valueWords(field: Field<FieldKind, unknown>): string {
  const { kind } = field;
  if (kind === 'date') return dateWords(field);
  if (kind === 'flag') return 'true, false';
  if (kind === 'identifiers' || kind === 'tags') return 'words; matches any of several values';
  if (isOfWords(kind)) return 'words';
  return kind === 'size' ? 'bytes' : kind === 'decimal' ? 'numbers' : 'whole numbers';
}
