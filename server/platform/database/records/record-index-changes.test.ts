/** After any changes, the index of records equals one rebuilt from the lists. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { Random } from '../../../fleet/testing/random-fleet.ts';
import {
  buildCveFacts,
  buildCvssScore,
  buildKevFacts,
  writeCveFacts,
} from '../../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../../testing/databases.ts';
import {
  type RecordToWrite,
  withdrawRecords,
  writeRecords,
} from '../../../testing/record-factories.ts';
import { writeScores } from '../cves/epss-score-store.ts';
import { refreshStaleCves } from '../cves/stale-cve-store.ts';
import type { Database } from '../database.ts';
import { buildRecordIndex } from './build-record-index.ts';
import { createListViews } from './list-views.ts';
import { isIndexed } from './record-index-row.ts';

const kbs = ['KB5000001', 'KB5000002', null];
const cves = ['CVE-2024-1111', 'CVE-2024-2222', 'CVE-2024-3333', 'CVE-2024-10000'];

type Content = Omit<RecordToWrite, 'key'>;

/** Makes records of one source that share updates, and of another that share CVEs with them. */
function contentMakers(random: Random): readonly (readonly [ListDefinition, () => Content])[] {
  const some = (values: readonly string[]) => values.filter(() => random.below(2) === 0);
  const buildKb = (kbId: string | null) => ({
    kbId,
    severity: random.of(['Low', 'Critical']),
    superseded: random.of([null, true, false]),
  });
  return [
    [
      getList('almalinux_patch'),
      () => ({ row: { title: 'An update', bulletinId: 'ALSA-1' }, detail: { cve: some(cves) } }),
    ],
    [
      getList('kb_repository'),
      () => {
        const kbId = random.of(kbs);
        const productName = some(['Windows 10', 'Windows 11']);
        return { row: { ...buildKb(kbId), title: kbId, productName } };
      },
    ],
    [
      getList('patch_repository'),
      () => {
        const kbId = random.of(kbs);
        const productName = `Windows ${random.below(3)}`;
        const exploited = random.of([null, true, false]);
        const cve = some(cves);
        const vulnerabilities = cve.map((name) => ({
          cve: name,
          cvss: random.of([null, '3', '8']),
        }));
        return {
          row: { ...buildKb(kbId), name: kbId, productName, exploited, cve },
          detail: { vulnerabilities },
        };
      },
    ],
  ];
}

function writeFacts(database: Database, random: Random, step: number): Promise<unknown> {
  const cve = random.of(cves);
  const kind = random.of(['cvss', 'kev', 'epss']);
  if (kind === 'kev') return writeCveFacts(database, buildKevFacts(cve));
  if (kind === 'cvss') {
    const scores = [buildCvssScore({ score: random.below(10) })];
    return writeCveFacts(database, buildCveFacts(cve, { lastModified: step, scores }));
  }
  const folded = cve.toLowerCase();
  const score = { kind: 'epss', cve: folded, epss: random.below(9) / 8, percentile: null } as const;
  return database.transaction((tx) =>
    writeScores(tx, [score], { stale: new Set([folded]), now: step }),
  );
}

async function changeRecords(
  database: Database,
  random: Random,
  [list, make]: readonly [ListDefinition, () => Content],
  step: number,
): Promise<void> {
  const keys = ['a', 'b', 'c', 'd', 'e'].filter(() => random.below(2) === 0);
  if (random.below(4) > 0) {
    const records = keys.map((key) => ({ key, ...make() }));
    await writeRecords(database, list, records, step);
    return;
  }
  const { rows } = await database.query(
    `select id from ${list.key} where withdrawn_time is null and natural_key = any($1)`,
    [keys],
  );
  const ids = rows.map(({ id }) => Number(id));
  await withdrawRecords(database, list, ids, step);
}

const written = "- '{id,created_time,updated_time,revision,told_revision}'::text[]";

/** Columns that follow from the record and others of its update. Its list shows the identifier, the title and the date themselves. */
const shownColumns = [
  'alias, alias_folded, vendor, vendor_folded, release, release_folded',
  'severity, severity_folded, severity_rank, vendor_severity, vendor_severity_folded, cve, cve_folded, packages, packages_folded',
  'superseded, folded, update_key, vendor_exploited, names',
].flatMap((names) => names.split(', '));

const derivedRows = async (database: Database) => {
  const statements = [
    `select to_jsonb(record) ${written} as row from record order by list, record_id`,
    `select to_jsonb(all_patches) ${written} as row from all_patches order by id`,
    'select * from update_values order by id',
    'select * from record_epss order by record_id',
    `select record_id, cvss, severity_rank, exploited from record_risk
     where cvss is not null or exploited is not null order by record_id`,
    `select to_jsonb(vulnerability) ${written} as row from vulnerability order by cve`,
    'select cve_folded, list, version, score, vector from vendor_score order by 1, 2, 3',
    `select listed from list_revision where list = 'all_patches'`,
  ];
  const derived = [];
  for (const statement of statements) derived.push((await database.query(statement)).rows);
  return derived;
};

/** Makes the records' own values independent of what All patches shows, as for views of another definition. */
async function keepListsWhole(database: Database): Promise<void> {
  const views = catalogueLists.filter(isIndexed);
  await database.script(
    views
      .map(({ key }) => `comment on view ${key} is '{"hash": "another", "shared": {}}';`)
      .join('\n'),
  );
  await database.transaction((tx) => createListViews(tx));
}

describeWithDatabase('the index of records after changes', (open) => {
  test.each([1, 2, 3])('equals a rebuilt index, seed %i', async (seed) => {
    const database = await open();
    const random = new Random(seed);
    const makers = contentMakers(random);
    for (let step = 1; step <= 40; step += 1) {
      await changeRecords(database, random, random.of(makers), step);
      if (random.below(2) === 0) await writeFacts(database, random, step);
      if (random.below(3) === 0) await refreshStaleCves(database);
    }
    await refreshStaleCves(database);
    const changed = await derivedRows(database);
    expect(Math.min(...changed.map(({ length }) => length))).toBeGreaterThan(0);
    await keepListsWhole(database);
    await database.script(
      `truncate update_values, record_epss, record_risk, vendor_score, record_index_state;
       update stored_record set ${shownColumns.map((name) => `${name} = ${name === 'folded' ? 'false' : 'null'}`).join(', ')}, keyword = ''`,
    );
    await buildRecordIndex({ database });
    expect(await derivedRows(database)).toEqual(changed);
  });
});
