import { expect, test } from 'vitest';
import { withoutLast } from './use-search-entry.ts';

const severe = { paramName: 'severity', operator: 'in', value: ['Critical'] } as const;
const titled = { paramName: 'title', operator: 'contains', value: 'ssl' } as const;

test('removes the keyword first, then the criteria from last to first', () => {
  expect(withoutLast({ criteria: [severe, titled], keyword: 'kernel' })).toEqual({ keyword: '' });
  expect(withoutLast({ criteria: [severe, titled], keyword: '' })).toEqual({ criteria: [severe] });
  expect(withoutLast({ criteria: [severe], keyword: '' })).toEqual({ criteria: [] });
  expect(withoutLast({ criteria: [], keyword: '' })).toBeUndefined();
});
