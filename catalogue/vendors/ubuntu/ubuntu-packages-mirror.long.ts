import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { prioritiesAddress, readPriorities } from './ubuntu-cve-priorities.ts';
import { ubuntuFeed } from './ubuntu-feed.ts';
import { fixingNoticesReader, versionKey } from './ubuntu-fixing-notices.ts';

const mirror = publicationFrom(feedMirror);
const databaseAddress = 'https://usn.ubuntu.com/usn-db/database.json.bz2';

/** The stanzas of an index by nothing but splitting. */
function written(suite: string, archive: string, component: string) {
  const path = `${archive}/dists/${suite}/${component}/binary-amd64/Packages`;
  const text = readFileSync(new URL(path, feedMirror), 'utf8');
  return text
    .trim()
    .split(/\n\n+/)
    .map((stanza) => {
      const value = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? null;
      const [source, version] = (value('Source') ?? '').replace(/[()]/g, '').split(' ');
      return {
        key: [suite, component, value('Package'), value('Version'), value('Architecture')].join(
          '|',
        ),
        row: {
          title: value('Description'),
          sourcePkgName: source || value('Package'),
          sourcePkgVersion: version ?? value('Version'),
          binaryPkgName: value('Package'),
          binaryPkgVersion: value('Version'),
          distribution: suite,
          priority: value('Priority'),
          arch: value('Architecture'),
          phasedUpdate:
            value('Phased-Update-Percentage') === null
              ? null
              : Number(value('Phased-Update-Percentage')),
        },
        detail: {
          component,
          section: value('Section'),
          size: Number(value('Size')),
          downloadUrl: `http://${archive}/${value('Filename')}`,
          checksum: value('SHA256'),
        },
      };
    });
}

describeWithMirror("Ubuntu's archive in the feed mirror", () => {
  test.each([
    [
      'jammy-security',
      'security.ubuntu.com/ubuntu',
      ['main', 'multiverse', 'restricted', 'universe'],
      4826,
    ],
    ['jammy-backports', 'archive.ubuntu.com/ubuntu', ['main', 'universe'], 31],
  ])(
    'every package of %s, verified by the keys of the vendor',
    async (suite, archive, components, count) => {
      const part = partOf(ubuntuFeed, suite);
      const contents = await part.contents({ ...mirror, trustedKeys: [] });
      expect(contents.whole).toBe(true);
      const read = await readingsOf(part, contents);
      const entries = read.filter((reading) => reading.kind === 'entry');
      expect(entries).toHaveLength(read.length);
      expect(entries.flatMap(complaintsOf)).toEqual([]);
      expect(entries.flatMap(({ unknownWords = [] }) => unknownWords)).toEqual([]);
      const expected = components.flatMap((component) => written(suite, archive, component));
      expect(expected).toHaveLength(count);
      expect(entries.map(({ key }) => key).toSorted()).toEqual(
        expected.map(({ key }) => key).toSorted(),
      );
      const byKey = new Map(entries.map((entry) => [entry.key, entry]));
      for (const { key, row, detail } of expected)
        expect(byKey.get(key)).toMatchObject({ row: { ...row, patchId: key }, detail });
    },
  );

  test('the notice database, whose checksum lies beside it', async () => {
    const document = await mirror.open(databaseAddress);
    const sum = await (await mirror.open(`${databaseAddress}.sha256`)).text();
    expect(sum).toContain(document.sha256);
    const { notices, remarks } = await fixingNoticesReader(['bionic', 'cosmic'])([document]);
    expect(remarks).toEqual([]);
    const jinja = {
      published: 1559819644967,
      first: 'USN-4011-1',
      notices: ['USN-4011-1'],
      cves: ['CVE-2016-10745', 'CVE-2019-10906'],
    };
    expect(notices.get(versionKey('bionic', 'source', 'jinja2', '2.10-1ubuntu0.18.04.1'))).toEqual(
      jinja,
    );
    expect(
      notices.get(versionKey('cosmic', 'binary', 'python-jinja2-doc', '2.10-1ubuntu0.18.10.1')),
    ).toEqual(jinja);
    expect([...notices.keys()].filter((key) => !/^(bionic|cosmic) /.test(key))).toEqual([]);
  });

  test('records of the database as the vendor wrote them', async () => {
    const bytes = readFileSync(new URL('edge-cases/ubuntu/usn-database-all.json.bz2', feedMirror));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const document = { ...(await mirror.open(databaseAddress)), sha256 };
    const { documentOf } = await import('../../parsers/document-of.ts');
    async function* served() {
      yield bytes;
    }
    const { notices: all } = await fixingNoticesReader([
      'xenial',
      'trusty',
      'lucid',
      'precise',
      'jammy',
      'bionic',
      'focal',
    ])([documentOf(document, served)]);
    expect(new Set([...all.values()].flatMap(({ notices }) => notices))).toEqual(
      new Set(['USN-4011-1', 'USN-2274-1', 'USN-6342-1']),
    );
  });

  test('an OSV archive of before the vendor wrote priorities into it assigns none', async () => {
    expect(await readPriorities([await mirror.open(prioritiesAddress)])).toEqual(new Map());
  });
});
