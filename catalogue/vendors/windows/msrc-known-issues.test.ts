import { expect, test } from 'vitest';
import type { CvrfRemediation } from '../../parsers/cvrf-document.ts';
import { KnownIssues } from './msrc-known-issues.ts';

const help = (kb: string) => `https://support.microsoft.com/help/${kb}`;

/** 'Vendor Fix 5090122 on 1,2': what a vulnerability says, with the address that stands beside a known issue. */
function remediation(text: string): CvrfRemediation {
  const [, type = '', description = '', products = ''] =
    /^(Vendor Fix|Known Issue) (.+?)(?: on ([\d,]+))?$/.exec(text) ?? [];
  const address = description.startsWith('<') ? 'mailto:x@example.org' : help(description);
  return {
    type,
    description,
    products: products.split(',').filter((product) => product !== ''),
    words: type === 'Known Issue' ? { URL: address } : {},
  };
}

function read(cves: readonly string[], ...remediations: readonly string[]) {
  const issues = new KnownIssues((text) => text);
  for (const cve of cves) issues.add(cve, remediations.map(remediation));
  return (kb: string, ...products: string[]) =>
    issues
      .of(kb, products)
      .map(({ kb: named, text, address, cves: of }) => [named, text, address, ...of].join(' '));
}

const one = ['CVE-1'];

test.each([
  [
    'belongs to the KB that it names, on the products that it names, once for all vulnerabilities',
    ['CVE-1', 'CVE-2'],
    ['Vendor Fix 5090122 on 1,2', 'Known Issue 5090122 on 1'],
    { 'KB5090122 1': 'CVE-1 CVE-2', 'KB5090122 1 2': 'CVE-1 CVE-2', 'KB5090122 2': null },
  ],
  [
    'that names a KB that fixes nothing there belongs to that one and to those that do',
    one,
    ['Vendor Fix 5021243 on 1', 'Vendor Fix 5021244 on 2', 'Known Issue 5020880 on 1'],
    { 'KB5020880 1': 'CVE-1', 'KB5021243 1': 'CVE-1', 'KB5021244 2': null },
  ],
  [
    'for products that no KB is for belongs to the KB that it names, on all that this one fixes',
    one,
    [
      'Vendor Fix Release Notes on 7',
      'Vendor Fix 5020880 on 1,2',
      'Vendor Fix 5021243 on 3',
      'Known Issue 5020880 on 7',
    ],
    { 'KB5020880 1': 'CVE-1', 'KB5020880 2': 'CVE-1', 'KB5021243 3': null },
  ],
])('an issue %s', (_whose, cves, remediations, expected) => {
  const of = read(cves, ...remediations);
  const named = remediations.at(-1)?.split(' ')[2] ?? '';
  for (const [asked, found] of Object.entries(expected)) {
    const [kb = '', ...products] = asked.split(' ');
    expect(of(kb, ...products), asked).toEqual(
      found === null ? [] : [`KB${named}  ${help(named)} ${found}`],
    );
  }
});

test('a KB is read in any spelling', () => {
  expect(
    read(one, 'Vendor Fix 5090122 on 1', 'Known Issue KB5090122 on 1')('KB5090122', '1'),
  ).toEqual([`KB5090122  ${help('KB5090122')} CVE-1`]);
});

test('words in place of a KB, and no product, are for all that the vulnerability is fixed by', () => {
  const of = read(
    one,
    'Vendor Fix 5021243 on 1',
    'Vendor Fix Release Notes on 3',
    'Known Issue <p>Printing <b>fails</b>.</p>',
  );
  expect(of('KB5021243', '1')).toEqual([' Printing fails.  CVE-1']);
  expect(of('KB5021243', '3')).toEqual([]);
});
