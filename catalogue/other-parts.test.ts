import { expect, test } from 'vitest';
import { NotPublished } from './definition/document-errors.ts';
import type { Publication } from './definition/feed.ts';
import { vendorFeeds } from './feeds.ts';
import type { VendorSourceKey } from './sources.ts';
import { publicationFrom } from './testing/publication-from.ts';

/** Returns the addresses that a part requests while nothing is published. */
async function requestedUrls(source: VendorSourceKey, key: string): Promise<string[]> {
  const urls: string[] = [];
  const publication: Publication = {
    ...publicationFrom('/nowhere', { now: Date.UTC(2026, 10, 20, 10) }),
    open: (url) => {
      urls.push(url);
      return Promise.reject(new NotPublished(url));
    },
  };
  await expect(vendorFeeds[source]?.otherParts?.toPart(key)?.contents(publication)).rejects.toThrow(
    NotPublished,
  );
  return urls;
}

const leap = 'https://download.opensuse.org';
const oracle = 'https://yum.oracle.com/repo/OracleLinux/OL11';

test.each<[VendorSourceKey, string, string[]]>([
  ['almaLinux', '11', ['https://errata.almalinux.org/11/errata.full.json']],
  [
    'oracleLinux',
    '11',
    ['baseos/latest', 'appstream', 'codeready/builder', 'UEKR8', 'UEKR9', 'UEKR10', 'UEKR11'].map(
      (repository) => `${oracle}/${repository}/x86_64/repodata/repomd.xml`,
    ),
  ],
  [
    'opensuse',
    '15.7',
    ['oss', 'non-oss', 'sle', 'backports'].map(
      (repository) => `${leap}/update/leap/15.7/${repository}/repodata/repomd.xml`,
    ),
  ],
  [
    'opensuse',
    '16.1',
    ['oss', 'non-oss'].map(
      (repository) =>
        `${leap}/distribution/leap/16.1/repo/${repository}/x86_64/repodata/repomd.xml`,
    ),
  ],
  [
    'ubuntu',
    'bionic-security',
    ['http://security.ubuntu.com/ubuntu/dists/bionic-security/InRelease'],
  ],
  ['ubuntu', 'bionic-updates', ['http://archive.ubuntu.com/ubuntu/dists/bionic-updates/InRelease']],
  ['ubuntu', 'bionic', ['http://archive.ubuntu.com/ubuntu/dists/bionic/InRelease']],
])("%s: looks for %s at the vendor's addresses", async (source, key, addresses) => {
  expect(await requestedUrls(source, key)).toEqual(addresses);
});

test.each<[VendorSourceKey, string[]]>([
  ['almaLinux', ['7', '011', '1', '100', 'kitten']],
  ['oracleLinux', ['6', '011', '11.1']],
  ['opensuse', ['tumbleweed', '15', '15.10', '14.3', '42.3']],
  ['ubuntu', ['notices', 'bionic-', 'bionic-proposed', 'Bionic-security', '../x-security']],
])('%s refuses %j', (source, keys) => {
  for (const key of keys) expect(vendorFeeds[source]?.otherParts?.toPart(key), key).toBeNull();
});
