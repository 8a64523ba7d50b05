import { describe, expect, test } from 'vitest';
import { type GivenOption, normalizeOptions, offeredOptions } from './normal-options.ts';

const plain = { archived: false, disabled: false, default: false };

describe('normalizeOptions', () => {
  test('returns key, label, colour and flags', () => {
    expect(
      normalizeOptions([
        { key: 'a', text: 'A', color: '#123456', archived: true, disabled: true, default: true },
      ]),
    ).toEqual([
      { key: 'a', label: 'A', color: '#123456', archived: true, disabled: true, default: true },
    ]);
    expect(normalizeOptions([{ key: 'a', text: 'A' }])).toEqual([
      { key: 'a', label: 'A', ...plain },
    ]);
  });

  test.each<[GivenOption, string, string]>([
    [{ id: 7, name: 'Seven' }, '7', 'Seven'],
    [{ value: 0, label: 'None' }, '0', 'None'],
    [{ key: 'k', text: 'Text', name: 'Name', label: 'Label' }, 'k', 'Text'],
    [{ key: 'k', name: 'Name', label: 'Label' }, 'k', 'Name'],
    [{ id: null, value: 'v' }, 'v', 'v'],
    ['Critical', 'Critical', 'Critical'],
  ])('converts %j to the key %s and the label %s', (given, key, label) => {
    expect(normalizeOptions([given])).toEqual([{ key, label, ...plain }]);
  });
});

describe('normalizeOptions without id, value or key', () => {
  const given = [{ text: 'Unassigned' }, { key: '', text: 'Empty' }, { key: 'a', text: 'A' }];
  const labels = (options: Parameters<typeof normalizeOptions>[1]) =>
    normalizeOptions(given, options).map(({ label }) => label);

  test('drops the option when several can be chosen, except with keepUnassigned', () => {
    expect(labels({ several: true })).toEqual(['A']);
    expect(labels({ several: true, keepUnassigned: true })).toEqual(['Unassigned', 'A']);
  });

  test('keeps the option when one can be chosen', () => {
    expect(labels({})).toEqual(['Unassigned', 'A']);
  });
});

test('offeredOptions keeps archived and unknown options only when they are chosen', () => {
  const options = normalizeOptions([{ key: 'old', text: 'Old', archived: true }, 'new']);
  expect(offeredOptions(options, []).map(({ key }) => key)).toEqual(['new']);
  expect(offeredOptions(options, ['old', 'gone']).map(({ key }) => key)).toEqual([
    'old',
    'new',
    'gone',
  ]);
});
