import { expect, test } from 'vitest';
import { getList, type ListKey } from '../lists.ts';
import type { AdvisoryPart } from './advisory-fixes.ts';
import { osvRecord } from './osv-record.ts';

test('names the packages of a live patch without versions, which it does not change', () => {
  const affectedOf = (type: string) => {
    const row = { noticeId: `${type}-0104-1`, type, title: 'Kernel fixes' };
    const releasePackages = ['22.04', '24.04'].map((release) => ({
      name: 'linux-image-generic',
      version: '5.15.0-113.123',
      osVersion: `Ubuntu ${release} LTS`,
      is_source: false,
      pocket: null,
    }));
    const part = { row, detail: { releasePackages }, withdrawn: null };
    const name = { identifier: row.noticeId, modified: 0 };
    const risk = { vectors: [], isExploited: null, epss: null };
    return osvRecord(getList('linux_notice'), name, [part], risk).affected;
  };
  const named = ['Ubuntu:22.04:LTS', 'Ubuntu:24.04:LTS'].map((ecosystem) => ({
    package: { ecosystem, name: 'linux-image-generic' },
  }));
  expect(affectedOf('LSN')).toEqual(named);
  const events = [{ introduced: '0' }, { fixed: '5.15.0-113.123' }];
  expect(affectedOf('USN')).toEqual(
    named.map((one) => ({ ...one, ranges: [{ type: 'ECOSYSTEM', events }] })),
  );
});

test("has the vendor's word for the highest severity of an advisory in several releases", () => {
  const severityOf = (key: ListKey, details: readonly object[]) => {
    const parts = details.map((stated) => ({ row: stated, detail: stated, withdrawn: null }));
    const [first, ...others] = parts as unknown as [AdvisoryPart, ...AdvisoryPart[]];
    const risk = { vectors: [], isExploited: null, epss: null };
    const name = { identifier: 'A-2025:1', modified: 0 };
    return osvRecord(getList(key), name, [first, ...others], risk).database_specific['severity'];
  };
  const [low, high] = [{ severity: 'Important' }, { severity: 'Critical' }];
  expect(severityOf('almalinux_patch', [low, high])).toBe('Critical');
  expect(severityOf('almalinux_patch', [high, low])).toBe('Critical');
  expect(severityOf('almalinux_patch', [{ severity: 'Unspecified' }])).toBeNull();
});
