/** Withdrawals and returns move the times of an advisory in OSV and CSAF. */
import { expect, test } from 'vitest';
import { describeApp } from '../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../machines/testing/machine-catalogue.ts';
import { unzipped } from '../operations/downloads/testing/zip-files.ts';
import { buildRecordIndex } from '../platform/database/records/build-record-index.ts';
import { withdrawRecords, writeRecords } from '../testing/record-factories.ts';

const day = (number: number) => Date.UTC(2026, 0, number);
const date = (number: number) => new Date(day(number)).toISOString();

describeApp('the time of an advisory', (service) => {
  const { operator } = service;
  const read = async (path: string) => (await operator.get(path)).json as Record<string, unknown>;
  const readText = async (path: string) => String((await operator.get(path)).bytes);

  test('is that of its return, also unchanged', async () => {
    const { database } = service;
    const record = erratum('ALSA-2024:1', 'Low', [['bash', '4.4.20-4.el8']]);
    const write = (time: number) => writeRecords(database, 'almalinux_patch', [record], time);
    const ids = await write(day(1));
    await withdrawRecords(database, 'almalinux_patch', [ids.get('ALSA-2024:1')], day(2));
    const archived = async () => {
      const { bytes } = await operator.get('/osv/AlmaLinux/all.zip');
      return JSON.parse(String((await unzipped(bytes))['ALSA-2024:1.json'])) as object;
    };
    expect(await archived()).toMatchObject({ modified: date(2), withdrawn: date(2) });
    await write(day(3));

    const osv = await read('/osv/v1/vulns/ALSA-2024:1');
    expect(osv).toMatchObject({ modified: date(3) });
    expect(osv).not.toHaveProperty('withdrawn');
    expect(await archived()).toEqual(osv);
    expect(await readText('/osv/AlmaLinux/modified_id.csv')).toBe(`${date(3)},ALSA-2024:1\n`);

    expect(await read('/csaf/2026/alsa-2024_1.json')).toMatchObject({
      document: {
        tracking: {
          initial_release_date: date(1),
          current_release_date: date(3),
          version: '1.20260103.0',
          revision_history: [{ number: '1.0.0' }, { number: '1.20260103.0', date: date(3) }],
        },
      },
    });
    expect(await readText('/csaf/changes.csv')).toBe(`2026/alsa-2024_1.json,${date(3)}\n`);
    expect(await read('/csaf/feed.json')).toMatchObject({
      feed: { updated: date(3), entry: [{ updated: date(3) }] },
    });
    expect(await read('/csaf/provider-metadata.json')).toMatchObject({ last_updated: date(3) });
  });

  test('is that of the withdrawal of one of its records', async () => {
    const { database } = service;
    const advisory = (release: string, version: string) => ({
      key: `DSA-3990-1 ${release}`,
      row: {
        bulletinId: 'DSA-3990-1',
        title: 'asterisk security update',
        pkgName: 'asterisk',
        osVersion: release,
        pkgAndVersion: `asterisk ${version}`,
      },
    });
    const jessie = advisory('Debian 8', '1:11.13.1~dfsg-2+deb8u4');
    const stretch = advisory('Debian 9', '1:13.14.1~dfsg-2+deb9u2');
    const ids = await writeRecords(database, 'debian_patch', [jessie, stretch], day(4));
    await operator.get('/osv/Debian/all.zip');
    await withdrawRecords(database, 'debian_patch', [ids.get(jessie.key)], day(5));
    await buildRecordIndex({ database, signal: new AbortController().signal });

    const record = await read('/osv/v1/vulns/DSA-3990-1');
    expect(record).toMatchObject({
      modified: date(5),
      affected: [{ package: { ecosystem: 'Debian:9' } }],
    });
    expect(record).not.toHaveProperty('withdrawn');
    const { bytes } = await operator.get('/osv/Debian/all.zip');
    expect(JSON.parse(String((await unzipped(bytes))['DSA-3990-1.json']))).toEqual(record);
    expect(await readText('/osv/Debian/modified_id.csv')).toBe(`${date(5)},DSA-3990-1\n`);
    const query = { version: '1:13.1-1', package: { name: 'asterisk', ecosystem: 'Debian:9' } };
    const { json } = await operator.post('/osv/v1/querybatch', { queries: [query] });
    expect(json).toEqual({ results: [{ vulns: [{ id: 'DSA-3990-1', modified: date(5) }] }] });
    expect(await read('/csaf/2026/dsa-3990-1.json')).toMatchObject({
      document: { tracking: { current_release_date: date(5) } },
    });
  });
});
