import { expect, test } from 'vitest';
import { decimalText, exactPercentText, percentText, rankText } from './share-text.ts';

test.each([
  [0.61498, '61.5 %'],
  [0.84, '84 %'],
  [0.29, '29 %'],
  [0.003, '0.3 %'],
  [0.00044, '0.04 %'],
  [0, '0.00 %'],
  [1, '100 %'],
  [0.99997, '> 99.9 %'],
])('shows the probability %d as %s', (share, text) => expect(percentText(share)).toBe(text));

test.each([
  [0.98, 'top 2 %'],
  [0.97932, 'top 3 %'],
  [0.99999, 'top 1 %'],
  [1, 'top 1 %'],
  [0, 'top 100 %'],
])('shows the rank %d as %s', (rank, text) => expect(rankText(rank)).toBe(text));

test('shows all digits of a share', () => expect(exactPercentText(0.56123)).toBe('56.123 %'));

test('shows other decimals as they are', () => expect(decimalText(9.8, undefined)).toBe('9.8'));
