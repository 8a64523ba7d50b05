/** CSAF documents of a part of each vendor on the mirror pass the mandatory tests of the standard; csaf-on-mirror.long.ts has all documents. */
import { expect, test } from 'vitest';
import { vendorFeeds } from '../feeds.ts';
import { describeWithMirror } from '../testing/describe-with-mirror.ts';
import {
  mandatoryFailures,
  mirrorDocuments,
  optionalFailures,
} from './testing/mirror-advisories.ts';

/** Documents of a list that are validated. */
const sample = 12;

describeWithMirror('CSAF documents of a part of the mirror', () => {
  test.each([
    ['wsus', 'offline-scan', 'kb_repository'],
    ['mac', 'software', 'macos_patch'],
    ['oracleLinux', '7', 'oracle_linux_patch'],
    ['pardus', 'guvenlik yirmibir', 'pardus_patch'],
    ['centOs', 'errata', 'centos_patch'],
    ['almaLinux', '9', 'almalinux_patch'],
    ['debian', 'DSA', 'debian_patch'],
    ['rockyLinux', 'advisories', 'rockylinux_patch'],
    ['ubuntu', 'notices', 'linux_notice'],
    ['opensuse', '15.6', 'opensuse_patch'],
  ] as const)('are valid: %s %s', async (source, key, list) => {
    const parts = vendorFeeds[source]?.parts.filter((part) => part.key === key) ?? [];
    const { documents = [] } = (await mirrorDocuments(parts)).get(list) ?? {};
    expect(documents.length).toBeGreaterThan(sample);
    const step = Math.ceil(documents.length / sample);
    const failures: string[] = [];
    const optional: string[] = [];
    for (let index = 0; index < documents.length; index += step) {
      const document = documents[index];
      if (document === undefined) continue;
      failures.push(...(await mandatoryFailures(document)));
      optional.push(...(await optionalFailures(document)));
    }
    expect(failures).toEqual([]);
    // Keys are in the order of the alphabet, and a document names its own address.
    expect(optional).not.toContain('recommendedTest_6_2_13');
    expect(optional).not.toContain('recommendedTest_6_2_11');
  });
});
