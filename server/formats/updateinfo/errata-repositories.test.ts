/** The repositories of errata, over records of three distributions. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { buildRecordIndex } from '../../platform/database/records/build-record-index.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';

describeApp('the repositories of errata', (service) => {
  const { operator } = service;
  const read = (path: string, headers = {}) => operator.get(`/updateinfo/${path}`, headers);
  const readRepomd = async (release: string) =>
    String((await read(`${release}/repodata/repomd.xml`)).bytes);

  const nameFile = (repomd: string, type: string) =>
    new RegExp(`repodata/([0-9a-f]{64}-${type}\\.xml\\.gz)`).exec(repomd)?.[1] ?? '';

  const readUpdateinfo = async (release: string) => {
    const file = nameFile(await readRepomd(release), 'updateinfo');
    const { bytes } = await read(`${release}/repodata/${file}`);
    return String(gunzipSync(bytes));
  };

  const listIds = (xml: string) => [...xml.matchAll(/<id>([^<]+)<\/id>/g)].map(([, id]) => id);

  beforeAll(async () => {
    const { database } = service;
    const ids = await writeRecords(
      database,
      'almalinux_patch',
      [
        erratum('ALSA-2024:1', 'Critical', [['bash', '4.4.20-4.el8']]),
        erratum('ALSA-2024:2', 'Low', [['gone', '1-1.el8']]),
        erratum('ALSA-2024:3', 'Low', [['zsh', '5.8-9.el9']], { releases: ['AlmaLinux 9'] }),
        erratum('ALSA-2024:4', 'Low', [['ksh', '1-1.el8']], { detail: { status: 'retracted' } }),
      ],
      1_700_000_000_000,
    );
    await withdrawRecords(database, 'almalinux_patch', [ids.get('ALSA-2024:2')], 1_700_000_000_000);
    const centos = { releases: ['CentOS 7'] };
    await writeRecords(database, 'centos_patch', [
      erratum('CESA-2024:5', 'Important', [['openssl', '1.0.2k-26.el7_9']], centos),
      erratum('CESA-2024:6', 'Important', [['unknown', '1.0-1.el7_9']], centos),
    ]);
    const oracle = { releases: ['Oracle Linux 7'] };
    await writeRecords(database, 'oracle_linux_patch', [
      erratum('ELSA-2020-1', 'Important', [['openssl', '1:1.0.2k-19.el7']], oracle),
      erratum('ELSA-2020-2', 'Important', [['openssl', '2:1.0.2k-19.ksplice1.el7']], oracle),
    ]);
    const ended = erratum('ELSA-2020-3', 'Low', [['sed', '1-1.el6']], {
      releases: ['Oracle Linux 6'],
    });
    const endedIds = await writeRecords(database, 'oracle_linux_patch', [ended]);
    await buildIndex();
    await withdrawRecords(database, 'oracle_linux_patch', [endedIds.get('ELSA-2020-3')], 2);
  });

  const buildIndex = () =>
    buildRecordIndex({ database: service.database, signal: new AbortController().signal });

  test('names files by the hash and the size of their bytes', async () => {
    const repomd = await readRepomd('almalinux/8');
    for (const type of ['primary', 'filelists', 'other', 'updateinfo']) {
      const file = nameFile(repomd, type);
      const { bytes, headers } = await read(`almalinux/8/repodata/${file}`);
      expect(headers['content-type']).toBe('application/gzip');
      const sum = (content: Buffer) => createHash('sha256').update(content).digest('hex');
      const open = gunzipSync(bytes);
      expect(file).toBe(`${sum(bytes)}-${type}.xml.gz`);
      expect(repomd).toContain(
        `<data type="${type}"><checksum type="sha256">${sum(bytes)}</checksum>` +
          `<open-checksum type="sha256">${sum(open)}</open-checksum><location href="repodata/${file}"/>` +
          `<timestamp>1700000000</timestamp><size>${bytes.length}</size><open-size>${open.length}</open-size>`,
      );
    }
  });

  test('contains the listed errata of the release alone', async () => {
    expect(listIds(await readUpdateinfo('almalinux/8'))).toEqual(['ALSA-2024:1']);
    expect(listIds(await readUpdateinfo('almalinux/9'))).toEqual(['ALSA-2024:3']);
  });

  test('accepts a release as $releasever has it', async () => {
    expect(await readRepomd('almalinux/8.10')).toBe(await readRepomd('almalinux/8'));
  });

  test('takes the epochs of CentOS from the distributions that build the same packages', async () => {
    const xml = await readUpdateinfo('centos/7');
    expect(xml).toContain('<package name="openssl" epoch="1" version="1.0.2k" release="26.el7_9"');
    expect(xml).toContain('<package name="unknown" epoch="0"');
    expect(xml.match(/Epoch 0 is assumed of [\w, ]+/g)).toEqual(['Epoch 0 is assumed of unknown']);
  });

  test('answers 304 until the content of the release changes, and keeps the previous file', async () => {
    const path = 'almalinux/9/repodata/repomd.xml';
    const first = await read(path);
    const etag = String(first.headers['etag']);
    const status = async () => (await read(path, { 'if-none-match': etag })).status;
    expect(await status()).toBe(304);
    // A change of another release makes the same bytes again.
    const other = erratum('ALSA-2024:7', 'Low', [['ed', '1-1.el8']]);
    await writeRecords(service.database, 'almalinux_patch', [other]);
    expect(await status()).toBe(304);
    const own = erratum('ALSA-2024:8', 'Low', [['ed', '1-1.el9']], { releases: ['AlmaLinux 9'] });
    await writeRecords(service.database, 'almalinux_patch', [own]);
    expect(await status()).toBe(200);
    expect(listIds(await readUpdateinfo('almalinux/9'))).toEqual(['ALSA-2024:3', 'ALSA-2024:8']);
    const previous = nameFile(String(first.bytes), 'updateinfo');
    expect((await read(`almalinux/9/repodata/${previous}`)).status).toBe(200);
    const more = erratum('ALSA-2024:9', 'Low', [['m4', '1-1.el9']], { releases: ['AlmaLinux 9'] });
    await writeRecords(service.database, 'almalinux_patch', [more]);
    await readRepomd('almalinux/9');
    expect((await read(`almalinux/9/repodata/${previous}`)).status).toBe(404);
  });

  test.each([
    ['almalinux/7/repodata/repomd.xml', /no errata of almalinux\/7\. There are: almalinux\/8, /],
    ['fedora/40/repodata/repomd.xml', /no errata of fedora\/40/],
    ['constructor/8/repodata/repomd.xml', /no errata of constructor/],
    ['almalinux/8/repodata/repomd.xml.asc', /^repomd\.xml\.asc does not exist/],
    ['almalinux/8/repodata/..%2f..%2frepomd.xml', /Read repomd\.xml/],
    ['ol/6/repodata/repomd.xml', /no errata of ol\/6 any more/],
    [`almalinux/8/repodata/${'0'.repeat(64)}-updateinfo.xml.gz`, /files that it names/],
  ])('refuses %s with 404', async (path, message) => {
    const { status, json } = await read(path);
    expect([status, json['userMessage']]).toEqual([404, expect.stringMatching(message)]);
  });

  test('asks for a password without a credential, and accepts an API key with the scope formats', async () => {
    const path = '/updateinfo/almalinux/8/repodata/repomd.xml';
    const unknown = await service.app.inject({ url: `/api${path}` });
    expect(unknown.statusCode).toBe(401);
    expect(unknown.headers['www-authenticate']).toBe('Basic realm="Patch Repository"');
    const [own, other] = [
      await service.createKey(operator, 'formats'),
      await service.createKey(operator, 'read'),
    ];
    const status = async (key: string) => {
      const authorization = `Basic ${Buffer.from(`dnf:${key}`).toString('base64')}`;
      return (await service.anyone.get(path, { authorization })).status;
    };
    expect(await status(own)).toBe(200);
    expect(await status(other)).toBe(403);
  });
});
