import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getList } from '@patch/catalogue/lists.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { unzipped } from '../../operations/downloads/testing/zip-files.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { MadeFiles } from '../../platform/files/made-files.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { osvArchive } from './osv-archive.ts';

const list = getList('almalinux_patch');
const { key } = list;

describeWithDatabase('archives of OSV records', (open) => {
  let database: Database;
  let folder = '';
  let logged: Record<string, unknown>[] = [];
  beforeEach(async () => {
    database = await open();
    folder = mkdtempSync(join(tmpdir(), 'patch-osv-'));
    logged = [];
    ids = await write('1', '2', '3');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  let ids: ReadonlyMap<string, number>;
  const write = (...names: readonly string[]) =>
    writeRecords(
      database,
      key,
      names.map((name) => ({
        ...erratum(`ALSA-2024:${name}`, 'Low', [[`package-${name}`, '1-1.el8']]),
        detail: {
          ...erratum('', 'Low', [[`package-${name}`, '1-1.el8']]).detail,
          cve: [`CVE-2024-100${name}`],
        },
      })),
    );
  const read = async () => {
    const log = { info: (facts: unknown) => logged.push(facts as Record<string, unknown>) };
    const files = new MadeFiles({ folder, log: log as never });
    const { path } = await osvArchive(database, files, list);
    const archived = await unzipped(readFileSync(path));
    return Object.fromEntries(
      Object.entries(archived).map(([name, bytes]) => [
        name.replace(/^ALSA-2024:|\.json$/g, ''),
        JSON.parse(String(bytes)) as Record<string, unknown>,
      ]),
    );
  };
  const made = () => logged.splice(0).map(({ records, copied }) => ({ records, copied }));

  test('reads only changed advisories again', async () => {
    const first = await read();
    expect(Object.keys(first)).toEqual(['1', '2', '3']);
    expect(made()).toEqual([{ records: 3, copied: false }]);
    await read();
    expect(made()).toEqual([]);
    await write('4');
    await withdrawRecords(database, key, [ids.get('ALSA-2024:2')], 9_000);
    const second = await read();
    expect(made()).toEqual([{ records: 2, copied: true }]);
    expect(Object.keys(second).toSorted()).toEqual(['1', '2', '3', '4']);
    expect(second['2']?.['withdrawn']).toBe('1970-01-01T00:00:09.000Z');
    expect([second['1'], second['3']]).toEqual([first['1'], first['3']]);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test('reads advisories again whose risk has changed', async () => {
    await refreshStaleCves(database);
    await read();
    await writeCveFacts(database, buildKevFacts('CVE-2024-1002'));
    await refreshStaleCves(database);
    made();
    const { 2: two } = await read();
    expect(made()).toEqual([{ records: 1, copied: true }]);
    expect(two?.['database_specific']).toMatchObject({ known_exploited: true });
  });

  test('copies all advisories when only other lists have changed', async () => {
    const first = await read();
    made();
    await writeCveFacts(database, buildKevFacts('CVE-2024-2000'));
    await refreshStaleCves(database);
    expect(await read()).toEqual(first);
    expect(made().every(({ records }) => records === 0)).toBe(true);
  });

  test('reads all advisories again with the scores of another day', async () => {
    await read();
    made();
    await database.query(
      "insert into feed_part (source, part, feed_version, read_time) values ('epss', 'scores', 1, 1)",
    );
    await database.query(
      "insert into feed_document (source, part, url, sha256) values ('epss', 'scores', 'https://example.org/epss', 'a')",
    );
    await read();
    expect(made()).toEqual([{ records: 3, copied: false }]);
  });
});
