import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Entry, Publication } from '../../definition/feed.ts';
import { allOf } from '../../testing/all-of.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { rockylinuxFeed } from './rockylinux-feed.ts';

/** As the files have it, read with nothing but JSON.parse. */
interface Written {
  readonly name: string;
  readonly synopsis: string;
  readonly description: string;
  readonly kind: string;
  readonly severity: string;
  readonly published_at: string;
  readonly updated_at: string;
  readonly affected_products: { variant: string; major_version: number }[];
  readonly cves: { cve: string; cvss3_base_score: string }[];
  readonly fixes: { source: string }[];
  readonly packages: { nevra: string; checksum: string | null; product_name: string }[];
}

const file = (path: string) => readFileSync(new URL(path, feedMirror), 'utf8');
const advisories = partOf(rockylinuxFeed, 'advisories');
const distinct = (words: readonly string[]) => [...new Set(words)];
const scored = (score: string | null | undefined) => (score === 'UNKNOWN' ? null : score);

interface Row {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly checksum: string | null;
}

const nevra = ({ name, version, architecture }: Row) =>
  `${name}-${version.includes(':') ? version : `0:${version}`}.${architecture}.rpm`;

describeWithMirror('Rocky Linux in the feed mirror', () => {
  test('yields every advisory for each of its releases with the right fields', async () => {
    const pages = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const written = pages.flatMap(
      (page): Written[] =>
        JSON.parse(file(`apollo.build.resf.org/api/v3/advisories/index.json@page=${page}&size=100`))
          .advisories,
    );
    expect(written).toHaveLength(869);
    const contents = await advisories.contents(publicationFrom(feedMirror));
    expect(contents.whole).toBe(true);
    expect(contents.documents).toHaveLength(pages.length);
    const read = await readingsOf(advisories, contents);
    const entries = read.filter((reading) => reading.kind === 'entry');
    expect(read).toHaveLength(875);
    expect(entries.flatMap(complaintsOf)).toEqual([]);
    expect(entries.flatMap(({ unknownWords = [] }) => unknownWords)).toEqual([]);
    const byKey = new Map(entries.map((entry) => [entry.key, entry]));
    expect(byKey.size).toBe(875);
    let rows = 0;
    for (const record of written) {
      for (const release of distinct(
        record.affected_products.map(({ major_version }) => String(major_version)),
      )) {
        rows += 1;
        const { row, detail } = byKey.get(`${release}:${record.name}`) ?? {};
        const own = record.affected_products.filter(
          ({ major_version }) => String(major_version) === release,
        );
        expect(row).toEqual({
          title: record.synopsis,
          bulletinId: record.name,
          releaseDate: Date.parse(record.published_at),
          severity: record.severity,
          category: record.kind === 'Security' ? 'security' : 'bugfix',
          osVersion: distinct(own.map(({ variant }) => `${variant} ${release}`)),
          binaryPkgName: row?.binaryPkgName,
        });
        const ofRelease = record.packages.filter(({ product_name }) =>
          new RegExp(` ${release}[ .]`).test(product_name),
        );
        const packages = detail?.packages as Row[];
        expect(packages.map(nevra).toSorted()).toEqual(
          distinct(ofRelease.map((of) => of.nevra)).toSorted(),
        );
        const binaries = ofRelease
          .filter((of) => !of.nevra.endsWith('.src.rpm'))
          .map((of) => of.nevra.replace(/-\d+:.*/, ''));
        const names = row?.binaryPkgName as string[];
        expect(names.toSorted()).toEqual(distinct(binaries).toSorted());
        const upstream = record.name.replace(/^R[LX]/, 'RH');
        expect(detail).toMatchObject({
          description: record.description,
          updatedDate: Date.parse(record.updated_at),
          cve: distinct(record.cves.map(({ cve }) => cve)),
          vendorSeverity: record.severity,
          vendorCategory: record.kind,
          upstreamAdvisories: [upstream],
        });
        expect(detail?.vulnerabilities).toHaveLength(record.cves.length);
        expect(detail?.vulnerabilities).toEqual(
          record.cves.map(({ cve, cvss3_base_score }) =>
            expect.objectContaining({ cve, score: scored(cvss3_base_score) }),
          ),
        );
        const references = detail?.references as { address: string | null }[];
        expect(references.flatMap(({ address }) => address ?? [])).toEqual([
          `https://access.redhat.com/errata/${upstream}`,
          ...distinct(record.fixes.map(({ source }) => source)),
        ]);
      }
    }
    expect(rows).toBe(875);
  });

  test('the package of the title is the first one, whatever else is built beside it', async () => {
    const entries = (
      await readingsOf(advisories, await advisories.contents(publicationFrom(feedMirror)))
    ).filter((one) => one.kind === 'entry');
    const first = new Map(entries.map(({ key, row }) => [key, (row.binaryPkgName as string[])[0]]));
    expect(first.get('8:RLSA-2025:0314')).toBe('raptor2');
    expect(first.get('9:RLSA-2024:8617')).toBe('kernel');
    const bpftool = entries.find(({ key }) => key === '9:RLSA-2024:8617')?.detail.packages as {
      name: string;
      sourcePackage: string;
    }[];
    expect(bpftool.find(({ name }) => name === 'bpftool')?.sourcePackage).toMatch(
      /^kernel-5\.14\.0-.*\.src\.rpm$/,
    );
  });

  test('a page of the vendor itself: each package once, minor releases in their major one, modules and checksums', async () => {
    const text = file('edge-cases/rpm/rocky-v3-last-page.json');
    const documents = [
      documentFrom('https://apollo.build.resf.org/api/v3/advisories/?page=8019&size=1', text),
    ];
    const [advisory, ...more] = (await allOf(advisories.read({ documents, whole: false }))).filter(
      (reading) => reading.kind === 'entry',
    );
    expect(more).toEqual([]);
    expect(advisory?.key).toBe('8:RLBA-2019:0973');
    expect(advisory?.row).toMatchObject({
      osVersion: ['Rocky Linux 8'],
      category: 'bugfix',
      severity: 'None',
    });
    const written: Written = JSON.parse(text).advisories[0];
    expect(written.packages).toHaveLength(64);
    const packages = advisory?.detail.packages as (Row & {
      module: string;
      repositories: string[];
    })[];
    expect(packages).toHaveLength(14);
    const sums = new Map(written.packages.map((of) => [of.nevra, of.checksum]));
    expect(new Map(packages.map((row) => [nevra(row), row.checksum]))).toEqual(sums);
    expect(new Set(packages.map(({ module }) => module))).toEqual(
      new Set(['container-tools:1.0:8050020211109140251:faa19cc5']),
    );
    expect(packages.every(({ repositories }) => repositories.join() === 'AppStream')).toBe(true);
    expect(advisory?.detail.modules).toHaveLength(1);
  });

  test('without Apollo every advisory of the repositories comes out, under the key that it has there', async () => {
    const publication = publicationFrom(feedMirror);
    const withoutApollo: Publication = {
      ...publication,
      async open(url, options) {
        if (url.startsWith('https://apollo.')) throw new NotPublished(url);
        return publication.open(url, options);
      },
    };
    const contents = await advisories.contents(withoutApollo);
    expect(contents).toMatchObject({
      whole: false,
      standIn: [expect.objectContaining({ code: 'errata_service_missing' })],
    });
    const entries = (await readingsOf(advisories, contents)).filter(
      (reading) => reading.kind === 'entry',
    );
    const files = globSync(
      'dl.rockylinux.org/pub/rocky/8/*/x86_64/os/repodata/*-updateinfo.xml.gz',
      { cwd: fileURLToPath(feedMirror) },
    );
    const updates = files.flatMap((path) =>
      gunzipSync(readFileSync(new URL(path, feedMirror)))
        .toString()
        .split('<update ')
        .slice(1),
    );
    expect(updates).toHaveLength(6);
    expect(entries.flatMap(complaintsOf)).toEqual([]);
    const byKey = new Map(entries.map((entry): [string, Entry] => [entry.key, entry]));
    expect(byKey.size).toBe(6);
    for (const update of updates) {
      const all = (pattern: RegExp) =>
        [...update.matchAll(pattern)].map(([, found]) => found ?? '');
      const [id = ''] = all(/<id>([^<]*)/g);
      const { row, detail } = byKey.get(`8:${id}`) ?? {};
      expect(row).toMatchObject({
        bulletinId: id,
        title: all(/<title>([^<]*)/g)[0],
        releaseDate: Date.parse(`${all(/<issued(?: date=")?>?([\d :-]+)/g)[0]}Z`),
        severity: all(/<severity>([^<]*)/g)[0],
        category: all(/type="(security|bugfix|enhancement)" version/g)[0],
        osVersion: ['Rocky Linux 8'],
      });
      expect(row?.binaryPkgName).toHaveLength(new Set(all(/<package name="([^"]*)"/g)).size);
      expect(detail).toMatchObject({
        referenceLink: `https://errata.rockylinux.org/${id}`,
        cve: distinct(all(/id="(CVE-[^"]*)"/g)),
      });
      const packages = (detail?.packages ?? []) as Row[];
      expect(new Set(packages.map(({ checksum }) => checksum))).toEqual(
        new Set(all(/<sum type="sha256">([^<]*)/g)),
      );
    }
    const inApollo = (await readingsOf(advisories, await advisories.contents(publication))).filter(
      (reading) => reading.kind === 'entry',
    );
    const both = inApollo.filter(({ key }) => byKey.has(key));
    expect(both).toHaveLength(5);
    for (const { key, row } of both) {
      const { title, severity, category, osVersion } = row;
      expect(byKey.get(key)?.row).toMatchObject({ title, severity, category, osVersion });
    }
  });
});
