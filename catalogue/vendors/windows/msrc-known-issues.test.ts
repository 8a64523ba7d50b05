import { expect, test } from 'vitest';
import type { CvrfRemediation } from '../../parsers/cvrf-document.ts';
import { KnownIssues } from './msrc-known-issues.ts';

const remediation = (
  type: string,
  description: string,
  products: readonly string[],
  url?: string,
): CvrfRemediation => ({
  type,
  description,
  products,
  words: url === undefined ? {} : { URL: url },
});
const help = (kb: number) => `https://support.microsoft.com/help/${kb}`;

function read(
  ...vulnerabilities: readonly (readonly [cve: string, remediations: readonly CvrfRemediation[]])[]
) {
  const issues = new KnownIssues((text) => text);
  for (const [cve, remediations] of vulnerabilities) issues.add(cve, remediations);
  return (kb: string, ...products: string[]) =>
    issues
      .of(kb, products)
      .map(({ kb: named, text, address, cves }) => ({ kb: named, text, address, cves: [...cves] }));
}

test('an issue belongs to the KB that it names, on the products that it names, once for all vulnerabilities', () => {
  const fixes = [
    remediation('Vendor Fix', '5090122', ['1', '2']),
    remediation('Known Issue', 'KB5090122', ['1'], help(5_090_122)),
  ];
  const of = read(['CVE-1', fixes], ['CVE-2', fixes]);
  const issue = { kb: 'KB5090122', text: null, address: help(5_090_122), cves: ['CVE-1', 'CVE-2'] };
  expect(of('KB5090122', '1')).toEqual([issue]);
  expect(of('KB5090122', '1', '2')).toEqual([issue]);
  expect(of('KB5090122', '2')).toEqual([]);
});

test('where it names a KB that fixes nothing there, it belongs to that one and to those that do', () => {
  const of = read([
    'CVE-1',
    [
      remediation('Vendor Fix', '5021243', ['1']),
      remediation('Vendor Fix', '5021244', ['2']),
      remediation('Known Issue', '5020880', ['1'], help(5_020_880)),
    ],
  ]);
  const issue = { kb: 'KB5020880', text: null, address: help(5_020_880), cves: ['CVE-1'] };
  expect(of('KB5020880', '1')).toEqual([issue]);
  expect(of('KB5021243', '1')).toEqual([issue]);
  expect(of('KB5021244', '2')).toEqual([]);
});

test('one for products that no KB is for belongs to the KB that it names, on all that this one fixes', () => {
  const of = read([
    'CVE-1',
    [
      remediation('Vendor Fix', 'Release Notes', ['7']),
      remediation('Vendor Fix', '5020880', ['1', '2']),
      remediation('Vendor Fix', '5021243', ['3']),
      remediation('Known Issue', '5020880', ['7'], help(5_020_880)),
    ],
  ]);
  const issue = { kb: 'KB5020880', text: null, address: help(5_020_880), cves: ['CVE-1'] };
  expect(of('KB5020880', '1')).toEqual([issue]);
  expect(of('KB5020880', '2')).toEqual([issue]);
  expect(of('KB5021243', '3')).toEqual([]);
});

test('words in place of a KB, and no product, are for all that the vulnerability is fixed by', () => {
  const of = read([
    'CVE-1',
    [
      remediation('Vendor Fix', '5021243', ['1']),
      remediation('Vendor Fix', 'Release Notes', ['3']),
      remediation('Known Issue', '<p>Printing <b>fails</b>.</p>', [], 'mailto:x@example.org'),
    ],
  ]);
  expect(of('KB5021243', '1')).toEqual([
    { kb: null, text: 'Printing fails.', address: null, cves: ['CVE-1'] },
  ]);
  expect(of('KB5021243', '3')).toEqual([]);
});
