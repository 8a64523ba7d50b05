import { expect, test } from 'vitest';
import { removeLast } from './use-search-entry.ts';

const severe = { paramName: 'severity', operator: 'in', value: ['Critical'] } as const;
const titled = { paramName: 'title', operator: 'contains', value: 'ssl' } as const;

test('removes the keyword first, then the criteria from last to first, then the order of the newest', () => {
  expect(removeLast({ criteria: [severe, titled], keyword: 'kernel' })).toEqual({ keyword: '' });
  expect(removeLast({ criteria: [severe, titled], keyword: '' })).toEqual({ criteria: [severe] });
  expect(removeLast({ criteria: [severe], keyword: '' })).toEqual({ criteria: [] });
  expect(removeLast({ criteria: [], keyword: '' })).toBeUndefined();
  expect(removeLast({ criteria: [], keyword: '', sort: 'newest' })).toEqual({ sort: null });
  expect(removeLast({ criteria: [], keyword: '', sort: '-title' })).toBeUndefined();
});
