import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { Entry, FeedItem } from '../../definition/feed.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { address, type KbEntry, ofList, readingsFrom } from './testing/mirrored-scan.ts';

/** A cabinet read by another reader than the feed's: stored or MSZIP, one folder. */
function membersOf(cabinet: Buffer): Map<string, Buffer> {
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

describeWithMirror('the offline scan file in the feed mirror', () => {
  let readings: FeedItem[];
  let kbs: KbEntry[];
  const fragments = new Map<string, string>();
  let updates: string[];
  const addresses = new Map<string, string>();

  beforeAll(async () => {
    readings = await readingsFrom(feedMirror);
    kbs = ofList(readings, 'kb_repository');
    const outer = membersOf(readFileSync(new URL(address, feedMirror)));
    for (const [name, bytes] of outer) {
      if (!name.endsWith('.cab')) continue;
      for (const [inner, fragment] of membersOf(bytes)) fragments.set(inner, fragment.toString());
    }
    const text = fragments.get('package.xml') ?? '';
    updates = [...text.matchAll(/<Update .*?<\/Update>/gs)].map(([update]) => update);
    for (const [location] of text.matchAll(/<FileLocation .*?>/g)) {
      addresses.set(attribute(location, 'Id') ?? '', attribute(location, 'Url') ?? '');
    }
  });

  test('every bundle is there or told why not', () => {
    const bundles = updates.filter((update) => update.includes('IsBundle="true"'));
    expect(bundles).toHaveLength(569);
    const rejected = readings.filter((reading) => reading.kind === 'rejection');
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'It has no English title: there is no l/en/11151.',
      expect.stringMatching(/^Its properties cannot be read: x\/11377 is not well formed/),
      'It has no properties: there is no x/12013. It has no English title: there is no l/en/12013.',
    ]);
    const told = [...kbs.map(({ key }) => key), ...rejected.map(({ rejected: id }) => id)];
    expect(told.toSorted()).toEqual(
      bundles.map((bundle) => attribute(bundle, 'UpdateId') ?? '').toSorted(),
    );
    expect(ofList(readings, 'patch').map(({ key }) => key)).toEqual(kbs.map(({ key }) => key));
    expect(
      readings.flatMap((reading) => (reading.kind === 'entry' ? complaintsOf(reading) : [])),
    ).toEqual([]);
  });

  test('each says what its fragments and those of its parts say', () => {
    const byUuid = new Map(updates.map((update) => [attribute(update, 'UpdateId') ?? '', update]));
    const revisionOf = (update: string) => attribute(update, 'RevisionId') ?? '';
    const partsOf = Map.groupBy(updates, (update) => ids(update, 'BundledBy')[0] ?? '');
    const kbOf = (revision: string) => {
      const found =
        texts(fragments.get(`x/${revision}`) ?? '', 'KBArticleID')[0] ??
        /\(KB(\d+)\)/.exec(fragments.get(`l/en/${revision}`) ?? '')?.[1];
      return found === undefined ? [] : [`KB${found}`];
    };
    const told = new Set(kbs.map(({ key }) => revisionOf(byUuid.get(key) ?? '')));
    const titleOf = (id: string) =>
      texts(fragments.get(`l/en/${revisionOf(byUuid.get(id) ?? '')}`) ?? '', 'Title')[0];
    const written = (update: string) => {
      const revision = revisionOf(update);
      const own = fragments.get(`x/${revision}`) ?? '';
      const inner = (partsOf.get(revision) ?? [])
        .map((part) => fragments.get(`x/${revisionOf(part)}`) ?? '')
        .join('\n');
      const category = (type: string) =>
        new RegExp(`Type="${type}" Id="(.*?)"`).exec(update)?.[1] ?? '';
      const files = [...inner.matchAll(/<File .*?<\/File>/gs)].map(([file]) => file);
      const [kb] = kbOf(revision);
      const names = files.map((file) => attribute(file, 'FileName') ?? '');
      const whole = inner.includes('/OSInstaller"');
      const counted = files.filter(
        (file) => !whole || attribute(file, 'FileName')?.includes(kb ?? ''),
      );
      return {
        kbId: kb,
        title: texts(fragments.get(`l/en/${revision}`) ?? '', 'Title')[0]?.replaceAll('&amp;', '&'),
        releaseDate: Date.parse(attribute(update, 'CreationDate') ?? ''),
        category: titleOf(category('UpdateClassification')),
        severity: attribute(own, 'MsrcSeverity') ?? 'Unspecified',
        productName: [titleOf(category('Product'))],
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
              .filter((id) => told.has(id))
              .flatMap(kbOf),
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
    expect(flags(ofList(readings, 'patch'))).toEqual(flags(kbs));
  });

  test('an address is where the vendor says, by https', () => {
    const places = [...addresses.values()].map((url) =>
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
    expect(shown.filter((url) => !url.startsWith('https://') || !places.includes(url))).toEqual([]);
  });

  test('every architecture and restart is known, but for the tool that runs on all', () => {
    expect(
      kbs.filter(({ row }) => row.architecture?.length === 0).map(({ row }) => row.kbId),
    ).toEqual(['KB2267602']);
    expect(new Set(kbs.map(({ row }) => row.restartBehaviour))).toEqual(
      new Set(['Required', 'Can request restart', 'Not required']),
    );
  });

  test('supersedes is the inverse of supersededBy', () => {
    const pairs = (name: 'supersedes' | 'supersededBy') =>
      kbs.flatMap(({ row, detail }) =>
        detail[name].map((other) =>
          name === 'supersedes' ? `${row.kbId} ${other}` : `${other} ${row.kbId}`,
        ),
      );
    expect(new Set(pairs('supersedes'))).toEqual(new Set(pairs('supersededBy')));
  });
});
