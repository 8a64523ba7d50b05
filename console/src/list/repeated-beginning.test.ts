import { expect, test } from 'vitest';
import { repeatedBeginnings, shortenedTitle } from './repeated-beginning.ts';

const update = (product: string) => `2026-05 Security Update for Windows ${product} (KB5093998)`;
const products = ['11 Version 23H2', '11 Version 24H2', 'Server 2019', 'Server 2022'];
const page = [...products.map(update), 'Intel - Display - 31.0.101'];
const shortened = (title: string, room: number, titles = page) =>
  shortenedTitle(title, repeatedBeginnings(titles), room, (text) => text.length);

test('a title that fits stays as it is', () => {
  expect(shortened(update('Server 2022'), 200)).toBeUndefined();
});

test('as few of the repeated words as it takes to fit are left out, and no others', () => {
  const title = update('Server 2022');
  expect(shortened(title, 50)).toBe('2026-05 … for Windows Server 2022 (KB5093998)');
  expect(shortened(title, 42)).toBe('2026-05 … Windows Server 2022 (KB5093998)');
  expect(shortened(title, 20)).toBe(
    '2026-05 … Windows Server 2022 (KB5093998)'.replace('Windows ', ''),
  );
});

test('what tells a title from the others is never left out', () => {
  expect(shortened('Intel - Display - 31.0.101', 10)).toBeUndefined();
  expect(shortened(update('Server 2022'), 10)).toContain('Server 2022 (KB5093998)');
});

test('a beginning that few titles share does not repeat', () => {
  const few = [update('Server 2019'), update('Server 2022'), 'One', 'Two', 'Three'];
  expect(shortened(update('Server 2022'), 20, few)).toBeUndefined();
});

test('equal titles keep their last word', () => {
  const same = 'Kernel Live Patch Security Notice';
  expect(shortened(same, 10, [same, same, same])).toBe('Kernel … Notice');
});
