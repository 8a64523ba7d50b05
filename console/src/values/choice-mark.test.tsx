import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { render } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { toValueLabel } from '../summary/facet-values.ts';
import { Cell } from './cell-of-kind.tsx';

const priority = getField(getList('debian_patch'), 'priority');

describe('a priority of Debian', () => {
  test.each([
    ['high', 'Important', false],
    ['unimportant', 'Low', false],
    ['unassigned', 'Unspecified', true],
    ['end-of-life', 'Unspecified', true],
  ])('is shown as a severity, with the word in the tooltip: %s', (word, severity, isQuiet) => {
    const { container } = render(<Cell field={priority} value={word} />);
    const mark = container.firstElementChild;
    expect(mark?.textContent).toBe(`${severity} (${word})`);
    expect(mark?.getAttribute('data-tip')).toBe(`In the vendor's words: ${word}`);
    expect(mark?.hasAttribute('data-quiet')).toBe(isQuiet);
  });

  test('has both words in a facet, where two words are one severity, unless they are the same', () => {
    expect(['low', 'unimportant', null].map((word) => toValueLabel(priority, word))).toEqual([
      'Low',
      'Low (unimportant)',
      'Not given',
    ]);
  });
});
