/** Foreign, retitled, half-typed and emptied documents of RPM distributions. */
import { createHash } from 'node:crypto';
import {
  type Case,
  edited,
  page,
  servedFrom,
  testForeignDocuments,
} from './testing/foreign-documents.ts';
import type { Served } from './testing/memory-publication.ts';
import { almalinuxFiles, centosFiles } from './testing/publications/rpm-publications.ts';
import { publishings } from './testing/publications/stated-record.ts';
import { rpmRepositoryFrom } from './testing/rpm-repository-from.ts';

const [{ records }] = publishings as readonly [(typeof publishings)[number]];
/** A document of the release, and one that calls itself another; release-updateinfo.test.ts has the other kinds. */
function repositoryCases(
  address: string,
  [release, build]: readonly [string, string],
  other: string,
  besides: Served = {},
): Case[] {
  const serve = (stated: string): Served => ({
    ...besides,
    ...servedFrom(
      rpmRepositoryFrom(
        address,
        `<updates><update><id>A-1</id><release>${stated}</release><pkglist><collection><package name="wick" version="1" release="${build}" arch="x86_64"/></collection></pkglist></update></updates>`,
      ),
    ),
  });
  return [
    ['good', serve(release), [1]],
    ['retitled', serve(other), `all of its advisories are of ${other}, not of ${release}`],
  ];
}

const cefs = centosFiles(records);
const cefsCase = (edit: (text: string) => string): Served => {
  const text = edit(String(cefs['cefs.steve-meier.de/errata.latest.xml.bz2']));
  const sum = createHash('sha1').update(text).digest('hex');
  return servedFrom({
    'cefs.steve-meier.de/errata.latest.xml.bz2': text,
    'cefs.steve-meier.de/errata.latest.sha1': `${sum}  errata.latest.xml\n${sum}  errata.latest.xml.bz2\n`,
  });
};
const alma = almalinuxFiles(records);
const alma8 = /\/8\/errata/;
const amazon = 'https://cdn.amazonlinux.com/al2023/core/';
testForeignDocuments({
  CEFS: [
    'centOs',
    'errata',
    [
      ['good', cefsCase((text) => text), [4]],
      ['foreign', cefsCase(() => page), 'its outermost element is <html>'],
      ['emptied', cefsCase(() => '<opt></opt>'), [0]],
    ],
  ],
  openSUSE: [
    'opensuse',
    '15.6',
    repositoryCases(
      'https://download.opensuse.org/update/leap/15.6/oss/',
      ['openSUSE Leap 15.6', '1'],
      'openSUSE Leap 15.5',
    ),
  ],
  'Oracle Linux': [
    'oracleLinux',
    '8',
    repositoryCases(
      'https://yum.oracle.com/repo/OracleLinux/OL8/baseos/latest/x86_64/',
      ['Oracle Linux 8', '1.el8'],
      'Oracle Linux 9',
    ),
  ],
  'Amazon Linux': [
    'amazonLinux',
    '2023',
    repositoryCases(
      `${amazon}guids/1/x86_64/`,
      ['Amazon Linux 2023', '1.amzn2023'],
      'Amazon Linux 2',
      { [`${amazon}mirrors/latest/x86_64/mirror.list`]: `${amazon}guids/1/x86_64/\n` },
    ),
  ],
  AlmaLinux: [
    'almaLinux',
    '8',
    [
      ['good', servedFrom(alma), [3]],
      [
        'retitled',
        edited(alma, alma8, (text) => text.replaceAll('1.el8', '1.el9')),
        'all of its packages are built for el9, not for el8',
      ],
    ],
  ],
});
