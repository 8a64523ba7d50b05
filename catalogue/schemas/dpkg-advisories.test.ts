import { expect, test } from 'vitest';
import { type DpkgAdvisory, readDpkgAdvisories } from './dpkg-advisories.ts';

const advisories = (text: string) =>
  [...readDpkgAdvisories(text)].flatMap((element) =>
    element.kind === 'advisory' ? [element.advisory] : [],
  );
const strays = (text: string) =>
  [...readDpkgAdvisories(text)].flatMap((element) =>
    element.kind === 'stray' ? [element.stray] : [],
  );
const readFirst = (text: string): DpkgAdvisory | undefined => advisories(text)[0];

test('reads every field of an advisory', () => {
  const text =
    '[25 Mar 2031] DSA-5378-1 lantern - security update\n\t{CVE-2031-23824 CVE-2031-42331}\n\t[bullseye] - lantern 4.14.5+94-ge49-1\n';
  expect([...readDpkgAdvisories(text)]).toEqual([
    {
      kind: 'advisory',
      advisory: {
        id: 'DSA-5378-1',
        title: 'lantern - security update',
        day: Date.UTC(2031, 2, 25),
        written: '25 Mar 2031',
        cves: ['CVE-2031-23824', 'CVE-2031-42331'],
        unknownCves: [],
        fixes: [
          {
            codename: 'bullseye',
            pkgName: 'lantern',
            version: '4.14.5+94-ge49-1',
            unfixed: null,
            remark: null,
          },
        ],
        notes: [],
      },
    },
  ]);
});

test.each([
  [
    '[02 Jul 2002] DSA-135 libwick-ssl -- buffer overflow / DoS',
    'DSA-135',
    'libwick-ssl -- buffer overflow / DoS',
  ],
  ['[18 Apr 2018] DLA-4205-1 jessie end-of-life', 'DLA-4205-1', 'jessie end-of-life'],
  ['[26 Sep 2010] DSA-2114-1 git-wick', 'DSA-2114-1', 'git-wick'],
  ['[26 Feb 2009] DSA-1727-1  - SQL injection', 'DSA-1727-1', '- SQL injection'],
  ['[26 Feb 2009] DSA-1727-1', 'DSA-1727-1', null],
])('reads id and title of the header %s', (header, id, title) => {
  expect(readFirst(header)).toMatchObject({ id, title });
});

test.each([
  ['05 Mar 2031', Date.UTC(2031, 2, 5)],
  ['5 March 2031', Date.UTC(2031, 2, 5)],
  ['31 Feb 2031', null],
  ['05 Mai 2031', null],
  ['2031-03-05', null],
  ['', null],
])('reads the date %j', (written, day) => {
  expect(readFirst(`[${written}] DSA-1-1 x`)).toMatchObject({ written, day });
});

test.each([
  ['\t[jessie] - wick 1:2.0~rc1-1+deb8u1', { version: '1:2.0~rc1-1+deb8u1', unfixed: null }],
  ['        [jessie] - wick 1.0', { version: '1.0' }],
  [
    '\t[jessie] - wick 1.0 (bug #365910; medium)  \r',
    { version: '1.0', remark: 'bug #365910; medium' },
  ],
  [
    '\t[jessie] - wick <not-affected> (Vulnerable code (old) not present)',
    { version: null, unfixed: 'not-affected', remark: 'Vulnerable code (old) not present' },
  ],
  ['\t[jessie] - wick <end-of-life>', { version: null, unfixed: 'end-of-life' }],
  ['\t[jessie] - wick <unfixed>', { version: null, unfixed: 'unfixed' }],
  ['\t[jessie] - wick 0', { version: null, unfixed: 'not-affected' }],
])('reads the fix %j', (line, fix) => {
  expect(readFirst(`[01 Jan 2031] DSA-1-1 wick\n${line}`)?.fixes).toEqual([
    expect.objectContaining({ codename: 'jessie', pkgName: 'wick', ...fix }),
  ]);
});

test('collects CVE ids only, each once, from one line or several', () => {
  expect(
    readFirst(
      '[01 Jan 2031] DSA-1-1 x\n\t{CVE-2031-0001 CAN-2005-1 CVE-2031-0001 }\n\t{ cve-2031-0002}\n\t{}',
    )?.cves,
  ).toEqual(['CVE-2031-0001', 'CVE-2031-0002']);
});

test.each([
  '{CVE-2024-3333,CVE-2024-4444}',
  '{CVE-2024-3333, CVE-2024-4444}',
  '{CVE-2024-3333;CVE-2024-4444',
  'CVE-2024-3333 CVE-2024-4444 }',
])('collects both CVE ids of %s', (line) => {
  expect(readFirst(`[01 Jan 2031] DSA-1-1 x\n\t${line}`)).toMatchObject({
    cves: ['CVE-2024-3333', 'CVE-2024-4444'],
    unknownCves: [],
  });
});

test('collects notes and reports other unreadable lines with their number', () => {
  const text =
    '[01 Jan 2031] DSA-2-1 x\n\tNOTE: a note\n\tTODO: check\n\tRESERVED\n\t[etch] - wick\n\nBEGIN\n\t[etch] - wick 1.0\n[01 Jan 2031] DSA-1-1 y\n';
  expect(advisories(text).map(({ id, notes, fixes }) => [id, notes, fixes])).toEqual([
    ['DSA-2-1', ['a note', 'check'], []],
    ['DSA-1-1', [], []],
  ]);
  expect(strays(text)).toEqual([
    { line: 4, text: 'RESERVED', under: 'DSA-2-1', fixes: [], mayStateOtherFixes: true },
    {
      line: 5,
      text: '[etch] - wick',
      under: 'DSA-2-1',
      fixes: [{ codename: 'etch', pkgName: 'wick' }],
      mayStateOtherFixes: false,
    },
    {
      line: 7,
      text: 'BEGIN',
      under: null,
      fixes: [{ codename: 'etch', pkgName: 'wick' }],
      mayStateOtherFixes: true,
    },
  ]);
});

test('reports an advisory of the testing team as a stray line, with its fixes', () => {
  const text =
    '[August 26th, 2005] DTSA-1-1 wick - various\n\t{CVE-2005-2626 CVE-2005-2627 }\n\t[etch] - wick 2005.08.R1-0.1etch1 (high)\n';
  expect(advisories(text)).toEqual([]);
  expect(strays(text)).toMatchObject([
    {
      line: 1,
      text: '[August 26th, 2005] DTSA-1-1 wick - various',
      under: 'DTSA-1-1',
      mayStateOtherFixes: false,
    },
  ]);
});
