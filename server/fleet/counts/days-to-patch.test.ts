/** After how many days records were patched, by the reports of machines. */
import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { day, hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { withMachinesOfClients } from '../testing/machines-of-clients.ts';
import { readPatchedBands } from './patched-record-store.ts';

describeWithDatabase('days to patch', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const first = Date.UTC(2027, 0, 1);
  let number = 0;

  /** Lists a record that fixes `name-1-2.el8`, released and known on these days after the first. */
  const release = async (
    name: string,
    severity: string,
    {
      released,
      known = released,
      version = '1-2.el8',
      cve = [] as string[],
    }: {
      readonly released: number | null;
      readonly known?: number | null;
      readonly version?: string;
      readonly cve?: string[];
    },
  ) => {
    number += 1;
    const identifier = `ALSA-2027:${number}`;
    const { row, ...rest } = erratum(identifier, severity, [[name, version]], { detail: { cve } });
    const releaseDate = released === null ? null : first + released * day;
    const record = { ...rest, row: { ...row, releaseDate } };
    await writeRecords(service.database, 'almalinux_patch', [record], first + (known ?? 0) * day);
    return identifier;
  };
  const inventory = (...packages: readonly string[]) =>
    `NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\n${packages.map((one) => `${one}.el8.x86_64\n`).join('')}`;
  /** Reports and judges on a day after the first, at noon. */
  const report = async (days: number, key: string, ...packages: readonly string[]) => {
    service.now = first + days * day + 12 * hour;
    const id = await fleet.add(key, inventory(...packages));
    await fleet.judge();
    return id;
  };
  const bands = (within: readonly number[] | null, from = first) =>
    readPatchedBands(service.database, within === null ? null : new Set(within), from);

  test('counts from the release until the report that no longer misses the record', async () => {
    await release('gawk', 'Critical', { released: 2 });
    const id = await report(5, 'web', 'gawk-1-1');
    await report(9, 'web', 'gawk-1-1', 'vim-1-1');
    expect(await bands([id])).toEqual([]);
    await report(12, 'web', 'gawk-1-2', 'vim-1-1');
    const patched = { band: 'serious', records: 1, meanDays: 10, medianDays: 10 };
    expect(await bands([id])).toEqual([patched]);
    await report(13, 'web', 'gawk-1-3', 'vim-1-1');
    expect(await bands([id])).toEqual([patched]);
    expect(await bands([id], first + 13 * day)).toEqual([]);
    expect(await bands([id + 1])).toEqual([]);
  });

  test('counts what a report closed that arrives while its machine is counted', async () => {
    await release('nano', 'Critical', { released: 2 });
    const id = await report(5, 'busy', 'nano-1-1');
    await fleet.add('busy', inventory('nano-1-1', 'vim-1-1'));
    const database = service.database;
    let isReported = false;
    // The report that fixes it commits after the machine was read, and before its replaced parts are.
    const interrupted = new Proxy(database, {
      get: (target, name) =>
        name === 'query'
          ? async (text: string, values?: unknown[]) => {
              if (!isReported && text.includes('replaced_parts is not null')) {
                isReported = true;
                await fleet.add('busy', inventory('nano-1-2', 'vim-1-1'));
              }
              return target.query(text, values);
            }
          : Reflect.get(target, name).bind(target),
    });
    await fleet.judge(interrupted);
    expect([isReported, await bands([id])]).toEqual([true, []]);
    await fleet.judge();
    expect(await bands([id])).toMatchObject([{ band: 'serious', records: 1 }]);
  });

  test('counts from when the record was known, where that is later, or where no release is stated', async () => {
    await release('zlib', 'Low', { released: -400, known: 3 });
    await release('tar', 'Low', { released: null, known: 1 });
    const id = await report(5, 'known', 'zlib-1-1', 'tar-1-1');
    await report(8, 'known', 'zlib-1-2', 'tar-1-2');
    expect(await bands([id])).toEqual([{ band: 'others', records: 2, meanDays: 6, medianDays: 6 }]);
  });

  test('has a mean and a median of each band', async () => {
    await release('one', 'Important', { released: 0 });
    await release('two', 'Critical', { released: 4 });
    await release('three', 'Critical', { released: 9 });
    await release('four', 'Low', { released: 9, cve: ['CVE-2027-4444'] });
    await writeCveFacts(
      service.database,
      buildKevFacts('CVE-2027-4444', { dateAdded: first, dueDate: null }),
    );
    await refreshStaleCves(service.database);
    const packages = ['one', 'two', 'three', 'four'];
    const id = await report(10, 'all', ...packages.map((name) => `${name}-1-1`));
    await report(10, 'all', ...packages.map((name) => `${name}-1-2`));
    expect((await bands([id])).toSorted((a, b) => a.records - b.records)).toEqual([
      { band: 'exploited', records: 1, meanDays: 1, medianDays: 1 },
      { band: 'serious', records: 3, meanDays: 17 / 3, medianDays: 6 },
    ]);
    await release('four', 'Critical', { released: 10, version: '1-3.el8' });
    await report(15, 'all', ...packages.map((name) => `${name}-1-2`), 'more-1-1');
    await report(20, 'all', ...packages.map((name) => `${name}-1-3`), 'more-1-1');
    expect((await bands([id])).find(({ band }) => band === 'serious')).toEqual({
      band: 'serious',
      records: 4,
      meanDays: 27 / 4,
      medianDays: 8,
    });
  });

  test('does not count what the catalogue closed: a withdrawn record, and one that says otherwise', async () => {
    const withdrawn = await release('less', 'Critical', { released: 1 });
    const changed = await release('sed', 'Critical', { released: 1 });
    const id = await report(5, 'catalogue', 'less-1-1', 'sed-1-1');
    expect((await fleet.missing(id)).totalCount).toBe(2);
    const list = getList('almalinux_patch');
    await withdrawRecords(service.database, list, [await fleet.recordId(withdrawn)], service.now);
    const { row, ...rest } = erratum(changed, 'Critical', [['sed', '1-1.el8']]);
    await writeRecords(
      service.database,
      'almalinux_patch',
      [{ ...rest, row: { ...row, releaseDate: first } }],
      service.now,
    );
    await fleet.judge();
    expect((await fleet.missing(id)).totalCount).toBe(0);
    await report(7, 'catalogue', 'less-1-2', 'sed-1-2');
    expect(await bands([id])).toEqual([]);
  });

  test('does not count a record that is withdrawn before the report that closes it is judged', async () => {
    const withdrawn = await release('grep', 'Critical', { released: 1 });
    const id = await report(5, 'soon', 'grep-1-1');
    service.now += day;
    await fleet.add('soon', inventory('grep-1-2'));
    const list = getList('almalinux_patch');
    await withdrawRecords(service.database, list, [await fleet.recordId(withdrawn)], service.now);
    await fleet.judge();
    expect(await bands([id])).toEqual([]);
  });

  test('does not count a removed package, nor one that the report does not show', async () => {
    await release('ftp', 'Critical', { released: 1 });
    const id = await report(5, 'removed', 'ftp-1-1', 'gzip-1-1');
    await report(6, 'removed', 'gzip-1-1');
    expect(await bands([id])).toEqual([]);
  });

  test('does not count what another machine with the same key has', async () => {
    await release('flex', 'Critical', { released: 1 });
    service.now = first + 5 * day;
    const [made] = await fleet.outcomes(fleet.north, {
      key: 'cloned',
      name: 'original',
      text: inventory('flex-1-1', 'only-original-1-1'),
    });
    await fleet.judge();
    service.now += day;
    await fleet.outcomes(fleet.north, {
      key: 'cloned',
      name: 'clone',
      text: inventory('flex-1-2', 'only-clone-1-1', 'another-1-1', 'further-1-1'),
    });
    await fleet.judge();
    expect(await bands([made?.id ?? 0])).toEqual([]);
  });

  test('does not count a record that came after the report', async () => {
    const id = await report(5, 'early', 'wget-1-1');
    service.now += day;
    await fleet.add('early', inventory('wget-1-2'));
    await release('wget', 'Critical', { released: 7 });
    service.now += 2 * day;
    await fleet.judge();
    expect(await bands([id])).toEqual([]);
  });

  test('counts what several reports between two judgements closed, when the last one came', async () => {
    await release('perl', 'Low', { released: 0 });
    const id = await report(5, 'steps', 'perl-1-0');
    service.now += day;
    await fleet.add('steps', inventory('perl-1-1'));
    service.now += 2 * day;
    await fleet.add('steps', inventory('perl-1-2'));
    await fleet.judge();
    expect(await bands([id])).toEqual([{ band: 'others', records: 1, meanDays: 8, medianDays: 8 }]);
  });

  test('does not count an accepted record, and forgets those of a removed machine', async () => {
    await release('ksh', 'Critical', { released: 0 });
    const identifier = await release('zsh', 'Critical', { released: 0 });
    const id = await report(5, 'accepting', 'ksh-1-1', 'zsh-1-1');
    await fleet.accept(id, {
      recordId: await fleet.recordId(identifier),
      until: service.now + 30 * day,
    });
    await report(6, 'accepting', 'ksh-1-2', 'zsh-1-2');
    expect(await bands([id])).toMatchObject([{ records: 1 }]);
    await service.operator.delete(`/machines/${id}`);
    expect(await bands(null)).toEqual([]);
  });
});
