/** Foreign, retitled, half-typed and emptied documents of Microsoft. */

import { documentFrom } from './testing/document-from.ts';
import { json, page, testForeignDocuments } from './testing/foreign-documents.ts';
import type { Served } from './testing/memory-publication.ts';
import {
  type ScanMembers,
  scanFileFrom,
  scanMembers,
} from './vendors/windows/fixtures/offline-scan-members.ts';
import { createGuideMonth } from './vendors/windows/testing/guide-month.ts';

const month = (kb = '5040001', id = '2026-Jan') =>
  createGuideMonth({
    id,
    products: { '11923': 'Windows Server 2022' },
    fixes: [
      { kb, products: ['11923'], build: '10.0.20348.9001' },
      { kb: '5040002', products: ['11923'], build: '10.0.20348.9002' },
    ],
  }).text();
const monthUrl = 'https://api.msrc.microsoft.com/cvrf/v3.0/cvrf/2026-Jan';
const lastMonth = documentFrom(monthUrl, await month());
const servedMonth = (text: string): Served => ({
  'https://api.msrc.microsoft.com/cvrf/v3.0/updates': json({ value: [{ ID: '2026-Jan' }] }),
  [monthUrl]: text,
});
const offlineScan = 'facts of the offline scan file are missing';

const scan = (members: ScanMembers): Served => ({
  'https://catalog.s.download.windowsupdate.com/microsoftupdate/v6/wsusscan/wsusscn2.cab':
    scanFileFrom({ ...scanMembers, ...members }),
});
const withPackage = (edit: (text: string) => string) =>
  scan({
    'package.cab': { 'package.xml': edit(scanMembers['package.cab']?.['package.xml'] ?? '') },
  });

/** The address of the file of the fixtures. */
const damagedUpdates = ['1304', '1401', '1402', '1403', '1405'].map((end) => `${end} rejected: `);

testForeignDocuments({
  'the offline scan file': [
    'wsus',
    'offline-scan',
    [
      ['good', scan({}), [20, ...damagedUpdates]],
      ['foreign', { ...scan({}), [Object.keys(scan({}))[0] ?? '']: page }, 'it is not a cabinet'],
      ['retitled', scan({ 'package.cab': { 'other.xml': '<a/>' } }), 'it has no package.xml'],
      ['retitled', withPackage(() => page), 'its outermost element is <html>'],
      [
        'half-typed',
        withPackage((text) => text.replace('RevisionId="1001"', 'RevisionId="first"')),
        [18, '1001 rejected: It has no properties', ...damagedUpdates],
      ],
      [
        'half-typed',
        scan({
          'package2.cab': { ...scanMembers['package2.cab'], 'x/1001': '<ExtendedProperties' },
        }),
        [18, '1001 rejected: Its properties cannot be read', ...damagedUpdates],
      ],
      [
        'emptied',
        withPackage((text) => text.replaceAll(/<Update [^]*<\/Update>/g, '')),
        'package.xml in it lists no update',
      ],
    ],
  ],
  "Microsoft's months": [
    'wsus',
    'msrc',
    [
      ['good', servedMonth(await month()), [2, offlineScan]],
      [
        'foreign',
        servedMonth(page),
        [2, 'its outermost element is <html>', offlineScan],
        [lastMonth],
      ],
      [
        'retitled',
        servedMonth(await month('5040001', '2026-Feb')),
        [2, 'it is 2026-Feb, not 2026-Jan', offlineScan],
        [lastMonth],
      ],
      [
        'half-typed',
        servedMonth(await month('50400')),
        [1, '50400 rejected: The number of a KB has six or seven digits', offlineScan],
        [lastMonth],
      ],
      [
        'emptied',
        servedMonth(
          (await month()).replaceAll(/<vuln:Vulnerability>[^]*<\/vuln:Vulnerability>/g, ''),
        ),
        [2, 'it contains no vulnerability', offlineScan],
        [lastMonth],
      ],
    ],
  ],
});
