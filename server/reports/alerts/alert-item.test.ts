import { vulnerabilityList } from '@patch/catalogue/risk/vulnerability-list.ts';
import { expect, it } from 'vitest';
import { toAlertItem } from './alert-item.ts';

it.each(['America/Los_Angeles', 'Europe/Istanbul', 'Pacific/Auckland'])(
  'names a due date by its day for a reader in %s',
  (timeZone) => {
    const row = { id: 1, cve: 'CVE-2024-1', dueDate: Date.UTC(2024, 9, 1) };
    expect(
      toAlertItem(vulnerabilityList, { row, recordsOfUpdate: 1 }, ['dueDate'], timeZone),
    ).toEqual({
      id: 1,
      name: 'CVE-2024-1',
      about: 'Due: Oct 01, 2024',
    });
  },
);
