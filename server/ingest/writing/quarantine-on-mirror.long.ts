/** Truncates documents of vendors like a broken publication, which must not change records. Routine edits of them are written. */
import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { debianFeed } from '@patch/catalogue/vendors/debian/debian-feed.ts';
import { opensuseFeed } from '@patch/catalogue/vendors/opensuse/opensuse-feed.ts';
import { ubuntuFeed } from '@patch/catalogue/vendors/ubuntu/ubuntu-feed.ts';
import { windowsKbFeed } from '@patch/catalogue/vendors/windows/windows-kb-feed.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror } from '../../testing/feed-mirror.ts';
import { readPendingEntries, saveDecision } from '../parts/quarantine-store.ts';
import { SyncBench } from '../testing/sync-bench.ts';
import { forgetRows, type Rows, readSyncedRows } from '../testing/synced-rows.ts';

interface RealPart {
  readonly source: SourceKey;
  readonly feed: Feed;
  readonly part: string;
  /** Files and folders of the source in the mirror. */
  readonly documents: readonly string[];
  /** Updates related documents after one of them changed. */
  publish(bench: SyncBench, changed: string): Promise<void>;
  /** Reads the document that is truncated and edited. */
  read(mirror: string): Promise<string>;
  cut(document: string): string;
  /** Ordinary edits, by description. */
  readonly routine: Readonly<Record<string, (document: string) => string>>;
}

const months = ['2025-Nov', '2025-Dec', '2026-Jan', '2026-Feb'];
const cvrf = 'api.msrc.microsoft.com/cvrf/v3.0';
const vulnerabilities = /<vuln:Vulnerability\s[^]*?<\/vuln:Vulnerability>/g;

/** Keeps every fourth element. */
function quarter(document: string, elements: RegExp): string {
  let index = 0;
  return document.replaceAll(elements, (element) => (index++ % 4 === 3 ? element : ''));
}

let indexes = 0;
const securityUpdateGuide: RealPart = {
  source: 'wsus',
  feed: windowsKbFeed,
  part: 'msrc',
  documents: months.map((month) => `${cvrf}/cvrf/${month}`),
  async publish(bench, document) {
    const date = new Date(Date.UTC(2031, 0, 1 + indexes++)).toISOString();
    const value = months.map((ID) => ({ ID, InitialReleaseDate: date, CurrentReleaseDate: date }));
    await bench.publish(`${cvrf}/updates`, { value });
    await bench.publish(`${cvrf}/cvrf/2026-Feb`, document);
  },
  read: (mirror) => readFile(join(mirror, `${cvrf}/cvrf/2026-Feb`), 'utf8'),
  cut: (document) => quarter(document, vulnerabilities),
  routine: {
    'a vulnerability that many rows name is taken back': (document) => {
      const kbs = (text: string) => text.match(/>(?:KB)?\d{7}</g)?.length ?? 0;
      const found = [...document.matchAll(vulnerabilities)].map(([text]) => text);
      return document.replace(found.toSorted((a, b) => kbs(b) - kbs(a))[0] ?? '', '');
    },
  },
};

const oss = 'download.opensuse.org/update/leap/15.4/oss';
const leap: RealPart = {
  source: 'opensuse',
  feed: opensuseFeed,
  part: '15.4',
  documents: [oss, oss.replace('/oss', '/non-oss')],
  async publish(bench, document) {
    const packed = gzipSync(document);
    const sum = createHash('sha256').update(packed).digest('hex');
    await bench.publish(`${oss}/repodata/${sum}-updateinfo.xml.gz`, packed);
    await bench.publish(
      `${oss}/repodata/repomd.xml`,
      `<repomd><data type="updateinfo"><checksum type="sha256">${sum}</checksum><location href="repodata/${sum}-updateinfo.xml.gz"/></data></repomd>`,
    );
  },
  async read(mirror) {
    const repomd = await readFile(join(mirror, oss, 'repodata/repomd.xml'), 'utf8');
    return gunzipSync(
      await readFile(
        join(mirror, oss, /href="(repodata\/[^"]*updateinfo[^"]*)"/.exec(repomd)?.[1] ?? ''),
      ),
    ).toString();
  },
  cut: (document) => quarter(document, /<package [^]*?<\/package>/g),
  routine: {
    // Without any package, it would be rejected.
    'an advisory is issued again with one of its packages': (document) => {
      const largest =
        [...document.matchAll(/<update [^]*?<\/update>/g)]
          .map(([update]) => update)
          .toSorted((a, b) => b.length - a.length)[0] ?? '';
      const [first = ''] = /<package [^]*?<\/package>/.exec(largest) ?? [];
      const others = largest.replace(first, '\0').replaceAll(/<package [^]*?<\/package>/g, '');
      return document.replace(largest, others.replace('\0', first));
    },
    'all packages have newer versions': (document) =>
      document.replaceAll(/ version="([^"]+)"/g, ' version="$1.1"'),
  },
};

const dsa = 'salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/DSA/list';
const debianAdvisories: RealPart = {
  source: 'debian',
  feed: debianFeed,
  part: 'DSA',
  documents: [dsa, 'security-tracker.debian.org', 'debian.pages.debian.net'],
  publish: (bench, document) => bench.publish(dsa, document),
  read: (mirror) => readFile(join(mirror, dsa), 'utf8'),
  cut: (document) => document.replaceAll(/\{(CVE-[\d-]+)[^}]*\}/g, '{$1}'),
  routine: {
    'all packages have newer versions': (document) =>
      document.replaceAll(/(\+deb\d+u\d+)$/gm, '$1.1'),
    'an advisory of many CVEs is corrected': (document) => {
      const most =
        [...document.matchAll(/\{[^}]*\}/g)]
          .map(([cves]) => cves)
          .toSorted((a, b) => b.length - a.length)[0] ?? '';
      return document.replace(most, '{CVE-2031-1}');
    },
  },
};

const notices = 'ubuntu.com/security/notices.json@limit=20&offset=';
const ubuntuNotices: RealPart = {
  source: 'ubuntu',
  feed: ubuntuFeed,
  part: 'notices',
  documents: [0, 20, 40, 60, 80, 100, 120, 140].map((offset) => `${notices}${offset}&order=newest`),
  publish: (bench, document) => bench.publish(`${notices}20&order=newest`, document),
  read: (mirror) => readFile(join(mirror, `${notices}20&order=newest`), 'utf8'),
  cut: (document) => withNotices(document, (notice) => withCves(notice, 1)),
  routine: {
    'a notice is corrected': (document) => {
      let corrected = 0;
      return withNotices(document, (notice) =>
        notice.cves_ids.length > 2 && corrected++ === 0 ? withCves(notice, 0) : notice,
      );
    },
  },
};

interface Notice {
  readonly cves: readonly unknown[];
  readonly cves_ids: readonly string[];
}
const withCves = (notice: Notice, most: number): Notice => ({
  ...notice,
  cves: notice.cves.slice(0, most),
  cves_ids: notice.cves_ids.slice(0, most),
});
function withNotices(document: string, edit: (notice: Notice) => Notice): string {
  const page = JSON.parse(document) as { readonly notices: readonly Notice[] };
  return JSON.stringify({ ...page, notices: page.notices.map(edit) });
}

describeWithMirror('quarantine with documents of vendors', (mirror) => {
  let database: Database;
  beforeAll(async () => {
    database = await openMigrated();
  });
  afterAll(() => database.close());

  test('withdraws and degrades no KB when a month keeps only its first vulnerabilities', async () => {
    const { feed: all, part, source } = securityUpdateGuide;
    const feed = { ...all, parts: all.parts.filter(({ key }) => key === part) };
    await forgetRows(database);
    const bench = await SyncBench.open(database);
    for (const path of securityUpdateGuide.documents)
      await cp(join(mirror, path), join(bench.folder, 'mirror', path));
    const document = await securityUpdateGuide.read(mirror);
    await securityUpdateGuide.publish(bench, document);
    await bench.sync(feed, { source });
    const before = await readSyncedRows(database, feed);
    let index = 0;
    await securityUpdateGuide.publish(
      bench,
      document.replaceAll(vulnerabilities, (element) => (index++ < 41 ? element : '')),
    );
    expect(await bench.sync(feed, { source })).toMatchObject({
      state: 'succeeded_with_warnings',
      withdrawn: 0,
    });
    const after = await readSyncedRows(database, feed);
    expect([...before].filter(([key, hash]) => after.get(key) !== hash)).toEqual([]);
    expect((await readPendingEntries(database)).get(source)).toContainEqual(
      expect.objectContaining({ part, list: 'patch_repository', reason: 'records_missing' }),
    );
    expect(bench.errors).toEqual([]);
    await bench.close();
  });

  describe.each([
    ['a month of the security update guide', securityUpdateGuide],
    ['the updateinfo of openSUSE Leap', leap],
    ["Debian's security advisories", debianAdvisories],
    ["a page of Ubuntu's notices", ubuntuNotices],
  ])('%s', (_, real) => {
    const { source, part, documents } = real;
    const feed = { ...real.feed, parts: real.feed.parts.filter(({ key }) => key === part) };
    let bench: SyncBench;
    let document: string;
    let before: Rows;
    async function sync() {
      const run = await bench.sync(feed, { source });
      const [error] = bench.errors;
      if (error !== undefined)
        throw new Error('This program failed, not the vendor', { cause: error });
      return run;
    }
    const lostContent = async () =>
      ((await readPendingEntries(database)).get(source) ?? []).filter(
        ({ reason }) => reason === 'content_lost',
      );
    const published = async (of: SyncBench, changed: string) => {
      for (const path of documents)
        await cp(join(mirror, path), join(of.folder, 'mirror', path), { recursive: true });
      await real.publish(of, changed);
    };

    beforeEach(async () => {
      await forgetRows(database);
      bench = await SyncBench.open(database);
      document = await real.read(mirror);
      await published(bench, document);
      await sync();
      before = await readSyncedRows(database, feed);
      if (before.size < 50) throw new Error('The mirror has too few records for this');
    });
    afterEach(() => bench.close());

    test('keeps every record of a truncated publication until it is accepted', async () => {
      const cut = real.cut(document);
      await published(bench, cut);
      expect(await sync()).toMatchObject({
        state: 'succeeded_with_warnings',
        added: 0,
        changed: 0,
        withdrawn: 0,
      });
      expect(await readSyncedRows(database, feed)).toEqual(before);
      const [question] = await lostContent();
      expect(await lostContent()).toHaveLength(1);

      const reason = 'content_lost';
      await saveDecision(
        database,
        { source, part, list: question?.list ?? '', reason },
        'accepted',
        'Ada',
      );
      await sync();
      const accepted = await readSyncedRows(database, feed);
      const changed = [...accepted].filter(([key, hash]) => before.get(key) !== hash);
      expect(question?.records).toBe(changed.length);
      expect(changed.length).toBeGreaterThan(10);
      expect(await lostContent()).toEqual([]);

      await forgetRows(database);
      const fresh = await SyncBench.open(database);
      await published(fresh, cut);
      await fresh.sync(feed, { source });
      await fresh.close();
      const written = await readSyncedRows(database, feed);
      // Records that are missing in the publication may stay listed.
      expect([...written].filter(([key, hash]) => accepted.get(key) !== hash)).toEqual([]);
    });

    test.each(Object.entries(real.routine))('writes without approval: %s', async (__, edit) => {
      const edited = edit(document);
      expect(edited).not.toBe(document);
      await published(bench, edited);
      const run = await sync();
      expect(run.changed).toBeGreaterThan(0);
      expect(await lostContent()).toEqual([]);
    });
  });
});
