import { expect, test } from 'vitest';
import { redHatAdvisories } from './red-hat-advisories.ts';

test.each([
  ['RHSA-2031:4101', ['RHSA-2031:4101']],
  ['https://access.redhat.com/errata/RHSA-2031:4101', ['RHSA-2031:4101']],
  ['https://rhn.redhat.com/errata/RHBA-2012-0001.html', ['RHBA-2012:0001']],
  ['https://rhn.redhat.com/errata/rhea-2005-501.html', ['RHEA-2005:501']],
  ['rebuilt from RHSA-2031:4101 and RHBA-2031:12345', ['RHSA-2031:4101', 'RHBA-2031:12345']],
  ['https://errata.almalinux.org/8/ALSA-2031-4101.html', []],
  ['RHSA-2031:1234567', []],
  ['XRHSA-2031:4101', []],
  ['', []],
])('%s names %j', (text, ids) => {
  expect(redHatAdvisories([text])).toEqual(ids);
});

test('an advisory that is named by its id and by its address comes once', () => {
  expect(
    redHatAdvisories(['RHSA-2031:4101', null, 'https://access.redhat.com/errata/RHSA-2031:4101']),
  ).toEqual(['RHSA-2031:4101']);
});
