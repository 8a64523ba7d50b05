import { expect, test } from 'vitest';
import { findRepeatedBeginnings, shortenTitle } from './repeated-beginning.ts';

const update = (product: string) => `2026-05 Security Update for Windows ${product} (KB5093998)`;
const products = ['11 Version 23H2', '11 Version 24H2', 'Server 2019', 'Server 2022'];
const page = [...products.map(update), 'Intel - Display - 31.0.101'];
const shortened = (title: string, room: number, titles = page) =>
  shortenTitle(title, findRepeatedBeginnings(titles), room, (text) => text.length);

test('does not shorten a title that fits', () => {
  expect(shortened(update('Server 2022'), 200)).toBeUndefined();
});

test('omits as few repeated words as necessary', () => {
  const title = update('Server 2022');
  expect(shortened(title, 50)).toBe('2026-05 … for Windows Server 2022 (KB5093998)');
  expect(shortened(title, 42)).toBe('2026-05 … Windows Server 2022 (KB5093998)');
  expect(shortened(title, 20)).toBe(
    '2026-05 … Windows Server 2022 (KB5093998)'.replace('Windows ', ''),
  );
});

test('keeps words that distinguish a title', () => {
  expect(shortened('Intel - Display - 31.0.101', 10)).toBeUndefined();
  expect(shortened(update('Server 2022'), 10)).toContain('Server 2022 (KB5093998)');
});

test('does not shorten a beginning that few titles share', () => {
  const few = [update('Server 2019'), update('Server 2022'), 'One', 'Two', 'Three'];
  expect(shortened(update('Server 2022'), 20, few)).toBeUndefined();
});

test('keeps the last word of equal titles', () => {
  const same = 'Kernel Live Patch Security Notice';
  expect(shortened(same, 10, [same, same, same])).toBe('Kernel … Notice');
});
