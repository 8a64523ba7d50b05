import { expect, test } from 'vitest';
import { type Entry, entry } from '../definition/feed.ts';
import {
  choice,
  date,
  type Fields,
  flag,
  identifier,
  identifiers,
  link,
  number,
  prose,
  size,
  tags,
  text,
} from '../definition/fields.ts';
import { defineList, type ListDefinition } from '../definition/list-definition.ts';
import { kindComplaints, namesOfTwoKinds } from './kind-complaints.ts';

const addresses = { route: 'example', searchPath: '/example/search', detailPath: '/example/{id}' };
const about = {
  label: 'Examples',
  shortLabel: 'Example',
  source: 'example',
  ...addresses,
} as const;
const use = {
  columns: ['value'],
  searchable: ['value'],
  identity: ['value'],
  defaultSort: 'value',
} as const;

function listWith(value: Fields[string]): ListDefinition {
  const fields: Record<'value', Fields[string]> = { value };
  return {
    ...defineList({ key: 'example_patch', ...about, ...use, fields: { value: text('A') } }),
    fields,
  };
}

const entriesOf = (list: ListDefinition, values: readonly unknown[]): Entry[] =>
  values.map((value, place) => entry(list, `${place}`, { value: value as string }, {}));

test.each([
  ['a web address as text', text('A'), ['https://a.example/1'], 'use link'],
  ['a date as a word', identifier('A'), ['2031-02-03', '2031-02-04 10:00:00'], 'use date'],
  ['an identifier as text', text('A'), ['EX-2031-1', 'EX-2031-2'], 'use identifier'],
  ['a long text as one line', text('A'), ['a '.repeat(300)], 'use prose'],
  ['a sentence as an identifier', identifier('A'), ['this update is for all of them'], 'use text'],
  ['yes and no as words', text('A'), ['true', 'False'], 'use flag'],
  ['a time as a number', number('A'), [1_700_000_000_000], 'use date'],
  ['a time as a size', size('A'), [1_700_000_000_000], 'use date'],
  ['CVEs as tags', tags('A'), [['CVE-2031-0001'], ['CVE-2031-0002']], 'use identifiers'],
  [
    'words outside the choices',
    choice('A', ['low', 'high']),
    ['LOW'],
    'no value of the fixtures is among its choices',
  ],
])('names %s, with an example', (_words, field, values, told) => {
  const list = listWith(field);
  const [complaint, ...more] = kindComplaints(list, entriesOf(list, values));
  expect(complaint).toContain('example_patch.value');
  expect(complaint).toContain(told);
  expect(more).toEqual([]);
});

test.each([
  ['words of which only some look like an identifier', text('A'), ['EX-2031-1', 'The second one']],
  ['a single word that looks like an identifier', text('A'), ['EX-2031-1', 'EX-2031-1']],
  ['a number', number('A'), [12]],
  ['a release as a tag', tags('A'), [['Example 9'], ['15.6']]],
  ['no value at all', text('A'), [null]],
])('has nothing to say about %s', (_words, field, values) => {
  const list = listWith(field);
  expect(kindComplaints(list, entriesOf(list, values))).toEqual([]);
});

test('reads facts and tables as well', () => {
  const list = defineList({
    key: 'example_patch',
    ...about,
    ...use,
    fields: { value: text('A') },
    detail: {
      facts: { page: prose('Page') },
      tables: {
        packages: { label: 'Packages', fields: { checked: text('Checked'), from: link('From') } },
      },
    },
  });
  const detail = {
    page: 'https://a.example/',
    packages: [{ checked: 'true', from: 'https://a.example/' }],
  };
  expect(kindComplaints(list, [entry(list, '1', { value: 'a' }, detail)])).toEqual([
    'example_patch.page is prose, but its values are web addresses ("https://a.example/"): use link',
    'example_patch.packages.checked is text, but its values are yes or no ("true"): use flag',
  ]);
});

test('names a field that is a date in one list and a word in another', () => {
  const one = defineList({
    key: 'one',
    ...about,
    ...use,
    fields: { value: text('A'), released: date('Released'), ids: identifiers('Ids') },
  });
  const other = defineList({
    key: 'other',
    ...about,
    ...use,
    fields: { value: tags('A'), released: text('Released'), ids: flag('Ids') },
  });
  expect(namesOfTwoKinds([one, other])).toEqual([
    'one.ids is identifiers, but other.ids is flag',
    'other.released is text, but one.released is date',
    'other.ids is flag, but one.ids is identifiers',
  ]);
});
