import { expect, test } from 'vitest';
import type { UpdateinfoItem } from '../parsers/updateinfo.ts';
import { collect } from '../testing/collect.ts';
import { documentFrom } from '../testing/document-from.ts';
import { readReleaseUpdateinfo } from './updateinfo-merge.ts';

const url = 'https://example.org/repodata/updateinfo.xml';

const update = (id: string, release: string, ...builds: string[]) =>
  `<update><id>${id}</id><release>${release}</release><pkglist><collection>${builds
    .map((build, index) => `<package name="p${index}" version="1" release="${build}"/>`)
    .join('')}</collection></pkglist></update>`;

function read(updates: readonly string[], label = 'Oracle Linux 8', tag: string | null = 'el8') {
  const document = documentFrom(url, `<updates>${updates.join('')}</updates>`);
  return collect(readReleaseUpdateinfo(document, { label, tag }));
}

const summary = (items: readonly UpdateinfoItem[]) =>
  items.map((item) => {
    if (item.kind === 'remark') return item.remark;
    if (item.kind === 'rejection') return `${item.rejected} rejected: ${item.reason}`;
    return `${item.id}: ${item.packages.map(({ release }) => release).join(' ')}`;
  });

const own = update('A', 'Oracle Linux 8', '1.el8');

test.each([
  ['el8', ['1.el8', '2.el8_10', '3.module+el8.4.0+557', '4.el8uek', '5.0.1']],
  ['amzn2023', ['1.amzn2023', '2.amzn2023.0.3']],
])('accepts all builds of %s', async (tag, builds) => {
  const items = await read([update('A', 'Lantern 1', ...builds)], 'Lantern 1', tag);
  expect(summary(items)).toEqual([`A: ${builds.join(' ')}`]);
});

test.each(['1.el9_3', '1.el6', '1.module+el9.1.0+5', '1.fc40', '1.amzn2'])(
  'leaves out the build %s of another release',
  async (build) => {
    expect(summary(await read([update('A', 'Oracle Linux 8', build, '2.el8', build)]))).toEqual([
      `A: "p0-1-${build}" and 1 more is not built for el8; left out`,
      'A: 2.el8',
    ]);
  },
);

test('withdraws an advisory whose builds are all for another release', async () => {
  const items = await read([own, update('B', 'Oracle Linux 8', '29.0.4.el6_10.3')]);
  expect(summary(items)).toEqual([
    'A: 1.el8',
    'B: "p0-1-29.0.4.el6_10.3" is not built for el8; left out',
    'B rejected: none of its packages is built for el8',
  ]);
  expect(items.at(-1)).toHaveProperty('keys', []);
});

test('rejects an advisory that names another release or no package, without withdrawing its row', async () => {
  const items = await read([own, update('B', 'Oracle Linux 9', '1.el8'), update('C', '8')]);
  expect(summary(items)).toEqual([
    'A: 1.el8',
    'B rejected: it is of Oracle Linux 9, not of Oracle Linux 8',
    'C rejected: it names no package',
  ]);
  for (const item of items) expect(item).not.toHaveProperty('keys');
});

test.each([
  ['builds', 'Oracle Linux 8', ['1.el9'], 'el9'],
  ['words', 'Rocky Linux 8', ['1.el8'], 'Rocky Linux 8'],
])(
  'refuses a document whose advisories are all for another release by their %s',
  async (...given) => {
    const [, release, builds, shown] = given;
    await expect(read(['A', 'B'].map((id) => update(id, release, ...builds)))).rejects.toThrow(
      `all of its advisories are of ${shown}, not of Oracle Linux 8`,
    );
  },
);

test('accepts minor releases and additional words of the release', async () => {
  const items = await read(
    [update('A', 'openSUSE Leap 15.6 NonFree', '1'), update('B', 'openSUSE Leap 15.5', '1')],
    'openSUSE Leap 15.6',
    null,
  );
  expect(summary(items)).toEqual([
    'A: 1',
    'B rejected: it is of openSUSE Leap 15.5, not of openSUSE Leap 15.6',
  ]);
});
