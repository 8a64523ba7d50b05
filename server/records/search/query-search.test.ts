/** Queries as people write them, by the API: what their words find in memory and in PostgreSQL, and what is left out. */
import { getList } from '@patch/catalogue/lists.ts';
import type { ReadQuery } from '@patch/contract/records/search-endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { appWithRoutes, callerOf } from '../../testing/app-with-routes.ts';
import { buildCveFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRows } from '../../testing/record-factories.ts';
import { ListMemories } from '../memory/list-memories.ts';
import { getKeywordTexts } from '../memory/memory-search.ts';
import { searchRoutes } from './search-routes.ts';
import { buildSearchService } from './testing/build-search-service.ts';

const alma = getList('almalinux_patch');
const packages = getList('linux_patch_repository');
const systems = getList('macos_patch');
const versions = getList('pardus_patch');
const day = 86_400_000;

const advisories = [
  ['perl with mysqlclient 8.01', 'Critical', 'AlmaLinux 8'],
  ['mysql:8.0 security update', 'Low', 'AlmaLinux 8'],
  ['openssl update', 'Low', 'AlmaLinux 9'],
  ['openssl for kernel', 'Important', 'AlmaLinux 8'],
  ['bash update', 'Critical', 'AlmaLinux 9'],
  ['dockerd with engines', 'Moderate', 'AlmaLinux 9'],
  ['docker-cli docker-engine update', 'Moderate', 'AlmaLinux 9'],
] as const;

describeWithDatabase('queries as people write them', (open) => {
  let database: Database;
  let inMemory: FastifyInstance;
  let inDatabase: FastifyInstance;

  beforeAll(async () => {
    database = await open();
    await writeRows(
      database,
      alma,
      advisories.map(([title, severity, release], n) => ({
        title,
        bulletinId: `ALSA-${n}`,
        severity,
        osVersion: [release],
        releaseDate: (100 - n) * day,
      })),
    );
    await writeRows(database, packages, [
      { patchId: 'p1', binaryPkgName: 'rsyslog-kafka', title: 'Apache Kafka', releaseDate: day },
      { patchId: 'p2', binaryPkgName: 'apache2', title: 'A web server', releaseDate: null },
      { patchId: 'p4', binaryPkgName: 'php-mysql', title: 'Server of MySQL', releaseDate: day },
      { patchId: 'p5', binaryPkgName: 'mysql-server', title: 'Database', releaseDate: null },
      { patchId: 'p3', binaryPkgName: 'apache2-doc', title: 'Apache manual', releaseDate: day },
    ]);
    await writeRows(database, systems, [
      { productKey: 's1', title: 'Update 1', cve: ['CVE-2021-40346'], releaseDate: 2 * day },
      { productKey: 's2', title: 'Update 2', cve: ['CVE-2021-4034'], releaseDate: day },
    ]);
    await writeRows(database, versions, [
      { pkgAndVersion: 'libssh 0.10.6-0+deb12u3', title: 'SSH library (OpenSSL flavor)' },
      { pkgAndVersion: 'openssl 3.0.22-1~deb12u2', title: 'Secure Sockets Layer toolkit' },
      { pkgAndVersion: 'openssl-doc 3.0.22-1', title: 'Manual of OpenSSL' },
    ]);
    await writeCveFacts(
      database,
      buildCveFacts('CVE-2021-40346', {
        description: 'An overflow in HAProxy. It allows HTTP request SMUGGLING.',
      }),
      buildCveFacts('CVE-2021-40347', { description: 'Smuggling in a proxy that nobody fixes.' }),
    );
    const memories = new ListMemories(database);
    for (const list of [alma, packages, systems, versions])
      await memories.readTexts(list, getKeywordTexts(list));
    const serve = (parts: Parameters<typeof buildSearchService>[1]) =>
      appWithRoutes((answer) =>
        searchRoutes(answer, { searchService: buildSearchService(database, parts) }),
      );
    inMemory = await serve({ memories });
    inDatabase = await serve({});
  });

  const ask = async (app: FastifyInstance, q: string, list = alma) => {
    const { objList, totalCount, reading } = await callerOf(() => app).post(list.searchPath, { q })
      .json;
    const rows = objList as readonly Record<string, unknown>[];
    const { parts } = reading as ReadQuery;
    const leftOut = parts.filter((part) => part.leftOut === true).map(({ text }) => text);
    return { rows, totalCount, leftOut };
  };
  const titles = (rows: readonly Record<string, unknown>[]) => rows.map(({ title }) => title);

  describe.each([
    ['memory', () => inMemory],
    ['PostgreSQL', () => inDatabase],
  ])('in %s', (_, app) => {
    test('finds a name and its version in a word that joins them before other titles', async () => {
      const { rows } = await ask(app(), 'mysql 8.0');
      expect(titles(rows)).toEqual(['mysql:8.0 security update', 'perl with mysqlclient 8.01']);
    });

    test('finds a package that has one digit more than its product first', async () => {
      const { rows } = await ask(app(), 'apache', packages);
      expect(rows.map(({ binaryPkgName }) => binaryPkgName)[0]).toBe('apache2');
      expect(rows).toHaveLength(3);
    });

    test('finds a package by its name without the version first', async () => {
      const { rows } = await ask(app(), 'openssl', versions);
      expect(rows.map(({ pkgAndVersion }) => pkgAndVersion)[0]).toBe('openssl 3.0.22-1~deb12u2');
      expect(rows).toHaveLength(3);
    });

    test('finds a package whose name joins the words first', async () => {
      const { rows } = await ask(app(), 'mysql server', packages);
      const names = rows.map(({ binaryPkgName }) => binaryPkgName);
      expect(names).toEqual(['mysql-server', 'php-mysql']);
    });

    test('finds two words in a word that joins them before other titles', async () => {
      const { rows } = await ask(app(), 'docker engine');
      expect(titles(rows)).toEqual(['docker-cli docker-engine update', 'dockerd with engines']);
    });

    test('finds no CVE that only begins as the typed one does', async () => {
      const { rows } = await ask(app(), 'cve 2021 4034 update', systems);
      expect(titles(rows)).toEqual(['Update 2']);
      const { totalCount } = await ask(app(), 'CVE-2021-4035', systems);
      expect(totalCount).toBe(0);
    });

    test.each([
      ['bash critical', [], ['bash update']],
      ['bash low', ['low'], ['bash update']],
      ['openssl bash low', ['bash'], ['openssl update']],
      ['perl bash low', ['perl', 'low'], ['bash update']],
      ['kernel almalinux 8 error', ['error'], ['openssl for kernel']],
      ['frobnicate bash', ['frobnicate'], ['bash update']],
      ['frobnicate "openssl update" critical', ['frobnicate', 'critical'], ['openssl update']],
    ])('leaves out of %j what leaves it without a record', async (query, leftOut, expected) => {
      const found = await ask(app(), query);
      expect(found).toMatchObject({ leftOut, totalCount: expected.length });
      expect(titles(found.rows)).toEqual(expected);
    });

    test('leaves out no identifier and no phrase', async () => {
      expect(await ask(app(), 'KB1234567 bash')).toMatchObject({ totalCount: 0 });
      expect(await ask(app(), '"bash openssl" critical')).toMatchObject({ totalCount: 0 });
    });
  });

  test('finds the records whose CVEs have words that no record has', async () => {
    const { rows, leftOut } = await ask(inMemory, 'haproxy smuggling update', systems);
    expect({ titles: titles(rows), leftOut }).toEqual({ titles: ['Update 1'], leftOut: [] });
    expect(await ask(inMemory, 'smuggling nobody', systems)).toMatchObject({ totalCount: 0 });
  });

  test('counts words while they are typed only where that takes no time', async () => {
    const read = async (body: object) =>
      (await callerOf(() => inMemory).post(`${alma.searchPath}/reading`, body).json).totalCount;
    expect(await read({ q: 'bash', typing: true })).toBeNull();
    expect(await read({ q: 'ba openssl', typing: true })).toBeNull();
    expect(await read({ q: 'ba openssl' })).toBe(2);
    expect(await read({ q: 'bash low', typing: true })).toBe(1);
  });
});
