/** The files of a CSAF provider, over records of two vendors. */
import { createHash } from 'node:crypto';
import { createMessage, readKey, readSignature, verify } from 'openpgp';
import { beforeAll, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum, serverUpdate } from '../../machines/testing/machine-catalogue.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';

const day = 86_400_000;
const firstRead = Date.UTC(2025, 11, 30, 8);

const kb = (key: string, product: string, cve: string) => {
  const update = serverUpdate('KB5034129', '10.0.20348.2227');
  return {
    key,
    row: { ...update.row, productName: product, cve: [cve] },
    detail: update.detail,
  };
};

describeApp('the files of a CSAF provider', (service) => {
  const { operator } = service;
  const read = (path: string, headers = {}) => operator.get(`/csaf/${path}`, headers);
  const readText = async (path: string) => String((await read(path)).bytes);

  beforeAll(async () => {
    const { database } = service;
    await writeRecords(
      database,
      'patch_repository',
      [
        kb('1', 'Windows Server 2022', 'CVE-2024-20674'),
        kb('2', 'Windows Server 2022 (Core)', 'CVE-2024-20680'),
      ],
      firstRead,
    );
    await writeRecords(
      database,
      'kb_repository',
      ['KB5034129', 'KB890830'].map((kbId) => ({
        key: kbId,
        row: { kbId, title: `Update (${kbId})`, productName: ['Windows Server 2022'] },
      })),
      firstRead + day,
    );
    const errata = [
      erratum('ALSA-2024:1', 'Critical', [['bash', '1:4.4.20-4.el8']], {
        detail: { cve: ['CVE-2024-0001'], referenceLink: 'https://errata.example.org/1' },
      }),
      erratum('ALSA-2024:2', 'Low', [['gone', '1-1.el8']]),
    ];
    const ids = await writeRecords(database, 'almalinux_patch', errata, firstRead + 3 * day);
    await withdrawRecords(
      database,
      'almalinux_patch',
      [ids.get('ALSA-2024:2')],
      firstRead + 9 * day,
    );
  });

  test('lists documents with the newest change first, each advisory once', async () => {
    expect(await readText('changes.csv')).toBe(
      [
        '2026/alsa-2024_2.json,2026-01-08T08:00:00.000Z',
        '2026/alsa-2024_1.json,2026-01-02T08:00:00.000Z',
        '2025/kb890830.json,2025-12-31T08:00:00.000Z',
        '2025/kb5034129.json,2025-12-30T08:00:00.000Z',
        '',
      ].join('\n'),
    );
    expect((await readText('index.txt')).split('\n')).toEqual([
      '2026/alsa-2024_2.json',
      '2026/alsa-2024_1.json',
      '2025/kb890830.json',
      '2025/kb5034129.json',
      '',
    ]);
  });

  test('describes the provider and its feed with addresses that can be read', async () => {
    const { json: metadata } = await read('provider-metadata.json');
    expect(metadata).toMatchObject({ role: 'csaf_trusted_provider', metadata_version: '2.1' });
    expect(metadata['last_updated']).toBe('2026-01-08T08:00:00.000Z');
    const { feed } = (await read('feed.json')).json as {
      readonly feed: {
        readonly updated: string;
        readonly entry: readonly {
          readonly id: string;
          readonly link: readonly { readonly rel: string; readonly href: string }[];
        }[];
      };
    };
    expect(feed.updated).toBe('2026-01-08T08:00:00.000Z');
    expect(feed.entry.map(({ id }) => id)).toEqual([
      'ALSA-2024:2',
      'ALSA-2024:1',
      'KB890830',
      'KB5034129',
    ]);
    const base = String(metadata['canonical_url']).replace('provider-metadata.json', '');
    for (const { link } of feed.entry)
      for (const { href } of link)
        expect(await read(href.slice(base.length)).status, href).toBe(200);
  });

  test('joins the products of a KB, each with the CVEs that it fixes there', async () => {
    const { json } = await read('2025/kb5034129.json');
    const { product_tree: tree, vulnerabilities } = json as {
      readonly product_tree: { readonly branches: readonly object[] };
      readonly vulnerabilities: readonly {
        readonly cve: string;
        readonly product_status: Readonly<Record<string, readonly string[]>>;
        readonly remediations: readonly object[];
      }[];
    };
    expect(vulnerabilities.map(({ cve }) => cve)).toEqual(['CVE-2024-20674', 'CVE-2024-20680']);
    const [first, second] = vulnerabilities;
    expect(first?.product_status['fixed']).toHaveLength(1);
    expect(first?.product_status['fixed']).not.toEqual(second?.product_status['fixed']);
    expect(first?.remediations).toEqual([
      {
        category: 'vendor_fix',
        date: '2024-04-01T00:00:00.000Z',
        details: 'Install KB5034129, or later versions.',
        product_ids: first?.product_status['known_affected'],
        restart_required: { category: 'system' },
      },
    ]);
    expect(tree.branches).toMatchObject([
      {
        category: 'vendor',
        name: 'Microsoft',
        branches: [
          {
            name: 'Windows Server 2022',
            branches: [{ name: '<10.0.20348.2227' }, { name: '10.0.20348.2227' }],
          },
          { name: 'Windows Server 2022 (Core)' },
        ],
      },
    ]);
  });

  test('serves hashes of the bytes of a document', async () => {
    const { bytes } = await read('2026/alsa-2024_1.json');
    for (const algorithm of ['sha256', 'sha512'])
      expect(await readText(`2026/alsa-2024_1.json.${algorithm}`)).toBe(
        `${createHash(algorithm).update(bytes).digest('hex')}  alsa-2024_1.json\n`,
      );
  });

  test('signs the bytes of a document with the key that the metadata name', async () => {
    const { json: metadata } = await read('provider-metadata.json');
    const [named] = metadata['public_openpgp_keys'] as readonly {
      fingerprint: string;
      url: string;
    }[];
    expect(named?.url).toBe(
      String(metadata['canonical_url']).replace('provider-metadata.json', 'openpgp-key.asc'),
    );
    const key = await readKey({ armoredKey: await readText('openpgp-key.asc') });
    expect(key.getFingerprint()).toBe(named?.fingerprint);
    expect(key.isPrivate()).toBe(false);
    const isSigned = async (binary: Uint8Array, armored: string) => {
      const { signatures } = await verify({
        message: await createMessage({ binary }),
        signature: await readSignature({ armoredSignature: armored }),
        verificationKeys: key,
      });
      return signatures[0]?.verified.catch(() => false);
    };
    for (const path of ['2026/alsa-2024_1.json', '2026/alsa-2024_2.json', '2025/kb5034129.json']) {
      const document = await read(path);
      const signature = await read(`${path}.asc`);
      expect(await isSigned(document.bytes, String(signature.bytes))).toBe(true);
      const changed = Buffer.concat([document.bytes, Buffer.from(' ')]);
      expect(await isSigned(changed, String(signature.bytes))).toBe(false);
      const tag = /"(.+)"/.exec(String(document.headers['etag']))?.[1];
      expect(signature.headers['etag']).toContain(`"${tag}.${named?.fingerprint}"`);
    }
  });

  test('says in the last revision that an advisory was withdrawn', async () => {
    const { json } = await read('2026/alsa-2024_2.json');
    expect(json['document']).toMatchObject({
      tracking: {
        id: 'ALSA-2024:2',
        initial_release_date: '2026-01-02T08:00:00.000Z',
        current_release_date: '2026-01-08T08:00:00.000Z',
        version: '1.20260108.80000000',
        revision_history: [
          { number: '1.0.0' },
          {
            number: '1.20260108.80000000',
            summary: 'Withdrawn: AlmaLinux lists ALSA-2024:2 no more.',
          },
        ],
      },
    });
  });

  test('answers 304 until a list changes, and a document until its own records change', async () => {
    const readTag = async (path: string) => String((await read(path)).headers['etag']);
    const signature = '2026/alsa-2024_1.json.asc';
    const paths = [
      'changes.csv',
      'feed.json',
      'provider-metadata.json',
      '2026/alsa-2024_1.json',
      signature,
      '2025/kb5034129.json',
      'openpgp-key.asc',
    ];
    const tags = await Promise.all(paths.map(readTag));
    const statuses = () =>
      Promise.all(
        paths.map((path, index) => read(path, { 'if-none-match': tags[index] ?? '' }).status),
      );
    expect(await statuses()).toEqual([304, 304, 304, 304, 304, 304, 304]);
    expect(await readText(signature)).toBe(await readText(signature));
    const before = await readText(signature);
    await writeRecords(
      service.database,
      'almalinux_patch',
      [erratum('ALSA-2024:1', 'Critical', [['bash', '1:4.4.20-6.el8']])],
      firstRead + 20 * day,
    );
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 304, 304]);
    expect(await readText(signature)).not.toBe(before);
    expect((await read('2026/alsa-2024_1.json')).json['document']).toMatchObject({
      tracking: {
        version: '1.20260119.80000000',
        initial_release_date: '2026-01-02T08:00:00.000Z',
      },
    });
    expect((await readText('changes.csv')).split('\n')[0]).toBe(
      '2026/alsa-2024_1.json,2026-01-19T08:00:00.000Z',
    );
  });

  test('finds an advisory whose name has several marks', async () => {
    const { database } = service;
    const row = { title: 'Snapcast', pkgName: 'snapcast', osVersion: 'Pardus 21' };
    const pkgAndVersion = 'snapcast 1:0.23.0+dfsg1-1';
    await writeRecords(database, 'pardus_patch', [{ key: '1', row: { ...row, pkgAndVersion } }]);
    expect((await read('1970/snapcast_1_0_23_0+dfsg1-1.json')).json).toMatchObject({
      document: { tracking: { id: pkgAndVersion } },
    });
  });

  test('finds a document by the identifier of its advisory, in any letters', async () => {
    const { json } = await read('2025/kb5034129.json');
    expect(await read('advisory/kb5034129').json).toEqual(json);
    expect(await read('advisory/ALSA-2024:1').json).toMatchObject({
      document: { tracking: { id: 'ALSA-2024:1' } },
    });
    expect(await read('advisory/ALSA-2024:999')).toMatchObject({
      status: 404,
      json: { userMessage: 'There is no advisory ALSA-2024:999.' },
    });
  });

  test.each([
    ['2025/alsa-2024_1.json', 404],
    ['2026/alsa-2024_9.json', 404],
    ['2026/alsa-2024_9.json.sha256', 404],
    ['2026/ALSA-2024_1.json', 404],
    ['2026/alsa-2024_9.json.asc', 404],
    ['2026/alsa-2024_1.json.sig', 404],
    ['20/alsa-2024_1.json', 404],
    ['feed.xml', 404],
  ])('refuses %s with %i', async (path, status) => {
    expect(await read(path).status).toBe(status);
  });

  test('opens for an API key with the scope formats alone', async () => {
    const status = async (scope: 'formats' | 'read') => {
      const authorization = `Bearer ${await service.createKey(operator, scope)}`;
      return service.anyone.get('/csaf/index.txt', { authorization }).status;
    };
    expect(await status('formats')).toBe(200);
    expect(await status('read')).toBe(403);
    expect(await service.anyone.get('/csaf/index.txt').status).toBe(401);
  });
});
