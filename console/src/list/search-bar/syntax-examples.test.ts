import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import type { WireRow, WireValue } from '@patch/contract/base/row-schema.ts';
import { expect, test } from 'vitest';
import { applyTypedSearch } from '../criteria/typed-search.ts';
import { buildExamples } from './syntax-examples.ts';
import { buildValueExample } from './value-example.ts';

const alma = getList('almalinux_patch');
const erratum: WireRow = {
  id: 1,
  title: 'Important: zlib-ng security update for archives',
  bulletinId: 'ALSA-2031:1234',
  severity: 'Moderate',
  category: 'security',
  releaseDate: Date.UTC(2031, 4, 12),
  exploited: false,
  cvss: 6.3,
};
const listTyped = (list: ListDefinition, rows: readonly WireRow[]) =>
  buildExamples(list, rows).map(({ typed }) => typed);

test('returns examples with values of the rows', () => {
  const typed = listTyped(alma, [erratum]);
  expect(typed).toEqual(
    expect.arrayContaining([
      'security',
      'moderate security',
      '"security update"',
      'title:security update',
      'title:Important*',
      'title="Important: zlib-ng security update for archives"',
      'severity:Moderate',
      'releaseDate:2031-01..2031-12',
      'releaseDate>2031-05-11',
      'exploited:no',
      'security export:csv',
    ]),
  );
  expect(buildValueExample(alma, [erratum])).toBe('severity:Moderate');
});

test('follows the rows and invents no words without rows', () => {
  const kernelUpdate = { ...erratum, title: 'Recommended kernel update', severity: 'Low' };
  expect(listTyped(alma, [kernelUpdate])).toEqual(
    expect.arrayContaining(['Recommended', 'low Recommended', 'severity:Low']),
  );
  for (const typed of listTyped(alma, [])) expect(typed).not.toMatch(/security|openssl|kernel/);
});

const awkward: Readonly<Record<FieldKind, WireValue>> = {
  text: 'export:csv "quoted" and severity:Low, Ünïcode words \\ 100%',
  prose: 'or and not in',
  identifier: 'linux-image_6.8:amd64',
  identifiers: ['CVE-2031-1', 'a, b'],
  tags: ['Windows Server 2031', 'x "y" z'],
  choice: 'unheard of',
  number: -3,
  decimal: 0.5,
  size: 12,
  date: 0,
  flag: true,
  link: 'https://example.org/?q="a b"',
};

test.each(catalogueLists.map((list) => [list.key, list] as const))(
  'returns only valid searches for any row: %s',
  (_, list) => {
    const values = Object.keys(list.fields).map((name) => [
      name,
      awkward[getField(list, name).kind],
    ]);
    for (const rows of [[], [{ id: 1, ...Object.fromEntries(values) } as WireRow]])
      for (const typed of listTyped(list, rows))
        expect(
          applyTypedSearch(list, { criteria: [], keyword: '' }, typed, 'UTC'),
          typed,
        ).not.toHaveProperty('problem');
  },
);
