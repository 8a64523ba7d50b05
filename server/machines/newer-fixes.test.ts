/** Stored fixes give the same results as reading every record, after changes, withdrawals and returns. */
import { namesOfFix } from '@patch/catalogue/fleet/inventory-part.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import {
  type CataloguedRelease,
  cataloguedRelease,
} from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { InstalledPackages } from '@patch/catalogue/machines/judgement/installed-packages.ts';
import { judgePackages } from '@patch/catalogue/machines/judgement/judge-packages.ts';
import type {
  PackageRecord,
  RecordVerdict,
} from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { packageRecord } from '@patch/catalogue/machines/judgement/package-record.ts';
import { packageVerdicts } from '@patch/catalogue/machines/judgement/package-verdicts.ts';
import { packagesOfRecords } from '@patch/catalogue/machines/judgement/testing/judged-machine.ts';
import { notJudged } from '@patch/catalogue/machines/judgement/verdict.ts';
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
import { IdRow } from '../platform/database/plain-rows.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { buildRecordIndex } from '../platform/database/records/build-record-index.ts';
import { packageLists } from '../platform/database/records/package-fix-store.ts';
import { ListMemories } from '../records/memory/list-memories.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { type RecordToWrite, withdrawRecords, writeRecords } from '../testing/record-factories.ts';
import { findMachineFindings } from './assess-machine.ts';
import { readAllRecords } from './machine-records-store.ts';
import { erratum } from './testing/machine-catalogue.ts';

const never = new AbortController().signal;
const alma = getList('almalinux_patch');
const notices = getList('linux_notice');

const almaWith = (...packages: Machine['packages']): Machine => ({
  ...bareMachine,
  distribution: 'almalinux',
  release: '8.9',
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

/** Turns every second Debian machine into an Ubuntu machine. */
const inUbuntu = (machine: Machine, turn: number): Machine =>
  machine.distribution === 'debian' && turn % 2 === 0
    ? { ...machine, distribution: 'ubuntu', release: '22.04' }
    : machine;

const LocationRow = z.object({ location: z.string() });

describeWithDatabase('stored fixes', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  const findFindings = (machine: Machine) =>
    findMachineFindings(
      { database, memories: new ListMemories(database) },
      { machine, accepted: new Set(), ring: null },
      never,
    );

  const isToShow = ([, { kind }]: readonly [string, RecordVerdict]) => kind !== 'notMissing';

  /** Judges by every record of the catalogue. */
  const judgeByRecords = async (machine: Machine, release: CataloguedRelease) => {
    const packages = new InstalledPackages(machine.packages);
    const names = new Set(packages.fixNames);
    const records: PackageRecord[] = [];
    for (const list of packageLists)
      for (const { key, content } of await readAllRecords(database, list, never)) {
        const record = packageRecord({ key, ...content }, release);
        if (record !== null) records.push(record);
      }
    if (records.length === 0)
      return {
        verdicts: new Map(),
        items: machine.packages.map(({ name }) => ({
          name,
          verdict: notJudged('releaseNotInCatalogue'),
        })),
      };
    const concerning = records.filter(({ fixes }) =>
      fixes.some(({ name }) => namesOfFix(name).some((own) => names.has(own))),
    );
    const verdicts = judgePackages(machine, release, concerning);
    return {
      verdicts: new Map([...verdicts].filter(isToShow)),
      items: packageVerdicts({
        packages: machine.packages,
        installed: packages,
        release: release.names[0] ?? '',
        records: verdicts.values(),
        known: packagesOfRecords(records, release.family),
        unfixed: new Set(),
      }),
    };
  };

  const withdrawOne = async (random: Random) => {
    const list = random.of(
      catalogueLists.filter(({ key }) => packageLists.some((one) => one.key === key)),
    );
    const rows = await queryRows(database, IdRow, `select id from ${list.key} order by id`);
    if (rows.length === 0) return;
    await withdrawRecords(database, list, [random.of(rows).id], 1);
  };

  test('give the same results as reading every record after random writes', async () => {
    const random = new Random(7);
    let found = 0;
    for (let turn = 0; turn < 30; turn += 1) {
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
      const release = cataloguedRelease(machine);
      // Windows and macOS have no packages to compare.
      if (release === null) continue;
      const { verdicts, items } = await findFindings(machine);
      expect({ verdicts, items }).toEqual(await judgeByRecords(machine, release));
      found += verdicts.size;
    }
    expect(found).toBeGreaterThan(12);
  });

  test('are restored when a list is reindexed', async () => {
    await writeRecords(database, alma, [erratum('ALSA-2024:B', 'Low', [['again', '2-1.el8']])]);
    const machine = almaWith(rpm('again', '1-1.el8'));
    const { verdicts } = await findFindings(machine);
    expect(verdicts.size).toBe(1);
    await database.script('delete from package_fix; delete from record_index_state');
    expect((await findFindings(machine)).verdicts.size).toBe(0);
    await buildRecordIndex({ database });
    expect((await findFindings(machine)).verdicts).toEqual(verdicts);
  });

  test('are removed for a release whose records are withdrawn', async () => {
    const nine = { releases: ['AlmaLinux 9'] };
    const ids = await writeRecords(database, alma, [
      erratum('ALSA-2024:A', 'Low', [['only-nine', '2-1']], nine),
    ]);
    const machine = { ...almaWith(rpm('only-nine', '1-1')), release: '9.1' };
    expect([...(await findFindings(machine)).verdicts.values()]).toMatchObject([
      { kind: 'missing' },
    ]);
    await withdrawRecords(database, alma, [ids.get('ALSA-2024:A')], 1);
    const after = await findFindings(machine);
    expect(after.verdicts.size).toBe(0);
    expect(after.items).toEqual([
      { name: 'only-nine', verdict: { kind: 'notJudged', reason: 'originUnknown' } },
    ]);
    await writeRecords(database, alma, [
      erratum('ALSA-2024:A', 'Low', [['only-nine', '2-1']], nine),
    ]);
    expect((await findFindings(machine)).verdicts.size).toBe(1);
  });

  test('stay unchanged when a change does not concern them', async () => {
    const readRows = () =>
      queryRows(database, LocationRow, 'select ctid::text as location from package_fix');
    const before = await readRows();
    await writeRecords(database, alma, [
      erratum('ALSA-2024:A', 'Critical', [['only-nine', '2-1']], { releases: ['AlmaLinux 9'] }),
    ]);
    expect(await readRows()).toEqual(before);
  });
});
