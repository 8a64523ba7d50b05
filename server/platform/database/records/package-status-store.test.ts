/** Statuses of vulnerabilities without a fix: a reading of a part replaces its previous one. */

import type { StatusWord } from '@patch/catalogue/definition/package-status.ts';
import { beforeEach, expect, test } from 'vitest';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { migrateBefore } from '../../../testing/earlier-database.ts';
import type { Database } from '../database.ts';
import { migrate } from '../schema/migrate.ts';
import { PackageStatuses, readUnfixed, writeStatuses } from './package-status-store.ts';

const { signal } = new AbortController();

type Row = readonly [release: string, name: string, cve: string, word?: StatusWord];

function statusesWith(rows: readonly Row[]) {
  const statuses = new PackageStatuses();
  for (const [release, name, cve, word = 'open'] of rows)
    statuses.add({ kind: 'status', release, package: name, cve, word });
  return statuses;
}

describeWithDatabase('vulnerabilities without a fix', (open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });
  const part = { source: 'debian', part: 'DSA' };
  const write = (rows: readonly Row[], feedPart = part, now = 0) =>
    writeStatuses(database, feedPart, statusesWith(rows), signal, now);
  const found = (packages: readonly string[], releases = ['Debian 11']) =>
    readUnfixed(database, { releases, packages });

  test('are listed once each, by package and CVE, for the given releases and packages', async () => {
    await write([
      ['Debian 11', 'xen', 'CVE-2023-2'],
      ['Debian 11', 'xen', 'CVE-2023-1'],
      ['Debian 11', 'xen', 'CVE-2023-1'],
      ['Debian 11', 'apr', 'CVE-2023-3'],
      ['Debian 12', 'xen', 'CVE-2023-4'],
    ]);
    expect(await found(['xen', 'apr', 'bash'])).toEqual([
      { cve: 'CVE-2023-3', package: 'apr' },
      { cve: 'CVE-2023-1', package: 'xen' },
      { cve: 'CVE-2023-2', package: 'xen' },
    ]);
    expect(await found(['bash'])).toEqual([]);
  });

  test('are those by which the release is affected', async () => {
    await write([
      ['Debian 11', 'xen', 'CVE-2023-1', 'ignored'],
      ['Debian 11', 'xen', 'CVE-2023-2', 'not_affected'],
      ['Debian 11', 'xen', 'CVE-2023-3', 'undetermined'],
      ['Debian 11', 'xen', 'CVE-2023-4', 'postponed'],
    ]);
    expect((await found(['xen'])).map(({ cve }) => cve)).toEqual(['CVE-2023-1', 'CVE-2023-4']);
  });

  test('have the time of the last change of their word', async () => {
    const times = async () => {
      const { rows } = await database.query(
        `select cve || ' ' || word || ' ' || created_time || ' ' || changed_time as text
         from package_status order by cve`,
      );
      return rows.map((row) => row['text']);
    };
    await write(
      [
        ['Debian 11', 'xen', 'CVE-2023-1'],
        ['Debian 11', 'xen', 'CVE-2023-2'],
      ],
      part,
      100,
    );
    const second: Row[] = [
      ['Debian 11', 'xen', 'CVE-2023-1', 'ignored'],
      ['Debian 11', 'xen', 'CVE-2023-2'],
      ['Debian 11', 'xen', 'CVE-2023-3'],
    ];
    await write(second, part, 200);
    await write(second, part, 300);
    expect(await times()).toEqual([
      'CVE-2023-1 ignored 100 200',
      'CVE-2023-2 open 100 100',
      'CVE-2023-3 open 200 200',
    ]);
    await write(second.slice(0, 1), part, 400);
    await write(second.slice(0, 1), part, 500);
    expect(await times()).toEqual([
      'CVE-2023-1 ignored 100 200',
      'CVE-2023-2 gone 100 400',
      'CVE-2023-3 gone 200 400',
    ]);
    expect(await found(['xen'])).toEqual([{ cve: 'CVE-2023-1', package: 'xen' }]);
    await write(second.slice(0, 2), part, 600);
    expect((await times())[1]).toBe('CVE-2023-2 open 100 600');
  });

  test('are taken over from the table of earlier versions', async () => {
    await migrateBefore(database, 81);
    await database.script(`
      insert into unfixed_vulnerability (source, part, release, package, cves) values
        ('debian', 'DSA', 'Debian 11', 'xen', E'CVE-2023-1\nCVE-2023-2'),
        ('debian', 'DSA', 'Debian 12', 'xen', 'CVE-2023-2');
    `);
    const since = Date.now();
    await migrate(database);
    const { rows } = await database.query(
      `select release || ' ' || cve || ' ' || word as text, created_time as created, changed_time as changed
       from package_status order by text`,
    );
    expect(rows.map((row) => row['text'])).toEqual([
      'Debian 11 CVE-2023-1 open',
      'Debian 11 CVE-2023-2 open',
      'Debian 12 CVE-2023-2 open',
    ]);
    for (const { created, changed } of rows) {
      expect(changed).toBe(created);
      expect(Math.abs(Number(created) - since)).toBeLessThan(60_000);
    }
    expect(await found(['xen'])).toHaveLength(2);
  });

  test('do not change when another part changes', async () => {
    await write([['Debian 11', 'xen', 'CVE-2023-1']]);
    await write([['Debian 11', 'tallow', 'CVE-2023-9']], { source: 'pardus', part: 'DSA' });
    await write([
      ['Debian 11', 'apr', 'CVE-2023-3'],
      ['Debian 11', 'apr', 'CVE-2023-5'],
    ]);
    await write([['Debian 11', 'apr', 'CVE-2023-5']]);
    expect(await found(['xen', 'apr', 'tallow'])).toEqual([
      { cve: 'CVE-2023-5', package: 'apr' },
      { cve: 'CVE-2023-9', package: 'tallow' },
    ]);
  });

  test('are written in several batches, and not after an abort', async () => {
    const many = Array.from(
      { length: 1201 },
      (_, index) => ['Debian 11', `p${index}`, 'CVE-2023-1'] as const,
    );
    await write(many);
    expect(await found(many.map(([, name]) => name))).toHaveLength(1201);
    await expect(
      writeStatuses(
        database,
        part,
        statusesWith([['Debian 11', 'q', 'CVE-2023-1']]),
        AbortSignal.abort(),
      ),
    ).rejects.toThrow('aborted');
    expect(await found(['q'])).toEqual([]);
  });
});
