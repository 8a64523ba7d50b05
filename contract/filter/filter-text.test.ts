import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { Criterion, CriterionError } from './criterion.ts';
import { filterText } from './filter-text.ts';

const kbs = getList('patch_repository');
const kbBase = getList('kb_repository');
const when = { now: Date.UTC(2024, 4, 15, 12), timeZone: 'UTC' };
const written = (...criteria: Criterion[]) => filterText(kbs, criteria, when);

test('writes the example of the specification', () => {
  const text = filterText(
    getList('almalinux_patch'),
    [
      { paramName: 'title', operator: 'contains', value: 'OpenSSL' },
      { paramName: 'severity', operator: 'in', value: ['Critical', 'Important'] },
      { paramName: 'releaseDate', operator: 'greater_than', value: 1700000000000 },
    ],
    when,
  );
  expect(text).toBe(
    "lower(title) like '%openssl%' and lower(severity) in ('critical','important') and releaseDate > 1700000000000",
  );
});

test.each<[Criterion, string]>([
  [{ paramName: 'name', operator: 'equal', value: '100%_\\' }, "lower(name) = '100%_\\'"],
  [{ paramName: 'name', operator: 'not_equal', value: "It's" }, "lower(name) != 'it''s'"],
  [{ paramName: 'name', operator: 'start_with', value: '100%' }, "lower(name) like '100\\%%'"],
  [{ paramName: 'name', operator: 'end_with', value: 'a_b' }, "lower(name) like '%a\\_b'"],
  [
    { paramName: 'name', operator: 'not_contains', value: 'c:\\' },
    "lower(name) not like '%c:\\\\%'",
  ],
  [
    { paramName: 'severity', operator: 'not_in', value: ['None'] },
    "lower(severity) not in ('none')",
  ],
  [{ paramName: 'cve', operator: 'is_null' }, 'cve is null'],
  [{ paramName: 'releaseDate', operator: 'is_not_null' }, 'releaseDate is not null'],
  [{ paramName: 'id', operator: 'in', value: [1, 2] }, 'id in (1,2)'],
  [{ paramName: 'id', operator: 'between', value: 1, toValue: 5 }, 'id between 1 and 5'],
  [{ paramName: 'releaseDate', operator: 'less_than_or_equal', value: 5 }, 'releaseDate <= 5'],
  [
    { paramName: 'releaseDate', operator: 'equal', value: 'today' },
    'releaseDate between 1715731200000 and 1715817599999',
  ],
  [
    { paramName: 'releaseDate', operator: 'less_than', value: 'last_30_days' },
    'releaseDate < 1713182400000',
  ],
  [
    { paramName: 'releaseDate', operator: 'equal', value: 'overdue' },
    'releaseDate <= 1715731199999',
  ],
])('writes %j as %s', (criterion, text) => {
  expect(written(criterion)).toBe(text);
});

test('writes a field by its name on the wire', () => {
  const criteria: Criterion[] = [
    { paramName: 'productName', operator: 'contains', value: 'Windows 11' },
    { paramName: 'cabExists', operator: 'equal', value: false },
  ];
  expect(filterText(kbBase, criteria, when)).toBe(
    "lower(products) like '%windows 11%' and cabExists = false",
  );
});

test('omits the keyword', () => {
  expect(written({ valueType: 'keyword', value: 'openssl' })).toBe('');
});

test('writes case-insensitive variants as the plain operators', () => {
  const criterion = Criterion.parse({
    paramName: 'name',
    operator: 'equal_case_insensitive',
    value: 'X',
  });
  expect(written(criterion)).toBe("lower(name) = 'x'");
});

test('refuses an unknown operator', () => {
  const criterion = {
    paramName: 'name',
    operator: 'resembles',
    value: 'x',
  } as unknown as Criterion;
  expect(() => written(criterion)).toThrow('Operator resembles not found');
});

test.each<[Criterion, string]>([
  [
    { paramName: 'titel', operator: 'equal', value: 'x' },
    "Unknown field 'titel'. Searchable fields: id, name",
  ],
  [{ paramName: 'paramName', operator: 'equal', value: 'x' }, "Unknown field 'paramName'"],
  [{ paramName: 'name', operator: 'equal' }, 'Name needs a value'],
  [{ paramName: 'name', operator: 'less_than', value: 'x' }, "Name does not support 'less than'"],
  [{ paramName: 'severity', operator: 'in', value: [] }, 'Severity needs at least one value'],
  [{ paramName: 'severity', operator: 'in', value: ['Critical', ''] }, 'Severity needs a value'],
  [
    { paramName: 'severity', operator: 'equal', value: ['Low', 'None'] },
    'Severity needs one value',
  ],
  [{ paramName: 'id', operator: 'equal', value: 1.5 }, 'Id needs a whole number'],
  [{ paramName: 'id', operator: 'equal', value: '5 or 1=1' }, 'Id needs a whole number'],
  [{ paramName: 'id', operator: 'between', value: 5 }, 'Id needs a whole number'],
  [{ paramName: 'id', operator: 'between', value: [], toValue: 4 }, 'Id needs one value'],
  [{ paramName: 'id', operator: 'between', value: 5, toValue: 4 }, 'Id must end after it begins'],
  [
    { paramName: 'releaseDate', operator: 'equal', value: 'custom' },
    "Release date needs a date or a time such as today, not 'custom'",
  ],
  [
    { paramName: 'releaseDate', operator: 'not_equal', value: 'today' },
    "Release date does not support 'not equal today'",
  ],
])('refuses %j: %s', (criterion, message) => {
  expect(() => written(criterion)).toThrow(CriterionError);
  expect(() => written(criterion)).toThrow(message);
});
