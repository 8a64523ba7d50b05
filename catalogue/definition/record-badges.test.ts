import { expect, test } from 'vitest';
import { exploitedFlag, supersededFlag } from '../schemas/risk-fields.ts';
import { flag, text } from './fields.ts';
import { defineList, type ListDefinition } from './list-definition.ts';
import { badgeFields, hideableFlag, isMuted } from './record-badges.ts';

const list = defineList({
  key: 'boats',
  label: 'Boats',
  shortLabel: 'Boats',
  source: null,
  route: 'boats',
  searchPath: '/boats/search',
  detailPath: '/boats/{id}',
  fields: {
    name: text('Name'),
    sold: flag('Sold'),
    superseded: supersededFlag('By the shipyard.'),
    exploited: exploitedFlag('By pirates.'),
  },
  columns: ['name'],
  searchable: ['name', 'superseded'],
  identity: ['name'],
  defaultSort: 'name',
}) as unknown as ListDefinition;

test('lists the flags with a badge, those that draw attention first', () => {
  expect(badgeFields(list)).toEqual([
    { name: 'exploited', label: 'Exploited', help: 'By pirates.', badge: 'danger' },
    { name: 'superseded', label: 'Superseded', help: 'By the shipyard.', badge: 'muted' },
  ]);
});

test('hides by a muted flag that is searchable', () => {
  expect(hideableFlag(list)?.name).toBe('superseded');
  expect(hideableFlag({ ...list, searchable: ['name', 'exploited'] })).toBeUndefined();
});

test('mutes a record whose muted flag is set', () => {
  expect(
    [
      { superseded: true },
      { superseded: false },
      { superseded: null },
      { exploited: true },
      {},
    ].map((one) => isMuted(list, one)),
  ).toEqual([true, false, false, false, false]);
});
