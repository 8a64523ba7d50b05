import { expect, test } from 'vitest';
import type { CvrfRemediation } from '../../../parsers/cvrf-document.ts';
import { KnownIssues } from './msrc-known-issues.ts';

const help = (kb: string) => `https://support.microsoft.com/help/${kb}`;

/** Parses 'Vendor Fix 5090122 on 1,2', a statement of a vulnerability; a known issue gets the address of its article. */
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
      .listIssues(kb, products)
      .map(({ kb: id, text, address, cves: listIssues }) =>
        [id, text, address, ...listIssues].join(' '),
      );
}

const cve1 = ['CVE-1'];

test.each([
  [
    'belongs to the KB and the products that it names, once for all vulnerabilities',
    ['CVE-1', 'CVE-2'],
    ['Vendor Fix 5090122 on 1,2', 'Known Issue 5090122 on 1'],
    { 'KB5090122 1': 'CVE-1 CVE-2', 'KB5090122 1 2': 'CVE-1 CVE-2', 'KB5090122 2': null },
  ],
  [
    'of a KB that fixes nothing there belongs to it and to the fixing KBs',
    cve1,
    ['Vendor Fix 5021243 on 1', 'Vendor Fix 5021244 on 2', 'Known Issue 5020880 on 1'],
    { 'KB5020880 1': 'CVE-1', 'KB5021243 1': 'CVE-1', 'KB5021244 2': null },
  ],
  [
    'of products without a fix belongs to its KB on all products that this KB fixes',
    cve1,
    [
      'Vendor Fix Release Notes on 7',
      'Vendor Fix 5020880 on 1,2',
      'Vendor Fix 5021243 on 3',
      'Known Issue 5020880 on 7',
    ],
    { 'KB5020880 1': 'CVE-1', 'KB5020880 2': 'CVE-1', 'KB5021243 3': null },
  ],
])('assigns an issue: it %s', (_whose, cves, remediations, expected) => {
  const listIssues = read(cves, ...remediations);
  const issueKb = remediations.at(-1)?.split(' ')[2] ?? '';
  for (const [query, found] of Object.entries(expected)) {
    const [kb = '', ...products] = query.split(' ');
    expect(listIssues(kb, ...products), query).toEqual(
      found === null ? [] : [`KB${issueKb}  ${help(issueKb)} ${found}`],
    );
  }
});

test('reads a KB in any spelling', () => {
  expect(
    read(cve1, 'Vendor Fix 5090122 on 1', 'Known Issue KB5090122 on 1')('KB5090122', '1'),
  ).toEqual([`KB5090122  ${help('KB5090122')} CVE-1`]);
});

test('assigns text without a KB and products to all KBs that fix the vulnerability', () => {
  const listIssues = read(
    cve1,
    'Vendor Fix 5021243 on 1',
    'Vendor Fix Release Notes on 3',
    'Known Issue <p>Printing <b>fails</b>.</p>',
  );
  expect(listIssues('KB5021243', '1')).toEqual([' Printing fails.  CVE-1']);
  expect(listIssues('KB5021243', '3')).toEqual([]);
});
