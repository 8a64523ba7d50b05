import { expect, test } from 'vitest';
import { findRedHatAdvisories } from './errata-values.ts';

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
])('finds the advisories in %s: %j', (text, ids) => {
  expect(findRedHatAdvisories([text])).toEqual(ids);
});

test('lists an advisory once when its id and its address are given', () => {
  expect(
    findRedHatAdvisories([
      'RHSA-2031:4101',
      null,
      'https://access.redhat.com/errata/RHSA-2031:4101',
    ]),
  ).toEqual(['RHSA-2031:4101']);
});
