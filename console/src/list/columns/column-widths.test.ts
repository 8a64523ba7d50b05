import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import type { WireValue } from '@patch/contract/base/row-schema.ts';
import { expect, test } from 'vitest';
import { columnNeeds } from './column-needs.ts';
import { columnWidths, type RoomForColumns } from './column-widths.ts';
import { dateWidth } from './content-widths.ts';
import { monoWidth, textWidth } from './text-width.ts';

/** Left and right padding of a cell in pixels, as in the style sheet. */
const cellPadding = 16;

/** Table width in a window of 1440 px, beside the sidebar. */
const desk = 1180;
/** Table width beside the facets: without sidebar, page margins, facets, gap, border, scroll bar and checkboxes. */
const besideFacets = 1440 - 170 - 2 * 20 - 184 - 8 - 2 - 15 - 40;
const room = (given: Partial<RoomForColumns>): RoomForColumns => ({
  available: desk,
  lines: 2,
  rows: [],
  dragged: {},
  ...given,
});
const sum = (widths: readonly number[]) =>
  Math.round(widths.reduce((total, width) => total + width, 0));

const kbBase = getList('kb_repository');
const kb = (id: number, title: string) => ({
  id,
  kbId: `KB508${7000 + id}`,
  title,
  releaseDate: Date.UTC(2026, 4, 12),
  category: 'Security Updates',
  severity: 'Critical',
  productName: ['Windows 11'],
});
const longValues: Readonly<Record<FieldKind, WireValue>> = {
  text: 'several words '.repeat(20),
  prose: 'several words '.repeat(20),
  identifier: '56dbe6de-56d8-5dc4-ae67-cab3197c7e77',
  identifiers: ['linux-image-6.8.0-generic', 'linux-image-6.8.0-lowlatency', 'linux-libc-dev'],
  tags: ['Windows Server 2022', 'Windows Server 2025', 'Windows 11', 'Windows 10'],
  choice: 'Unspecified',
  number: 1_234_567,
  decimal: 0.12345,
  size: 123_456_789,
  date: Date.UTC(2026, 4, 12),
  flag: true,
  link: 'https://www.catalog.update.microsoft.com/Search.aspx',
};
const longTitle =
  '2026-05 Cumulative Update for Windows 11 Version 25H2 for x64-based Systems (KB5087123)';

test.each(catalogueLists.map((list) => [list.key, list] as const))(
  'fills any screen with columns of at least the minimum width: %s',
  (_, list) => {
    for (const rows of [[], [{ id: 1 }]])
      for (const available of [0, 800, 1222, 1900, 3000]) {
        const widths = columnWidths(list, list.columns, room({ available, rows }));
        expect(Math.min(...widths)).toBeGreaterThanOrEqual(specified.columnMinWidth);
        const minimum = sum(columnWidths(list, list.columns, room({ available: 0, rows })));
        expect(sum(widths)).toBe(Math.max(available, minimum));
      }
  },
);

test.each(catalogueLists.map((list) => [list.key, list] as const))(
  'fits the default columns beside the facets: %s',
  (_, list) => {
    const long = Object.fromEntries(
      list.columns.map((name) => [name, longValues[getField(list, name).kind]]),
    );
    for (const rows of [[], [{ id: 1, ...long }]])
      for (const lines of [1, 2]) {
        const widths = columnWidths(
          list,
          list.columns,
          room({ available: besideFacets, rows, lines }),
        );
        expect(sum(widths)).toBe(besideFacets);
      }
  },
);

test('does not break words of a heading on two lines', () => {
  const list = getList('linux_patch_repository');
  const [need] = columnNeeds(list, ['arch'], [{ id: 1, arch: 'all' }], 2);
  expect(need?.floor).toBeGreaterThan(textWidth('Architecture') * (12 / 13));
});

test('never cuts a severity, also a rare one', () => {
  const rows = Array.from({ length: 25 }, (_, id) => ({
    ...kb(id, 'Short'),
    severity: id === 0 ? 'Unspecified' : 'Low',
  }));
  const [need] = columnNeeds(kbBase, ['severity'], rows, 2);
  expect(need?.floor).toBeGreaterThan(textWidth('Unspecified') + cellPadding);
});

test('limits the column of a long identity to 140 pixels when rows have two lines', () => {
  const rows = [{ ...kb(1, longTitle), kbId: '56dbe6de-56d8-5dc4-ae67-cab3197c7e77' }];
  const [name] = columnNeeds(kbBase, kbBase.columns, rows, 2);
  expect(name).toEqual({ floor: 140, min: 140, full: 140, roomy: 140 });
});

test('gives the remaining width to texts and keeps dragged widths', () => {
  const list = getList('macos_patch');
  const before = columnWidths(list, list.columns, room({ available: 2000 }));
  const after = columnWidths(
    list,
    list.columns,
    room({ available: 2000, dragged: { productKey: 400 } }),
  );
  expect(after[0]).toBe(400);
  expect(before[2]).toBe(after[2]);
  expect(sum(after)).toBe(2000);
});

test('gives the width that short values do not need to titles', () => {
  const titles = kbBase.columns.indexOf('title');
  const widths = columnWidths(kbBase, kbBase.columns, room({ rows: [kb(1, longTitle)] }));
  expect(widths[titles]).toBeGreaterThan(textWidth(longTitle) / 2 + cellPadding);
  const product = kbBase.columns.indexOf('productName');
  const wide = columnWidths(
    kbBase,
    kbBase.columns,
    room({ rows: [{ ...kb(1, 'Short'), productName: ['A product with a long name', 'Another'] }] }),
  );
  expect(wide[product]).toBeGreaterThan(widths[product] ?? 0);
  expect(wide[titles]).toBeLessThan(widths[titles] ?? 0);
});

test('cuts titles last when there is too little room', () => {
  const rows = [kb(1, longTitle), kb(2, longTitle)];
  const [, title] = columnWidths(kbBase, kbBase.columns, room({ available: 980, rows }));
  expect(title).toBeGreaterThan(textWidth(longTitle) / 2 + cellPadding);
});

test('does not cut identities, even beside long titles', () => {
  const rows = [{ ...kb(1, longTitle.repeat(3)), kbId: 'x'.repeat(22) }];
  const [name] = columnWidths(kbBase, kbBase.columns, room({ lines: 1, rows }));
  expect(name).toBeGreaterThanOrEqual(monoWidth('x'.repeat(22)) + cellPadding);
});

test('fits titles on rows with one line', () => {
  const rows = [kb(1, longTitle)];
  const [, title] = columnWidths(kbBase, kbBase.columns, room({ lines: 1, rows, available: 1500 }));
  expect(title).toBeGreaterThan(textWidth(longTitle) + cellPadding);
});

test('fits an exceptionally long value only with spare room', () => {
  const list = getList('debian_patch');
  const advisory = (pkgAndVersion: string, id: number) => ({ id, pkgAndVersion });
  const usual = Array.from({ length: 24 }, () => 'xen 4.14.5');
  const needWith = (more: readonly string[]) =>
    columnNeeds(list, ['bulletinId', 'pkgAndVersion'], [...usual, ...more].map(advisory), 1)[1];
  const long = 'x'.repeat(34);
  expect(needWith([long])?.full).toBe(needWith([])?.full);
  expect(needWith([long])?.roomy).toBeGreaterThan(monoWidth(long));
  expect(needWith([long, long, long, long])?.full).toBeGreaterThan(monoWidth(long));
});

test('keeps widths while a list grows', () => {
  const first = Array.from({ length: 100 }, (_, id) => kb(id, 'Short'));
  const widths = (rows: RoomForColumns['rows']) =>
    columnWidths(kbBase, kbBase.columns, room({ rows }));
  expect(widths([...first, kb(200, longTitle)])).toEqual(widths(first));
});

test('fits all letters of a value with a fixed number of letters', () => {
  const list = getList('floto_user');
  const index = list.columns.indexOf('activationCode');
  for (const available of [0, 1222, 3000])
    expect(columnWidths(list, list.columns, room({ available }))[index]).toBeGreaterThan(
      monoWidth('0'.repeat(29)) + cellPadding,
    );
});

test('gives a masked value no room for its letters', () => {
  const list = getList('floto_user');
  const rows = [{ id: 1, clientName: 'North', activationCode: '•••' }];
  const index = list.columns.indexOf('activationCode');
  const [masked = 0, shown = 0] = [rows, []].map(
    (given) => columnNeeds(list, list.columns, given, 2)[index]?.full,
  );
  expect(masked).toBeLessThan(shown / 2);
});

test('fits each date, also where few rows have one', () => {
  const list = getList('floto_user');
  const rows = Array.from({ length: 25 }, (_, id) => ({
    id,
    clientName: 'North',
    registeredOn: id === 0 ? Date.UTC(2098, 11, 30) : null,
  }));
  const index = list.columns.indexOf('registeredOn');
  for (const available of [0, desk])
    expect(
      columnWidths(list, list.columns, room({ available, rows }))[index],
    ).toBeGreaterThanOrEqual(dateWidth + cellPadding);
});

test('does not break a word of a text', () => {
  const list = getList('floto_user');
  const rows = [{ id: 1, clientName: 'North', licenseType: 'subscription' }];
  const index = list.columns.indexOf('licenseType');
  expect(
    columnWidths(list, list.columns, room({ available: 0, rows }))[index],
  ).toBeGreaterThanOrEqual(textWidth('Subscription') + cellPadding);
});
