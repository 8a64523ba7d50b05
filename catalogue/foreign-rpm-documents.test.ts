/** Foreign, retitled, half-typed and emptied documents of RPM distributions. */
import { createHash } from 'node:crypto';
import {
  type Case,
  edited,
  editJson,
  page,
  servedFrom,
  testForeignDocuments,
} from './testing/foreign-documents.ts';
import type { Served } from './testing/memory-publication.ts';
import {
  almalinuxFiles,
  centosFiles,
  rockylinuxFiles,
} from './testing/publications/rpm-publications.ts';
import { publishings } from './testing/publications/stated-record.ts';
import { rpmRepositoryFrom } from './testing/rpm-repository-from.ts';

const [{ records }] = publishings as readonly [(typeof publishings)[number]];
const update = (id: string, release: string, ...builds: readonly string[]) =>
  `<update><id>${id}</id><release>${release}</release><pkglist><collection>${builds.map((build) => `<package name="wick" version="1" release="${build}" arch="x86_64"/>`).join('')}</collection></pkglist></update>`;

/** Advisories of a repository; the tag is that of its builds, and of those of another release where builds name one. */
function repositoryCases(
  address: string,
  [release, tag]: readonly [string, string],
  [otherRelease, otherTag]: readonly [string, string],
  besides: Served = {},
): Case[] {
  const serving = (text: string): Served => ({
    ...besides,
    ...servedFrom(rpmRepositoryFrom(address, text)),
  });
  const updates = (...texts: readonly string[]) => serving(`<updates>${texts.join('')}</updates>`);
  const own = update('A-1', release, `1.${tag}`);
  const foreignBuild = update('A-2', release, `1.${tag}`, `1.${otherTag}`);
  return [
    ['good', updates(own, update('A-2', release, `1.${tag}`)), [2]],
    ['foreign', serving(page), 'its outermost element is <html>'],
    [
      'retitled',
      updates(update('A-1', otherRelease, `1.${tag}`)),
      `all of its advisories are of ${otherRelease}, not of ${release}`,
    ],
    [
      'half-typed',
      updates(own, update('A-2', release), update('A-3', otherRelease, '1')),
      [1, 'A-2 rejected: it names no package', `A-3 rejected: it is of ${otherRelease}`],
    ],
    ...(otherTag === ''
      ? []
      : [
          [
            'half-typed',
            updates(own, foreignBuild),
            [2, `A-2: "wick-1-1.${otherTag}" is not built for ${tag}; left out`],
          ] as const,
        ]),
    ['emptied', updates(), [0]],
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
const rocky = rockylinuxFiles(records);
const rockyPage = /page=1&/;
const amazon = 'https://cdn.amazonlinux.com/al2023/core/';
/** The first list of packages is another value. */
const withPackages = (value: string) => (text: string) =>
  text.replace(/"packages":\[[^\]]*\]/, `"packages":${value}`);
const apollo = (more: object) =>
  edited(
    rocky,
    rockyPage,
    editJson((value) => ({ ...value, ...more })),
  );
const error = () => '{"error":1}';

testForeignDocuments({
  CEFS: [
    'centOs',
    'errata',
    [
      ['good', cefsCase((text) => text), [4]],
      ['foreign', cefsCase(() => page), 'its outermost element is <html>'],
      [
        'retitled',
        cefsCase((text) => text.replaceAll('CESA-2026--1001', 'ELSA-2026--1001')),
        [3, 'ELSA-2026--1001 rejected: it is not named by the id of an erratum'],
      ],
      [
        'half-typed',
        cefsCase((text) => text.replace('-1.el6.', '-1.el9.')),
        [4, 'is not built for el6; left out'],
      ],
      ['emptied', cefsCase(() => '<opt></opt>'), [0]],
    ],
  ],
  openSUSE: [
    'opensuse',
    '15.6',
    repositoryCases(
      'https://download.opensuse.org/update/leap/15.6/oss/',
      ['openSUSE Leap 15.6', '1'],
      ['openSUSE Leap 15.5', ''],
    ),
  ],
  'Oracle Linux': [
    'oracleLinux',
    '8',
    repositoryCases(
      'https://yum.oracle.com/repo/OracleLinux/OL8/baseos/latest/x86_64/',
      ['Oracle Linux 8', 'el8'],
      ['Oracle Linux 9', 'el9_3'],
    ),
  ],
  'Amazon Linux': [
    'amazonLinux',
    '2023',
    repositoryCases(
      `${amazon}guids/1/x86_64/`,
      ['Amazon Linux 2023', 'amzn2023'],
      ['Amazon Linux 2', 'amzn2'],
      { [`${amazon}mirrors/latest/x86_64/mirror.list`]: `${amazon}guids/1/x86_64/\n` },
    ),
  ],
  AlmaLinux: [
    'almaLinux',
    '8',
    [
      ['good', servedFrom(alma), [3]],
      ['foreign', edited(alma, alma8, error), 'it has no array "data"'],
      [
        'retitled',
        edited(alma, alma8, (text) => text.replaceAll('1.el8', '1.el9')),
        'all of its packages are built for el9, not for el8',
      ],
      [
        'half-typed',
        edited(alma, alma8, withPackages('"none"')),
        [2, 'ALSA-2026:1001 rejected: packages: '],
      ],
      [
        'emptied',
        edited(alma, alma8, withPackages('[]')),
        [2, 'ALSA-2026:1001 rejected: it names no package'],
      ],
    ],
  ],
  Apollo: [
    'rockyLinux',
    'advisories',
    [
      ['good', servedFrom(rocky), [4]],
      ['foreign', edited(rocky, rockyPage, error), 'it is not a page of advisories'],
      ['retitled', apollo({ page: 2 }), 'it is page 2, not page 1'],
      [
        'half-typed',
        edited(rocky, rockyPage, withPackages('"none"')),
        [3, 'RLSA-2026:1001 rejected: packages: '],
      ],
      [
        'emptied',
        apollo({ advisories: [] }),
        [0, 'the pages contain fewer advisories than Apollo counts'],
      ],
    ],
  ],
});
