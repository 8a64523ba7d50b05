import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readKey } from 'openpgp';
import { expect, test } from 'vitest';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { pardusFeed } from './pardus-feed.ts';

const bytes = (path: string) => readFileSync(new URL(path, feedMirror));
const listOf = (key: string) =>
  bytes(
    `salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/${key}/list`,
  ).toString();

/** The stanzas of an index by nothing but splitting. */
function written(index: string) {
  const stanzas = gunzipSync(bytes(`depo.pardus.org.tr/${index}/binary-amd64/Packages.gz`))
    .toString()
    .trim()
    .split(/\n\n+/);
  return stanzas.map((stanza) => {
    const value = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? '';
    const [source = '', version = ''] = value('Source').replace(/[()]/g, '').split(' ');
    const binary = `${value('Package')} ${value('Version')} ${value('Architecture')} ${value('SHA256')}`;
    return { source: source || value('Package'), version: version || value('Version'), binary };
  });
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The first advisory of the list with that fix on the base release. */
function advisoryOf(list: string, base: string, source: string, version: string): string | null {
  const at = new RegExp(
    `^\\s+\\[${base}\\] - ${escaped(source)} ${escaped(version)}\\b(?![.+~:-])`,
    'm',
  ).exec(list)?.index;
  return at === undefined
    ? null
    : (list
        .slice(0, at)
        .match(/^\[.*?\] (DSA-\S+|DLA-\S+)/gm)
        ?.at(-1)
        ?.split(' ')
        .at(-1) ?? null);
}

describeWithMirror('Pardus in the feed mirror', () => {
  test.each([
    [
      'guvenlik yirmiuc-deb',
      'bookworm',
      'Pardus 23 guvenlik',
      ['main', 'contrib', 'non-free', 'non-free-firmware'],
      0,
    ],
    ['guvenlik yirmibir', 'bullseye', 'Pardus 21 guvenlik', ['main'], 20],
    ['pardus yirmiuc', 'bookworm', 'Pardus 23', ['main'], 0],
    ['pardus yirmibir', 'bullseye', 'Pardus 21', ['main'], 0],
  ])(
    'every package of %s is in the row of its source',
    async (key, base, osVersion, components, leastMatched) => {
      const [repository, suite] = key.split(' ');
      const records = components.flatMap((component) =>
        written(`${repository}/dists/${suite}/${component}`),
      );
      const part = partOf(pardusFeed, key);
      const armored = (await readKey({ binaryKey: bytes('keys/pardus-shape-sample.gpg') })).armor();
      const contents = await part.contents({
        ...publicationFrom(feedMirror),
        trustedKeys: [armored],
      });
      expect(contents.whole).toBe(true);
      const read = await readingsOf(part, contents);
      const entries = read.filter((reading) => reading.kind === 'entry');
      expect(entries).toHaveLength(read.length);
      expect(entries.flatMap(complaintsOf)).toEqual([]);
      const expected = Map.groupBy(records, ({ source, version }) => `${key}|${source}|${version}`);
      expect(new Set(entries.map((entry) => entry.key))).toEqual(new Set(expected.keys()));
      const lists = [listOf('DSA'), listOf('DLA')];
      for (const { key: natural, row, detail } of entries) {
        const of = expected.get(natural) ?? [];
        const [, source = '', version = ''] = natural.split('|');
        const bulletinId =
          lists.map((list) => advisoryOf(list, base, source, version)).find((id) => id !== null) ??
          null;
        expect(row).toMatchObject({
          pkgName: source,
          osVersion,
          pkgAndVersion: `${source} ${version}`,
          bulletinId,
        });
        const packages = detail.packages as {
          name: string;
          version: string;
          architecture: string;
          checksum: string;
        }[];
        expect(packages.map((one) => Object.values(one).join(' ')).toSorted()).toEqual(
          of.map(({ binary }) => binary).toSorted(),
        );
      }
      expect(entries.filter(({ row }) => row.bulletinId !== null).length).toBeGreaterThanOrEqual(
        leastMatched,
      );
    },
  );

  test('the releases that are listed are all collected', async () => {
    const part = partOf(pardusFeed, 'releases');
    expect(await readingsOf(part, await part.contents(publicationFrom(feedMirror)))).toEqual([]);
  });
});
