/** The calls and files of osv.dev, over records of two vendors. */
import { beforeAll, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { unzipped } from '../../operations/downloads/testing/zip-files.ts';
import { buildRecordIndex } from '../../platform/database/records/build-record-index.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';

const advisory = (id: string, name: string, version: string, release = 'Debian 12') => ({
  key: `${id} ${release}`,
  row: {
    bulletinId: id,
    title: `${name} security update`,
    pkgName: name,
    osVersion: release,
    pkgAndVersion: `${name} ${version}`,
    releaseDate: Date.UTC(2024, 0, 2),
  },
  detail: { cve: ['CVE-2024-0001'], description: 'See also CVE-2023-0009.' },
});

describeApp('the calls of osv.dev', (service) => {
  const { operator } = service;
  const post = (path: string, body: object) => operator.post(`/osv/v1/${path}`, body);
  const ids = async (query: object) => {
    const { vulns = [] } = (await post('query', query).json) as {
      readonly vulns?: readonly { readonly id: string }[];
    };
    return vulns.map(({ id }) => id);
  };

  beforeAll(async () => {
    await writeRecords(
      service.database,
      'almalinux_patch',
      [
        erratum('ALSA-2024:1', 'Critical', [
          ['bash', '0:4.4.20-4.el8'],
          ['bash-doc', '4.4.20-4.el8'],
        ]),
        erratum('ALSA-2024:2', 'Low', [['bash', '4.4.20-6.el8']]),
        erratum('ALSA-2024:3', 'Low', [['dovecot', '1:2.3.16-3.el8']]),
      ],
      1000,
    );
    await writeRecords(
      service.database,
      'debian_patch',
      [
        advisory('DSA-5-1', 'curl', '7.88.1-10+deb12u5'),
        advisory('DSA-5-1', 'curl', '7.74.0-1.3+deb11u11', 'Debian 11'),
      ],
      2000,
    );
    await buildIndex();
  });

  const buildIndex = () =>
    buildRecordIndex({ database: service.database, signal: new AbortController().signal });

  test('refuses a longer name or version than any package has', async () => {
    const ask = async (name: string, version: string) => {
      const query = { version, package: { name, ecosystem: 'AlmaLinux:8' } };
      return (await post('querybatch', { queries: [query] })).status;
    };
    expect(await ask('bash', '1a.'.repeat(85))).toBe(200);
    expect(await ask('bash', '1a.'.repeat(86))).toBe(400);
    expect(await ask('b'.repeat(256), '1')).toBe(400);
    const purl = `pkg:deb/debian/curl@1?distro=debian-12&upstream=curl%40${'1'.repeat(256)}`;
    const { status, json } = await post('query', { package: { purl } });
    expect(status).toBe(400);
    expect(json['message']).toContain('at most 255 characters');
  });

  test('query answers with the records above a version, as rpm and dpkg compare it', async () => {
    const alma = (version: string, name = 'bash') =>
      ids({ version, package: { name, ecosystem: 'AlmaLinux:8' } });
    expect(await alma('4.4.20-3.el8')).toEqual(['ALSA-2024:1', 'ALSA-2024:2']);
    expect(await alma('4.4.20-4.el8')).toEqual(['ALSA-2024:2']);
    expect(await alma('4.4.20-10.el8')).toEqual([]);
    // A version without an epoch is taken to have that of the fix, as in an inventory.
    expect(await alma('2.3.16-2.el8', 'dovecot')).toEqual(['ALSA-2024:3']);
    expect(await alma('2.4.0-1.el8', 'dovecot')).toEqual([]);
    expect(await alma('0:2.4.0-1.el8', 'dovecot')).toEqual(['ALSA-2024:3']);
    const debian = (version: string, ecosystem = 'Debian:12') =>
      ids({ version, package: { name: 'curl', ecosystem } });
    expect(await debian('7.88.1-10+deb12u4')).toEqual(['DSA-5-1']);
    expect(await debian('7.88.1-10+deb12u5')).toEqual([]);
    expect(await debian('7.88.1-10+deb12u5~bpo11+1', 'Debian:11')).toEqual([]);
    // Without a release every release of the distribution counts, and without a version every advisory.
    expect(await debian('7.74.0-1', 'Debian')).toEqual(['DSA-5-1']);
    expect(await ids({ package: { name: 'bash', ecosystem: 'AlmaLinux' } })).toEqual([
      'ALSA-2024:1',
      'ALSA-2024:2',
    ]);
  });

  test('query reads package URLs with a release as number or code name', async () => {
    const purl = (text: string, version?: string) => ids({ version, package: { purl: text } });
    expect(
      await purl('pkg:rpm/almalinux/bash@4.4.20-4.el8?arch=x86_64&distro=almalinux-8.10'),
    ).toEqual(['ALSA-2024:2']);
    const dovecot = 'pkg:rpm/almalinux/dovecot@2.4.0-1.el8?distro=almalinux-8';
    expect(await purl(`${dovecot}&epoch=1`)).toEqual([]);
    // A purl leaves out an epoch of 0 alone.
    expect(await purl(dovecot)).toEqual(['ALSA-2024:3']);
    expect(await purl('pkg:deb/debian/curl@7.74.0-1?distro=bullseye')).toEqual(['DSA-5-1']);
    expect(await purl('pkg:deb/debian/libcurl4@7.74.0-1?distro=debian-11&upstream=curl')).toEqual([
      'DSA-5-1',
    ]);
    expect(await purl('pkg:deb/debian/curl?distro=debian-11', '7.74.0-1')).toEqual(['DSA-5-1']);
  });

  test.each([
    ['libssl3', 'debian-12'],
    ['libssl3', 'bookworm'],
    ['libssl3t64', 'debian-bookworm'],
    ['libcurl4', 'debian-12.5'],
    ['nothing', 'debian-12'],
  ])(
    'a purl of the binary package %s on %s is refused for want of its source',
    async (name, distro) => {
      const purl = `pkg:deb/debian/${name}@3.0.9-1?arch=amd64&distro=${distro}`;
      const message = new RegExp(`source package of '${name}' is not known.*upstream=`);
      const single = await post('query', { package: { purl } });
      expect([single.status, single.json['code']]).toEqual([400, 3]);
      expect(single.json['message']).toMatch(message);
      const curl = { package: { purl: 'pkg:deb/debian/curl@7.88.1-1?distro=debian-12' } };
      const batch = await post('querybatch', { queries: [curl, { package: { purl } }] });
      expect([batch.status, batch.json['message']]).toEqual([400, expect.stringMatching(message)]);
      expect(batch.json['message']).toMatch(/^queries\[1\]: /);
    },
  );

  test.each([
    // Advisories name the source.
    ['pkg:deb/debian/libcurl4@7.88.1-1?arch=amd64&distro=debian-12&upstream=curl', ['DSA-5-1']],
    ['pkg:deb/debian/libcurl4@7.88.1-1%2Bb2?distro=bookworm&upstream=curl%407.88.1-1', ['DSA-5-1']],
    ['pkg:deb/debian/libcurl4@7.88.1-10%2Bdeb12u5?distro=debian-12&upstream=curl', []],
    ['pkg:deb/debian/curl@7.88.1-10%2Bdeb12u5?arch=amd64&distro=debian-12', []],
    // A stated source without advisories is judged as not affected.
    ['pkg:deb/debian/nothing@1-1?arch=source&distro=debian-12', []],
    ['pkg:deb/debian/libnothing1@1-1?distro=debian-12&upstream=nothing', []],
  ])('the purl %s is affected by %j', async (purl, expected) => {
    const { status, json } = await post('query', { package: { purl } });
    expect(status).toBe(200);
    expect(((json['vulns'] ?? []) as { id: string }[]).map(({ id }) => id)).toEqual(expected);
  });

  test('a batch that states a source of another name takes the other names for sources', async () => {
    const queries = [
      'libcurl4@7.88.1-1?distro=debian-12&upstream=curl',
      'adduser@3.134?distro=debian-12',
    ].map((purl) => ({ package: { purl: `pkg:deb/debian/${purl}` } }));
    expect(await post('querybatch', { queries }).json).toMatchObject({
      results: [{ vulns: [{ id: 'DSA-5-1' }] }, {}],
    });
    const others = Array.from({ length: 60 }, () => queries[1]);
    const { json } = post('querybatch', { queries: [...others, queries[0]] });
    expect(await json).toEqual({
      results: [...others.map(() => ({})), { vulns: [expect.objectContaining({ id: 'DSA-5-1' })] }],
    });
  });

  test('querybatch answers in the order of the queries with ids and times alone', async () => {
    const query = (name: string) => ({
      version: '4.4.20-4.el8',
      package: { name, ecosystem: 'AlmaLinux:8' },
    });
    const queries = [query('nothing'), query('bash'), query('bash-doc')];
    expect(await post('querybatch', { queries }).json).toEqual({
      results: [{}, { vulns: [{ id: 'ALSA-2024:2', modified: '1970-01-01T00:00:01.000Z' }] }, {}],
    });
    const tooMany = Array.from({ length: 1001 }, () => query('bash'));
    expect(await post('querybatch', { queries: tooMany }).json).toMatchObject({
      code: 3,
      message: 'Too many queries: at most 1000.',
    });
  });

  test('files are made anew after a change of their list only, and are answered by their tag', async () => {
    const file = (path: string, headers = {}) => operator.get(`/osv/${path}`, headers);
    const names = async () => {
      const { bytes, headers } = await file('AlmaLinux/all.zip');
      return { names: Object.keys(await unzipped(bytes)), etag: headers['etag'] };
    };
    const first = await names();
    expect(first.names).toEqual(['ALSA-2024:1.json', 'ALSA-2024:2.json', 'ALSA-2024:3.json']);
    expect(String((await file('ecosystems.txt')).bytes)).toBe('AlmaLinux\nDebian\n');
    expect(String((await file('modified_id.csv')).bytes).split('\n')).toEqual([
      '1970-01-01T00:00:02.000Z,Debian/DSA-5-1',
      '1970-01-01T00:00:01.000Z,AlmaLinux/ALSA-2024:1',
      '1970-01-01T00:00:01.000Z,AlmaLinux/ALSA-2024:2',
      '1970-01-01T00:00:01.000Z,AlmaLinux/ALSA-2024:3',
      '',
    ]);
    const unchanged = await file('AlmaLinux/all.zip', { 'if-none-match': String(first.etag) });
    expect(unchanged.status).toBe(304);
    await writeRecords(
      service.database,
      'almalinux_patch',
      [erratum('ALSA-2024:4', 'Low', [['ksh', '5.5.1-9.el8']])],
      3000,
    );
    const second = await names();
    expect(second.names).toContain('ALSA-2024:4.json');
    expect(second.etag).not.toBe(first.etag);
    expect(await file('Fedora/all.zip').status).toBe(404);
    expect(await file('Debian/DSA-5-1.json').json).toMatchObject({ id: 'DSA-5-1' });
  });

  test('query ends a page with a token, and the next page begins behind it', async () => {
    const many = Array.from({ length: 130 }, (_, index) =>
      erratum(`ALSA-2023:${1000 + index}`, 'Low', [['zsh', `5.5.1-${index + 1}.el8`]]),
    );
    await writeRecords(service.database, 'almalinux_patch', many);
    await buildIndex();
    const body = { version: '5.5.1-0.el8', package: { name: 'zsh', ecosystem: 'AlmaLinux:8' } };
    const first = await post('query', body).json;
    const page_token = first['next_page_token'];
    const second = await post('query', { ...body, page_token }).json;
    const all = [first, second].flatMap(({ vulns }) => vulns as readonly { id: string }[]);
    expect(all.map(({ id }) => id)).toEqual(many.map(({ key }) => key).toSorted());
    expect(second).not.toHaveProperty('next_page_token');
    const broken = await post('query', { ...body, page_token: '\u0000' });
    expect(broken).toMatchObject({ status: 400, json: { code: 3 } });
  });

  test.each([
    [
      { package: { name: 'x', ecosystem: 'npm' }, version: '1' },
      /Invalid ecosystem 'npm'.*AlmaLinux/,
    ],
    [
      { package: { name: 'x', ecosystem: 'AlmaLinux:7' }, version: '1' },
      /no records of almalinux 7/,
    ],
    [{ package: { name: 'bash' }, version: '1' }, /ecosystem are required/],
    [
      { package: { purl: 'pkg:rpm/almalinux/bash@1?distro=almalinux-8' }, version: '1' },
      /never both/,
    ],
    [{ package: { purl: 'pkg:npm/left-pad@1.0.0' } }, /no packages for/],
    [
      { package: { purl: 'pkg:rpm/almalinux/x@1', name: 'x', ecosystem: 'AlmaLinux' } },
      /never both/,
    ],
    [{ package: { purl: 'pkg:deb/debian/curl@7-1?distro=sid' } }, /no packages for/],
    [{ package: { purl: 'pkg:deb/debian/curl@7-1?distro=debian-99' } }, /no records of debian 99/],
    [{ package: { purl: 'pkg:deb/debian/curl@7-1?distro=ubuntu-12' } }, /no packages for/],
    [{ package: { purl: 'pkg:rpm/almalinux/bash@1-1?distro=rocky-8' } }, /no packages for/],
    [{ commit: 'abc' }, /no commits/],
    [{ package: 7 }, /must be an object/],
  ])('query refuses %j with a code of gRPC', async (body, message) => {
    const { status, json } = await post('query', body);
    expect([status, json['code']]).toEqual([400, 3]);
    expect(json['message']).toMatch(message);
  });

  test('vulns joins the releases of an advisory, and keeps a withdrawn one', async () => {
    const read = (id: string) => operator.get(`/osv/v1/vulns/${id}`);
    expect(await read('DSA-5-1').json).toMatchObject({
      id: 'DSA-5-1',
      modified: '1970-01-01T00:00:02.000Z',
      published: '2024-01-02T00:00:00.000Z',
      upstream: ['CVE-2024-0001'],
      related: ['CVE-2024-0001', 'CVE-2023-0009'],
      affected: [
        {
          package: { ecosystem: 'Debian:11', name: 'curl' },
          ranges: [{ events: [{ introduced: '0' }, { fixed: '7.74.0-1.3+deb11u11' }] }],
        },
        {
          package: { ecosystem: 'Debian:12', name: 'curl' },
          ranges: [{ events: [{ introduced: '0' }, { fixed: '7.88.1-10+deb12u5' }] }],
        },
      ],
    });
    expect(await read('DSA-9-9')).toMatchObject({
      status: 404,
      json: { code: 5, message: 'Bug not found.' },
    });
    const withdrawn = await writeRecords(service.database, 'almalinux_patch', [
      erratum('ALSA-2024:9', 'Low', [['gone', '1-1.el8']]),
    ]);
    await withdrawRecords(service.database, 'almalinux_patch', [...withdrawn.values()], 9000);
    expect(await read('ALSA-2024:9').json).toMatchObject({
      id: 'ALSA-2024:9',
      withdrawn: '1970-01-01T00:00:09.000Z',
    });
    const { bytes } = await operator.get('/osv/AlmaLinux/all.zip');
    const archived = (await unzipped(bytes))['ALSA-2024:9.json'];
    expect(JSON.parse(String(archived))).toMatchObject({ withdrawn: '1970-01-01T00:00:09.000Z' });
  });

  test('an API key with the scope formats opens them, also as a password', async () => {
    const [own, other] = [
      await service.createKey(operator, 'formats'),
      await service.createKey(operator, 'read'),
    ];
    const status = (authorization: string) =>
      service.anyone.get('/osv/ecosystems.txt', { authorization }).status;
    const basic = (key: string) => `Basic ${Buffer.from(`scanner:${key}`).toString('base64')}`;
    expect(await status(`Bearer ${own}`)).toBe(200);
    expect(await status(basic(own))).toBe(200);
    expect(await status(basic(other))).toBe(403);
    expect(await status(basic('prk_unknown'))).toBe(401);
    const elsewhere = await service.anyone.get('/me', { authorization: basic(own) });
    expect(elsewhere.status).toBe(401);
  });
});
