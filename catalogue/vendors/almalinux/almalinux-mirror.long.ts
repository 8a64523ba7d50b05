import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { FeedItem } from '../../definition/feed.ts';
import { severities } from '../../schemas/severities.ts';
import { allOf } from '../../testing/all-of.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { almalinuxFeed } from './almalinux-feed.ts';

/** As the file has it, read with nothing but JSON.parse. */
interface Written {
  id: string;
  title: string;
  description: string;
  type: string;
  severity: string;
  issued_date: number;
  updated_date: number;
  packages: (Record<
    'name' | 'epoch' | 'version' | 'release' | 'arch' | 'checksum' | 'src',
    string
  > & { reboot_suggested: number })[];
  modules: { version: string }[];
  references: { id: string; type: string; href: string }[];
}

const file = (path: string) => readFileSync(new URL(path, feedMirror), 'utf8');

async function readings(release: string): Promise<FeedItem[]> {
  const part = partOf(almalinuxFeed, release);
  return readingsOf(part, await part.contents(publicationFrom(feedMirror)));
}

const ids = async (release: string) =>
  (await readings(release)).map((reading) =>
    reading.kind === 'entry' ? reading.row.bulletinId : null,
  );

const distinct = (words: string[]) => [...new Set(words)];

describeWithMirror('AlmaLinux in the feed mirror', () => {
  test.each([
    ['8', 1297],
    ['9', 319],
  ])('every record of release %s comes out with the right fields', async (release, count) => {
    const written: Written[] = JSON.parse(
      file(`errata.almalinux.org/${release}/errata.full.json`),
    ).data;
    const read = await readings(release);
    expect(written).toHaveLength(count);
    const entries = read.filter((reading) => reading.kind === 'entry');
    const byKey = new Map(entries.map((entry) => [entry.key, entry]));
    expect(entries.flatMap(complaintsOf)).toEqual([]);
    expect(entries.flatMap(({ unknownWords = [] }) => unknownWords)).toEqual([]);
    expect(entries).toHaveLength(count);
    expect(byKey.size).toBe(count);
    expect(read).toHaveLength(count);
    for (const record of written) {
      const { row = {}, detail = {} } = byKey.get(`${release}:${record.id}`) ?? {};
      const names = row.binaryPkgName as string[];
      expect(row).toEqual({
        title: record.title,
        bulletinId: record.id,
        releaseDate: record.issued_date * 1000,
        severity: record.severity,
        category: record.type,
        osVersion: [`AlmaLinux ${release}`],
        binaryPkgName: names,
      });
      expect(severities).toContain(record.severity);
      const [, ...others] = names;
      expect(names.toSorted()).toEqual(
        distinct(record.packages.map(({ name }) => name)).toSorted(),
      );
      expect(others).toEqual(others.toSorted());
      expect(detail).toMatchObject({
        description: record.description,
        updatedDate: record.updated_date * 1000,
        vendorSeverity: record.severity,
        vendorCategory: record.type,
        rebootSuggested: record.packages.some((of) => of.reboot_suggested === 1),
        restartSuggested: null,
        upstreamAdvisories: distinct(
          record.references.filter(({ type }) => type === 'rhsa').map(({ id }) => id),
        ),
        cve: distinct(record.references.filter(({ type }) => type === 'cve').map(({ id }) => id)),
        referenceLink: `https://errata.almalinux.org/${release}/${record.id.replace(':', '-')}.html`,
      });
      const packages = detail.packages as {
        name: string;
        version: string;
        architecture: string;
        checksum: string;
      }[];
      const packageText = record.packages.map(
        (of) =>
          `${of.name} ${of.epoch === '0' ? '' : `${of.epoch}:`}${of.version}-${of.release} ${of.arch} ${of.checksum}`,
      );
      expect(
        new Set(packages.map((of) => `${of.name} ${of.version} ${of.architecture} ${of.checksum}`)),
      ).toEqual(new Set(packageText));
      expect(new Set((detail.modules as Written['modules']).map(({ version }) => version))).toEqual(
        new Set(record.modules.map(({ version }) => version)),
      );
      expect(
        new Set((detail.references as { address: string }[]).map(({ address }) => address)),
      ).toEqual(new Set(record.references.map(({ href }) => href)));
    }
  });

  test('the package of the title is the first one', async () => {
    const first = new Map<unknown, string | undefined>();
    for (const reading of await readings('8')) {
      if (reading.kind === 'entry')
        first.set(reading.row.title, (reading.row.binaryPkgName as string[])[0]);
    }
    expect(first.get('Important: grafana security update')).toBe('grafana');
    expect(first.get('Important: postgresql:16 security update')).toBe('postgresql');
    expect(first.get('Moderate: kernel-rt security and bug fix update')).toBe('kernel-rt');
  });

  test('thirteen advisories are in both releases', async () => {
    const of9 = new Set(await ids('9'));
    expect((await ids('8')).filter((id) => of9.has(id))).toHaveLength(13);
  });

  test('the older form, with a module version over 2^53', async () => {
    const text = file('edge-cases/rpm/legacy/alma-errata.json');
    const documents = [documentFrom('https://errata.almalinux.org/8/errata.full.json', text)];
    const read = (await allOf(partOf(almalinuxFeed, '8').read({ documents, whole: true }))).filter(
      (reading) => reading.kind === 'entry',
    );
    expect(read.map(({ key }) => key)).toEqual(
      JSON.parse(text).map((record: { updateinfo_id: string }) => `8:${record.updateinfo_id}`),
    );
    expect(read.map(({ row }) => row.releaseDate)).toEqual(
      JSON.parse(text).map(
        (record: { issued_date: { $date: number } }) => record.issued_date.$date,
      ),
    );
    const modules = read.flatMap(({ detail }) => detail.modules as { version: string }[]);
    expect(modules.map(({ version }) => version)).toEqual(['8040020210811063000']);
    const sums = read.flatMap(({ detail }) => detail.packages as { checksumType: string }[]);
    expect(new Set(sums.map(({ checksumType }) => checksumType))).toEqual(new Set(['sha256']));
    expect(read.map(({ row }) => row.category)).toEqual(
      JSON.parse(text).map((record: { type: string }) => record.type),
    );
  });
});
