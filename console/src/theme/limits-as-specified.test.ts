import { longestTag } from '@patch/contract/form-rules/tag-rules.ts';
import { leastColumnWidth } from '@patch/contract/preference-calls.ts';
import { longestKeyword } from '@patch/contract/search-call.ts';
import { mostTagsOffered } from '@patch/contract/search-tags-call.ts';
import { expect, test } from 'vitest';
import { durations, sizes } from './tokens.ts';

test('what is typed, chosen and dragged has the limits and the rests of the specification', () => {
  expect({ longestTag, mostTagsOffered, longestKeyword, leastColumnWidth, dropdownTag: sizes.dropdownTag }).toEqual({
    longestTag: 50,
    mostTagsOffered: 50,
    longestKeyword: 255,
    leastColumnWidth: 80,
    dropdownTag: 150,
  });
  const { tagsSettle, dropdownSettles, formValidates, widthChange } = durations;
  expect({ tagsSettle, dropdownSettles, formValidates, widthChange }).toEqual({
    tagsSettle: 650,
    dropdownSettles: 750,
    formValidates: 200,
    widthChange: 100,
  });
});
