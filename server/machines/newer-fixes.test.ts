/** The fixes that are kept of records answer what reading every record answers, through changes, withdrawals, returns and interrupted fills. */
import { catalogueLists, listOfKey } from '@patch/catalogue/lists.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  bareMachine,
  Random,
  randomMachine,
  randomRecord,
  rpm,
} from '../fleet/testing/random-fleet.ts';
import type { Database } from '../platform/database/database.ts';
import { areFixesKept, fillPackageFixes } from '../platform/database/fill-package-fixes.ts';
import { packageLists } from '../platform/database/package-fix-store.ts';
import { IdRow } from '../platform/database/plain-rows.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { ListMemories } from '../records/memory/list-memories.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { type RecordToWrite, withdrawRecords, writeRecords } from '../testing/record-factories.ts';
import { machineFindings } from './assess-machine.ts';
import { erratum } from './testing/machine-catalogue.ts';

const never = new AbortController().signal;
const alma = listOfKey('almalinux_patch');
const notices = listOfKey('linux_notice');

const almaWith = (...packages: Machine['packages']): Machine => ({
  ...bareMachine,
  distribution: 'almalinux',
  release: '8.9',
  architecture: 'x86_64',
  packages,
});

const usn = (key: string, type: string, version: string, pocket: string | null): RecordToWrite => ({
  key,
  row: { noticeId: key, title: key, type, affectedOs: ['Ubuntu 22.04 LTS'] },
  detail: {
    releasePackages: ['bash', 'linux-image-5.10.0-9-amd64'].map((name) => ({
      name,
      version,
      pocket,
      osVersion: 'Ubuntu 22.04 LTS',
      is_source: false,
    })),
  },
});

/** Every other Debian is an Ubuntu. */
const inUbuntu = (machine: Machine, turn: number): Machine =>
  machine.distribution === 'debian' && turn % 2 === 0
    ? { ...machine, distribution: 'ubuntu', release: '22.04' }
    : machine;

const KeptRow = z.object({ kept: z.string() });

describeWithDatabase('fixes that are kept of records', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  const findingsOf = async (machine: Machine) => {
    const parts = { database, memories: new ListMemories(database) };
    const { records: _, ...findings } = await machineFindings(parts, machine, never);
    const lacking = [...findings.verdicts].filter(([, { kind }]) => kind !== 'notMissing');
    return {
      ...findings,
      verdicts: new Map(lacking),
      leftOut: findings.leftOut.toSorted((a, b) => a.reason.localeCompare(b.reason)),
      sources: findings.sources.toSorted(),
    };
  };

  const toFill = () =>
    database.script(
      'insert into package_fix_to_fill (list) select distinct list from record on conflict do nothing',
    );

  /** As with a catalogue of an earlier version. */
  const plainFindingsOf = async (machine: Machine) => {
    await toFill();
    expect(await areFixesKept(database)).toBe(false);
    const findings = await findingsOf(machine);
    await database.script('delete from package_fix_to_fill');
    return findings;
  };

  const keptRows = async () => {
    const rows = await queryRows(
      database,
      KeptRow,
      `select concat_ws(' ', record.list, record.record_id, fix_release.release, series.name, of_source, special, epoch, architecture, module, pocket,
         place, version, sort_key, fix.name) as kept
       from package_fix as fix join record on record.id = fix.record_id join fix_series as series on series.id = fix.series_id
       join fix_release on fix_release.id = series.release_id join fix_variant on fix_variant.id = fix.variant_id order by 1`,
    );
    return rows.map(({ kept }) => kept);
  };

  const withdrawOne = async (random: Random) => {
    const list = random.of(
      catalogueLists.filter(({ key }) => packageLists.some((one) => one.key === key)),
    );
    const rows = await queryRows(database, IdRow, `select id from ${list.key} order by id`);
    if (rows.length === 0) return;
    await withdrawRecords(database, list, [random.of(rows).id], 1);
  };

  test('answer what every record answers, whatever was written before', async () => {
    const random = new Random(7);
    let found = 0;
    for (let turn = 0; turn < 20; turn += 1) {
      for (let count = 0; count < 4; count += 1) {
        const record = randomRecord(random);
        await writeRecords(database, record.list, [record]);
      }
      const [key, type] = [`usn-${random.below(6)}`, random.of(['USN', 'USN', 'LSN'])];
      const pocket = random.of([null, 'security', 'esm-infra', 'backports']);
      await writeRecords(database, notices, [
        usn(key, type, random.of(['1.0-2', '5.10.50-1', '1.1-1']), pocket),
      ]);
      await withdrawOne(random);
      const machine = inUbuntu(randomMachine(random), turn);
      const findings = await findingsOf(machine);
      expect(findings).toEqual(await plainFindingsOf(machine));
      found += findings.verdicts.size;
    }
    expect(found).toBeGreaterThan(12);
  });

  test('are filled from the records of an earlier version, wherever that was interrupted', async () => {
    const many = Array.from({ length: 250 }, (_, place) =>
      erratum(`ALSA-2024:9${place}`, 'Low', [['many', `1.0-${place}.el8`]]),
    );
    await writeRecords(database, alma, many);
    const written = await keptRows();
    await database.script(
      'delete from package_fix; delete from fix_series; delete from fix_release',
    );
    await toFill();
    const ending = new AbortController();
    let statements = 0;
    const interrupted: Database = {
      ...database,
      transaction: (work) => {
        // Within the second hundred of a list.
        if (statements > 0) ending.abort();
        statements += 1;
        return database.transaction(work);
      },
    };
    await fillPackageFixes({ database: interrupted, signal: ending.signal });
    expect(await areFixesKept(database)).toBe(false);
    const machine = almaWith(rpm('many', '1.0-200.el8'));
    expect((await findingsOf(machine)).verdicts.size).toBe(49);
    await fillPackageFixes({ database });
    expect(await areFixesKept(database)).toBe(true);
    expect(await keptRows()).toEqual(written);
    expect((await findingsOf(machine)).verdicts.size).toBe(49);
    expect(await fillPackageFixes({ database })).toBe(0);
  });

  test('leave nothing of a release whose records are withdrawn', async () => {
    const nine = { releases: ['AlmaLinux 9'] };
    const ids = await writeRecords(database, alma, [
      erratum('ALSA-2024:A', 'Low', [['only-nine', '2-1']], nine),
    ]);
    const machine = { ...almaWith(rpm('only-nine', '1-1')), release: '9.1' };
    expect([...(await findingsOf(machine)).verdicts.values()]).toMatchObject([{ kind: 'missing' }]);
    await withdrawRecords(database, alma, [ids.get('ALSA-2024:A')], 1);
    const after = await findingsOf(machine);
    expect(after.verdicts.size).toBe(0);
    expect(after.items).toEqual([
      { name: 'only-nine', verdict: { kind: 'notJudged', reason: 'packageUnknown' } },
    ]);
    await writeRecords(database, alma, [
      erratum('ALSA-2024:A', 'Low', [['only-nine', '2-1']], nine),
    ]);
    expect((await findingsOf(machine)).verdicts.size).toBe(1);
  });

  test('stay as they are where a change is about something else', async () => {
    const rowsOf = () => queryRows(database, KeptRow, 'select ctid::text as kept from package_fix');
    const before = await rowsOf();
    await writeRecords(database, alma, [
      erratum('ALSA-2024:A', 'Critical', [['only-nine', '2-1']], { releases: ['AlmaLinux 9'] }),
    ]);
    expect(await rowsOf()).toEqual(before);
  });
});
