/** Foreign, retitled, half-typed and emptied documents of Apple. */
import {
  edited,
  json,
  page,
  servedFrom,
  testForeignDocuments,
} from './testing/foreign-documents.ts';
import type { Served } from './testing/memory-publication.ts';
import { macosFiles } from './testing/publications/other-publications.ts';
import { publishings } from './testing/publications/stated-record.ts';

const [{ records }] = publishings as readonly [(typeof publishings)[number]];
const macos = macosFiles(records);
const withoutSecurityPages = ["SOFA's list of releases is not published", 'CVEs are those'];

const tahoe = {
  UpdateName: 'macOS Tahoe 26.1',
  ProductVersion: '26.1',
  SecurityInfo: 'https://support.apple.com/en-us/900001',
  CVEs: { 'CVE-2031-1001': false },
  ActivelyExploitedCVEs: [],
};
const sofa = (text: string): Served => ({
  ...servedFrom(macos),
  'https://sofafeed.macadmins.io/v1/macos_data_feed.json': text,
});
const sofaWith = (releases: unknown, more: object = {}) =>
  sofa(json({ OSVersions: [{ OSVersion: 'Tahoe 26', SecurityReleases: releases, ...more }] }));
const apple = ["SOFA's list of releases is missing: ", 'CVEs are those'];

const versions = (edit: (text: string) => string) => edited(macos, /gdmf/, edit);
const macosSet = (macOS: unknown) => versions(() => json({ PublicAssetSets: { macOS } }));

testForeignDocuments({
  SOFA: [
    'mac',
    'software',
    [
      ['good', sofaWith([tahoe]), [4]],
      ['foreign', sofa(page), [4, ...apple]],
      ['retitled', sofaWith([{ ...tahoe, UpdateName: 'iOS 26.1' }]), [4, ...apple]],
      [
        'half-typed',
        sofaWith([tahoe, { ...tahoe, CVEs: 'none' }]),
        [4, 'macOS Tahoe 26.1 (CVEs: '],
      ],
      ['half-typed', sofaWith([tahoe], { Latest: '26.1' }), [4, 'cannot be read: Latest ']],
      [
        'half-typed',
        sofaWith([tahoe, { ...tahoe, UpdateName: 'tvOS 26.1' }]),
        [4, 'tvOS 26.1 (UpdateName: it is of another system)'],
      ],
      ['emptied', sofa(json({ OSVersions: [] })), [4, ...apple]],
    ],
  ],
  "Apple's supported versions": [
    'mac',
    'versions',
    [
      ['good', servedFrom(macos), [2, ...withoutSecurityPages]],
      ['foreign', versions(() => page), 'it is not valid JSON'],
      [
        'retitled',
        versions((text) => text.replace('"macOS"', '"iOS"')),
        'it names no version of macOS',
      ],
      [
        'half-typed',
        macosSet([
          { ProductVersion: '26.4', Build: 7 },
          { ProductVersion: '26.3', Build: '25D1', PostingDate: 'soon' },
          { ProductVersion: '26.2', Build: '25C1' },
        ]),
        [
          1,
          ...withoutSecurityPages,
          'PublicAssetSets, macOS 1 rejected: Build: ',
          'PublicAssetSets, macOS 2 rejected: PostingDate: it is not a day',
        ],
      ],
      ['emptied', macosSet([]), 'it names no version of macOS'],
    ],
  ],
  "Apple's catalogues": [
    'mac',
    'software',
    [
      ['good', servedFrom(macos), [4, ...withoutSecurityPages]],
      ['foreign', edited(macos, /index-26/, () => page), 'its outermost element is <html>'],
      [
        'half-typed',
        edited(macos, /index-26/, (text) =>
          text.replace(/<array>[^]*?<\/array>/, '<string>none</string>'),
        ),
        [3, ...withoutSecurityPages, '901-00001 rejected: Packages: '],
      ],
      [
        'emptied',
        edited(macos, /index-26/, (text) =>
          text.replace(
            /<key>Products<\/key>\s*<dict>[^]*<\/dict>\s*<\/dict>\s*<\/plist>/,
            '<key>Products</key><dict></dict></dict></plist>',
          ),
        ),
        'it contains no product',
      ],
    ],
  ],
});
