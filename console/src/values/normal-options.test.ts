import { describe, expect, test } from 'vitest';
import { type GivenOption, normalOptions, offeredOptions } from './normal-options.ts';

const plain = { archived: false, disabled: false, default: false };

describe('an option', () => {
  test('carries key, label, colour, and whether it is archived, disabled or the default', () => {
    expect(
      normalOptions([
        { key: 'a', text: 'A', color: '#123456', archived: true, disabled: true, default: true },
      ]),
    ).toEqual([
      { key: 'a', label: 'A', color: '#123456', archived: true, disabled: true, default: true },
    ]);
    expect(normalOptions([{ key: 'a', text: 'A' }])).toEqual([{ key: 'a', label: 'A', ...plain }]);
  });

  test.each<[GivenOption, string, string]>([
    [{ id: 7, name: 'Seven' }, '7', 'Seven'],
    [{ value: 0, label: 'None' }, '0', 'None'],
    [{ key: 'k', text: 'Text', name: 'Name', label: 'Label' }, 'k', 'Text'],
    [{ key: 'k', name: 'Name', label: 'Label' }, 'k', 'Name'],
    [{ id: null, value: 'v' }, 'v', 'v'],
    ['Critical', 'Critical', 'Critical'],
  ])('%j has the key %s and the label %s', (given, key, label) => {
    expect(normalOptions([given])).toEqual([{ key, label, ...plain }]);
  });
});

describe('without id, value or key', () => {
  const given = [{ text: 'Unassigned' }, { key: '', text: 'Empty' }, { key: 'a', text: 'A' }];
  const labels = (how: Parameters<typeof normalOptions>[1]) =>
    normalOptions(given, how).map(({ label }) => label);

  test('an option is dropped where several are chosen, unless unassigned ones are kept', () => {
    expect(labels({ several: true })).toEqual(['A']);
    expect(labels({ several: true, keepUnassigned: true })).toEqual(['Unassigned', 'A']);
  });

  test('it can be chosen where one is', () => {
    expect(labels({})).toEqual(['Unassigned', 'A']);
  });
});

test('an option that is archived is offered only where it was chosen; a chosen one that nobody knows stays', () => {
  const options = normalOptions([{ key: 'old', text: 'Old', archived: true }, 'new']);
  expect(offeredOptions(options, []).map(({ key }) => key)).toEqual(['new']);
  expect(offeredOptions(options, ['old', 'gone']).map(({ key }) => key)).toEqual([
    'old',
    'new',
    'gone',
  ]);
});
