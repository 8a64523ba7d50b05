import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Entry } from '../../definition/feed.ts';
import { decompress } from '../../parsers/decompress.ts';
import { allOf } from '../../testing/all-of.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { centosFeed } from './centos-feed.ts';

const file = (path: string) => readFileSync(new URL(path, feedMirror));
const errata = partOf(centosFeed, 'errata');

/** As the file has it, read with nothing but regular expressions. */
interface Written {
  readonly id: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly releases: readonly string[];
  readonly files: readonly string[];
}

function writtenIn(xml: string): Written[] {
  return [...xml.matchAll(/<(CE[A-Z]A-\S+) ([^>]*)>([\s\S]*?)<\/\1>/g)].map(
    ([, tag = '', attributes = '', inside = '']) => ({
      id: tag.replace('--', ':'),
      attributes: Object.fromEntries(
        [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
      ),
      releases: [...inside.matchAll(/<os_release>(.*?)</g)].map(([, release = '']) => release),
      files: [...inside.matchAll(/<packages>(.*?)</g)].map(([, name = '']) => name),
    }),
  );
}

async function entriesOf(path: string): Promise<Entry[]> {
  const read = await allOf(
    errata.read({
      documents: [documentFrom('https://example.org/', file(path).toString())],
      whole: true,
    }),
  );
  return read.filter((reading) => reading.kind === 'entry');
}

describeWithMirror('CentOS in the feed mirror', () => {
  test('yields every erratum for each of its releases with the right fields', async () => {
    async function* served() {
      yield file('cefs.steve-meier.de/errata.latest.xml.bz2');
    }
    const written = writtenIn(Buffer.concat(await allOf(decompress(served()))).toString());
    expect(written).toHaveLength(1156);
    const read = await readingsOf(errata, await errata.contents(publicationFrom(feedMirror)));
    const entries = read.filter((reading) => reading.kind === 'entry');
    expect(entries.flatMap(complaintsOf)).toEqual([]);
    expect(entries.flatMap(({ unknownWords = [] }) => unknownWords)).toEqual([]);
    expect(read.filter(({ kind }) => kind !== 'entry')).toEqual([
      {
        kind: 'remark',
        remark: expect.stringMatching(/^CESA-2007:0705: "qt-2\.3\.1-14\.EL2" and 4 more/),
      },
      {
        kind: 'remark',
        remark: expect.stringMatching(/^CESA-2008:0893: "bzip2-1\.0\.1-5\.EL2\.1" and 2 more/),
      },
    ]);
    const byKey = new Map(entries.map((entry) => [entry.key, entry]));
    expect(byKey.size).toBe(1421);
    let rows = 0;
    let withUpstream = 0;
    for (const { id, attributes, releases, files } of written) {
      for (const release of releases) {
        rows += 1;
        const { row, detail } = byKey.get(`${release}:${id}`) ?? {};
        const ofRelease = files.filter(
          (name) => name.includes(`.el${release}`) || !/\.el\d/i.test(name),
        );
        const packages = detail?.packages as {
          name: string;
          version: string;
          architecture: string;
        }[];
        expect(
          new Set(packages.map((of) => `${of.name}-${of.version}.${of.architecture}.rpm`)),
        ).toEqual(new Set(ofRelease));
        const binaries = ofRelease
          .filter((name) => !name.endsWith('.src.rpm'))
          .map((name) => name.split('-').slice(0, -2).join('-'));
        expect(new Set(row?.binaryPkgName as string[])).toEqual(new Set(binaries));
        expect(row).toEqual({
          title: attributes.synopsis,
          bulletinId: id,
          releaseDate: Date.parse(`${attributes.issue_date?.replace(' ', 'T')}Z`),
          severity: attributes.severity ?? 'Unspecified',
          category: attributes.type === 'Security Advisory' ? 'security' : 'bugfix',
          osVersion: [`CentOS ${release}`],
          binaryPkgName: row?.binaryPkgName,
        });
        const references = detail?.references as { address: string }[];
        expect(references.map(({ address }) => address)).toEqual(attributes.references?.split(' '));
        const upstream = attributes.references?.split(' ').flatMap((address) => {
          const [, kind, year, number] = /\/(RH[SB]A)-(\d+)-(\d+)\.html$/.exec(address) ?? [];
          return kind === undefined ? [] : [`${kind}-${year}:${number}`];
        });
        expect(detail).toMatchObject({
          description: null,
          rebootSuggested: attributes.keywords === undefined ? null : true,
          vendorSeverity: attributes.severity ?? null,
          vendorCategory: attributes.type,
          upstreamAdvisories: upstream,
        });
        withUpstream += upstream?.length ?? 0;
      }
    }
    expect(rows).toBe(1421);
    expect(withUpstream).toBeGreaterThan(1400);
  });

  test('an id of Xen4CentOS, and the same with its single values in attributes', async () => {
    const [erratum, ...more] = await entriesOf('edge-cases/rpm/cefs-x-id.xml');
    expect(more).toEqual([]);
    expect(erratum?.key).toBe('6:CESA-2013:X007');
    expect(erratum?.detail).toMatchObject({ rebootSuggested: true, cve: ['CVE-2013-2140'] });
    expect(erratum?.detail.packages).toHaveLength(9);
    expect(await entriesOf('edge-cases/rpm/cefs-minified-attributes.xml')).toEqual([erratum]);
  });
});
