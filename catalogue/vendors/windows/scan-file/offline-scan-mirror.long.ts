import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { Entry, FeedItem } from '../../../definition/feed.ts';
import { describeWithMirror, feedMirror } from '../../../testing/describe-with-mirror.ts';
import { findComplaints } from '../../../testing/find-complaints.ts';
import { address, filterByList, type KbEntry, readScan } from '../testing/mirrored-scan.ts';

/** Reads a cabinet independently of the feed: stored or MSZIP, one folder. */
function readMembers(cabinet: Buffer): Map<string, Buffer> {
  const blocks: Buffer[] = [];
  let before = Buffer.alloc(0);
  let at = cabinet.readUInt32LE(36);
  for (let count = cabinet.readUInt16LE(40); count > 0; count--) {
    const data = cabinet.subarray(at + 8, at + 8 + cabinet.readUInt16LE(at + 4));
    const isZip = cabinet.readUInt16LE(42) === 1;
    const block = isZip
      ? inflateRawSync(data.subarray(2), before.length > 0 ? { dictionary: before } : {})
      : data;
    blocks.push(block);
    before = Buffer.concat([before, block]).subarray(-32_768);
    at += 8 + data.length;
  }
  const content = Buffer.concat(blocks);
  const members = new Map<string, Buffer>();
  let entry = cabinet.readUInt32LE(16);
  for (let count = cabinet.readUInt16LE(28); count > 0; count--) {
    const end = cabinet.indexOf(0, entry + 16);
    const start = cabinet.readUInt32LE(entry + 4);
    const name = cabinet.toString('latin1', entry + 16, end).replaceAll('\\', '/');
    members.set(name, content.subarray(start, start + cabinet.readUInt32LE(entry)));
    entry = end + 1;
  }
  return members;
}

const attribute = (text: string, name: string) => new RegExp(`\\b${name}="(.*?)"`).exec(text)?.[1];
const texts = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`<${name}(?: [^>]*)?>(.*?)</${name}>`, 'gs'))].map(
    ([, inside = '']) => inside,
  );
const ids = (text: string, name: string) =>
  texts(text, name).flatMap((inside) =>
    [...inside.matchAll(/\bId="(.*?)"/g)].map(([, id = '']) => id),
  );

describeWithMirror('offline scan file in the feed mirror', () => {
  let readings: FeedItem[];
  let kbs: KbEntry[];
  const fragments = new Map<string, string>();
  let updates: string[];
  const addresses = new Map<string, string>();

  beforeAll(async () => {
    readings = await readScan(feedMirror);
    kbs = filterByList(readings, 'kb_repository');
    const outer = readMembers(readFileSync(new URL(address, feedMirror)));
    for (const [name, bytes] of outer) {
      if (!name.endsWith('.cab')) continue;
      for (const [inner, fragment] of readMembers(bytes)) fragments.set(inner, fragment.toString());
    }
    const text = fragments.get('package.xml') ?? '';
    updates = [...text.matchAll(/<Update .*?<\/Update>/gs)].map(([update]) => update);
    for (const [location] of text.matchAll(/<FileLocation .*?>/g)) {
      addresses.set(attribute(location, 'Id') ?? '', attribute(location, 'Url') ?? '');
    }
  });

  test('lists every bundle or rejects it with the reason', () => {
    const bundles = updates.filter((update) => update.includes('IsBundle="true"'));
    expect(bundles).toHaveLength(569);
    const rejected = readings.filter((reading) => reading.kind === 'rejection');
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'It has no English title: l/en/11151 is missing.',
      expect.stringMatching(/^Its properties cannot be read: x\/11377 is not well formed/),
      'It has no properties: x/12013 is missing. It has no English title: l/en/12013 is missing.',
    ]);
    const reported = [...kbs.map(({ key }) => key), ...rejected.map(({ rejected: id }) => id)];
    expect(reported.toSorted()).toEqual(
      bundles.map((bundle) => attribute(bundle, 'UpdateId') ?? '').toSorted(),
    );
    expect(filterByList(readings, 'patch').map(({ key }) => key)).toEqual(
      kbs.map(({ key }) => key),
    );
    expect(
      readings.flatMap((reading) => (reading.kind === 'entry' ? findComplaints(reading) : [])),
    ).toEqual([]);
  });

  test('reads the fragments of each update and of its parts', () => {
    const byUuid = new Map(updates.map((update) => [attribute(update, 'UpdateId') ?? '', update]));
    const getRevision = (update: string) => attribute(update, 'RevisionId') ?? '';
    const partsByBundle = Map.groupBy(updates, (update) => ids(update, 'BundledBy')[0] ?? '');
    const findKbs = (revision: string) => {
      const found =
        texts(fragments.get(`x/${revision}`) ?? '', 'KBArticleID')[0] ??
        /\(KB(\d+)\)/.exec(fragments.get(`l/en/${revision}`) ?? '')?.[1];
      return found === undefined ? [] : [`KB${found}`];
    };
    const listed = new Set(kbs.map(({ key }) => getRevision(byUuid.get(key) ?? '')));
    const getTitle = (id: string) =>
      texts(fragments.get(`l/en/${getRevision(byUuid.get(id) ?? '')}`) ?? '', 'Title')[0];
    const written = (update: string) => {
      const revision = getRevision(update);
      const own = fragments.get(`x/${revision}`) ?? '';
      const inner = (partsByBundle.get(revision) ?? [])
        .map((part) => fragments.get(`x/${getRevision(part)}`) ?? '')
        .join('\n');
      const category = (type: string) =>
        new RegExp(`Type="${type}" Id="(.*?)"`).exec(update)?.[1] ?? '';
      const files = [...inner.matchAll(/<File .*?<\/File>/gs)].map(([file]) => file);
      const [kb] = findKbs(revision);
      const names = files.map((file) => attribute(file, 'FileName') ?? '');
      const isSystemImage = inner.includes('/OSInstaller"');
      const counted = files.filter(
        (file) => !isSystemImage || attribute(file, 'FileName')?.includes(kb ?? ''),
      );
      return {
        kbId: kb,
        title: texts(fragments.get(`l/en/${revision}`) ?? '', 'Title')[0]?.replaceAll('&amp;', '&'),
        releaseDate: Date.parse(attribute(update, 'CreationDate') ?? ''),
        category: getTitle(category('UpdateClassification')),
        severity: attribute(own, 'MsrcSeverity') ?? 'Unspecified',
        productName: [getTitle(category('Product'))],
        size: counted.reduce((sum, file) => sum + Number(attribute(file, 'Size')), 0),
        supportUninstallation: inner.includes('<UninstallationBehavior'),
        uninstallNotes: texts(fragments.get(`l/en/${revision}`) ?? '', 'UninstallNotes')[0] ?? null,
        superseded: update.includes('<SupersededBy>'),
        cabExists: names.some((name) => name.endsWith('.cab')),
        names: names.toSorted(),
        checksums: texts(inner, 'AdditionalDigest').length,
        cve: texts(own, 'CveID').toSorted(),
        supersededBy: [
          ...new Set(
            ids(update, 'SupersededBy')
              .filter((id) => listed.has(id))
              .flatMap(findKbs),
          ),
        ]
          .filter((other) => other !== kb)
          .toSorted(),
      };
    };
    const read = ({ row, detail }: KbEntry) => {
      const {
        kbId,
        title,
        releaseDate,
        category,
        severity,
        productName,
        size,
        supportUninstallation,
        cabExists,
      } = row;
      const names = detail.fileDetails.map(({ name }) => String(name)).toSorted();
      const checksums = detail.fileDetails.filter(({ checksum }) =>
        /^[\da-f]{64}$/.test(String(checksum)),
      ).length;
      const shown = {
        kbId,
        title,
        releaseDate,
        category,
        severity,
        productName,
        size,
        supportUninstallation,
        cabExists,
        names,
        checksums,
      };
      const { uninstallNotes } = detail;
      return {
        ...shown,
        superseded: row.superseded,
        uninstallNotes,
        cve: detail.cve.toSorted(),
        supersededBy: detail.supersededBy.toSorted(),
      };
    };
    for (const kb of kbs) expect(read(kb)).toEqual(written(byUuid.get(kb.key) ?? ''));
    expect(kbs.filter(({ row }) => row.superseded === true)).toHaveLength(338);
    expect(kbs.filter(({ detail }) => detail.uninstallNotes !== null)).toHaveLength(142);
    const flags = (entries: readonly Entry[]) =>
      entries.map(({ key, row, detail }) => [key, row['superseded'], detail['uninstallNotes']]);
    expect(flags(filterByList(readings, 'patch'))).toEqual(flags(kbs));
  });

  test("shows the vendor's addresses with https", () => {
    const published = [...addresses.values()].map((url) =>
      url.replace(
        /^http:\/\/(www\.)?download\.windowsupdate\.com/,
        'https://catalog.s.download.windowsupdate.com',
      ),
    );
    const shown = kbs.flatMap(({ detail }) =>
      detail.fileDetails.flatMap(({ downloadUrl }) =>
        downloadUrl === null ? [] : String(downloadUrl),
      ),
    );
    expect(shown.length).toBeGreaterThan(600);
    expect(shown.filter((url) => !url.startsWith('https://') || !published.includes(url))).toEqual(
      [],
    );
  });

  test('knows every architecture and restart behaviour, except of the tool for all systems', () => {
    expect(
      kbs.filter(({ row }) => row.architecture?.length === 0).map(({ row }) => row.kbId),
    ).toEqual(['KB2267602']);
    expect(new Set(kbs.map(({ row }) => row.restartBehaviour))).toEqual(
      new Set(['Required', 'Can request restart', 'Not required']),
    );
  });

  test('states supersedes as the inverse of supersededBy', () => {
    const pairs = (name: 'supersedes' | 'supersededBy') =>
      kbs.flatMap(({ row, detail }) =>
        detail[name].map((other) =>
          name === 'supersedes' ? `${row.kbId} ${other}` : `${other} ${row.kbId}`,
        ),
      );
    expect(new Set(pairs('supersedes'))).toEqual(new Set(pairs('supersededBy')));
  });
});
