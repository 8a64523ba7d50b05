/** Every OSV record of the mirror is valid by the schema. */
import { expect, test } from 'vitest';
import { vendorFeeds } from '../feeds.ts';
import { describeWithMirror } from '../testing/describe-with-mirror.ts';
import { invalidRecords, mirrorRecords } from './testing/mirror-osv.ts';

describeWithMirror('all OSV records of the mirror', () => {
  test.each([
    ['almaLinux', 'almalinux_patch'],
    ['rockyLinux', 'rockylinux_patch'],
    ['debian', 'debian_patch'],
    ['ubuntu', 'linux_notice'],
    ['opensuse', 'opensuse_patch'],
  ] as const)('are valid: %s', async (source, list) => {
    const records = await mirrorRecords(vendorFeeds[source]?.parts ?? [], list);
    expect(records.length).toBeGreaterThan(50);
    expect(invalidRecords(records)).toEqual([]);
  });
});
