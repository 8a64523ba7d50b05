import { getList } from '@patch/catalogue/lists.ts';
import { describe, expect, test } from 'vitest';
import { checkFilter } from './check-filter.ts';
import { parseFilter } from './parse-filter.ts';

const kbs = getList('patch_repository');
const notices = getList('linux_notice');
const kbBase = getList('kb_repository');
const checked = (text: string, list = kbs) => checkFilter(list, parseFilter(text));

test('resolves the field and folds its values', () => {
  expect(checked("lower(name) in ('ÄB','c') and cve like 'CVE-%'")).toMatchObject([
    { name: 'name', definition: { kind: 'text', label: 'Name' }, values: ['äb', 'c'] },
    { name: 'cve', definition: { kind: 'identifiers' }, pattern: 'cve-%' },
  ]);
});

test('reads id as the record number, unless another field has this name on the wire', () => {
  expect(checked('id = 5')[0]).toMatchObject({ name: 'id', definition: { kind: 'number' } });
  expect(checked("lower(id) = 'usn-6663-1'", notices)[0]).toMatchObject({
    name: 'noticeId',
    definition: { kind: 'identifier' },
  });
  expect(checked("noticeId = 'USN-6663-1'", notices)[0]).toMatchObject({
    name: 'noticeId',
    value: 'usn-6663-1',
  });
});

test("accepts a field's wire name and own name", () => {
  expect(
    checked("products like '%x%' and productName like '%y%'", kbBase).map(({ name }) => name),
  ).toEqual(['productName', 'productName']);
});

describe('refuses', () => {
  test.each([
    ["lower(titel) = 'x'", "Unknown field 'titel' at 7. Searchable fields: id, name, productName,"],
    ["paramName = 'x'", "Unknown field 'paramName' at 1."],
    ["__proto__ = 'x'", "Unknown field '__proto__' at 1."],
    ["constructor = 'x'", "Unknown field 'constructor' at 1."],
    ["NAME = 'x'", "Unknown field 'NAME' at 1."],
    [
      "name < 'x'",
      "name does not support '<' at 6. Its operators: like, not like, =, !=, in, not in, is null, is not null",
    ],
    ["id like '5%'", "id does not support 'like' at 4."],
    ['releaseDate in (1)', "releaseDate does not support 'in' at 13."],
    ['lower(id) = 5', 'lower() is for words; id at 7 holds numbers.'],
    ['lower(releaseDate) is null', 'lower() is for words; releaseDate at 7 holds dates.'],
    ['name = 5', 'name needs words in quotes at 8.'],
    ["severity in ('critical', true)", 'severity needs words in quotes at 26.'],
    ["id in (1, '2')", 'id needs a whole number at 11.'],
    ['id = 1.5', 'id needs a whole number at 6.'],
    ["releaseDate > '2024-01-01'", 'releaseDate needs epoch milliseconds, a whole number at 15.'],
    ['releaseDate between 5 and 4', 'The range of releaseDate at 13 is empty: 5 is above 4.'],
  ])('%s', (text, message) => {
    expect(() => checked(text)).toThrow(message);
  });

  test('accepts only true and false for flags, and refuses undeclared fields', () => {
    expect(() => checked('cabExists = 1', kbBase)).toThrow('cabExists needs true or false at 13.');
    expect(() => checked('id = 1', kbBase)).toThrow(
      "Unknown field 'id' at 1. Searchable fields: title, uuid, kbId, products, arch,",
    );
  });
});
