/** Base scores are computed as the specifications of CVSS say: NVD's own figures are the reference. */
import { expect, test } from 'vitest';
import { createNvdParts } from '../risk/nvd-feed.ts';
import { collect } from '../testing/collect.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { records } from '../testing/nvd-files.ts';
import { publicationFrom } from '../testing/publication-from.ts';
import { csafScore } from './csaf-scores.ts';

test.each([
  // Examples of the CVSS 3.1 and 2.0 guides of FIRST: CVE-2013-1937, CVE-2014-3566, CVE-2002-0392.
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1, 'MEDIUM'],
  ['CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1, 'LOW'],
  ['AV:N/AC:L/Au:N/C:N/I:N/A:C', 7.8, undefined],
  ['CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:N', 0, 'NONE'],
])('computes the base score of %s', (vector, baseScore, baseSeverity) => {
  const [score] = Object.values(csafScore({ vector, score: null }) ?? {});
  expect(score).toMatchObject({ baseScore, vectorString: vector });
  expect(score?.baseSeverity).toBe(baseSeverity);
});

test.each([
  'none',
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H',
  'CVSS:3.1/AV:N/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'CVSS:3.1/AV:Q/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:P',
])('leaves out the vector %s', (vector) => {
  expect(csafScore({ vector, score: 9 })).toBeNull();
});

test('takes the stated score of version 4 without metrics that are not defined', () => {
  const base = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';
  expect(csafScore({ vector: `${base}/E:X/CR:X`, score: 9.3 })).toEqual({
    cvss_v4: { baseScore: 9.3, baseSeverity: 'CRITICAL', vectorString: base, version: '4.0' },
  });
  expect(csafScore({ vector: base, score: null })).toBeNull();
  expect(csafScore({ vector: base, score: 5.3 })).toBeNull();
  // A CNA states a score for a vulnerability without impact.
  const harmless = base.replaceAll(/:H/g, ':N');
  expect(csafScore({ vector: harmless, score: 5.1 })).toBeNull();
  expect(csafScore({ vector: harmless, score: 0 })?.cvss_v4?.baseSeverity).toBe('NONE');
});

describeWithMirror('scores of the mirror', () => {
  test('equal those that NVD states for its own vectors', async () => {
    const differences: string[] = [];
    let compared = 0;
    for (const part of createNvdParts(Date.UTC(2026, 7, 13))) {
      const items = await collect(part.read(await part.contents(publicationFrom(feedMirror))));
      for (const { cve, scores } of records(items))
        for (const { vector, score, version, scorer } of scores) {
          // Those of others are not all computed from the vector.
          if (vector === null || scorer !== 'nvd') continue;
          const [own] = Object.values(csafScore({ vector, score }) ?? {});
          if (own === undefined || version === '4.0') continue;
          compared += 1;
          if (own.baseScore !== score)
            differences.push(`${cve} ${vector}: ${own.baseScore}, not ${score}`);
        }
    }
    expect(compared).toBeGreaterThan(2000);
    expect(differences).toEqual([]);
  });
});
