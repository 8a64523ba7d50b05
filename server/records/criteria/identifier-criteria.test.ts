/** The criteria `mentions` and `namedBy` find exactly what the pages of identifiers and records count. */
import { beforeAll, expect, test } from 'vitest';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { buildRecordIndex } from '../../platform/database/records/build-record-index.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';

const naming = (...cve: string[]) => ({ detail: { cve } });

describeWithDatabase('criteria on identifiers', (open) => {
  const service = withSignInApp(open);
  beforeAll(async () => {
    await service.repopulate();
    const { database } = service;
    await buildRecordIndex({ database });
    await writeRecords(database, 'almalinux_patch', [
      erratum('ALSA-2024:1', 'Low', [['a', '1-2.el8']], naming('CVE-2024-2201')),
      erratum('ALSA-2024:2', 'Low', [['b', '1-2.el8']], naming('CVE-2024-22010', 'CVE-2024-22011')),
    ]);
  });
  const find = async (path: string, filter: string, field: string) => {
    const { objList, totalCount } = await service.stan.post(path, { filter }).json;
    const values = (objList as Record<string, unknown>[])
      .map((row) => String(row[field]))
      .toSorted();
    expect(values).toHaveLength(Number(totalCount));
    return values;
  };

  test('find the records that mention a CVE, and not those that mention a longer number', async () => {
    const records = (filter: string) => find('/linux/almalinux/search', filter, 'bulletinId');
    expect(await records("mentions = 'CVE-2024-2201'")).toEqual(['ALSA-2024:1']);
    expect(await records("mentions in ('cve-2024-22010', 'ALSA-2024:1')")).toEqual([
      'ALSA-2024:1',
      'ALSA-2024:2',
    ]);
    expect(await records("mentions != 'CVE-2024-2201'")).toEqual(['ALSA-2024:2']);
    const { lists } = await service.stan.get('/identifier/CVE-2024-2201').json;
    expect(lists).toMatchObject([{ list: 'almalinux_patch', totalCount: 1 }]);
  });

  test('find the CVEs that a record names', async () => {
    const [row] = await service.rows('select id from almalinux_patch where bulletin_id = $1', [
      'ALSA-2024:2',
    ]);
    const named = ['CVE-2024-22010', 'CVE-2024-22011'];
    const cves = (filter: string) => find('/vulnerabilities/search', filter, 'cve');
    expect(await cves("namedBy = 'ALSA-2024:2'")).toEqual(named);
    expect(await cves(`namedBy = 'almalinux_patch/${String(row?.['id'])}'`)).toEqual(named);
    expect(await cves("namedBy = 'ALSA-2024:3'")).toEqual([]);
  });

  test('say what they compare', async () => {
    const { status, json } = await service.stan.post('/linux/almalinux/search', {
      filter: "mentions like 'cve%'",
    });
    expect(status).toBe(422);
    expect(json['userMessage']).toBe(
      'mentions compares complete identifiers only. Its operators: =, !=, in, not in',
    );
    const unknown = await service.stan.post('/machines/search', { filter: "mentions = 'a'" });
    expect(unknown.status).toBe(422);
  });
});
