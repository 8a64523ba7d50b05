/**
 * Fills six lists of errata, the index of records and the table of vulnerabilities with made-up rows, by SQL: a million records take
 * minutes in place of an hour through the entry writer. Of the lists' own tables only the index of the default order is kept.
 */
import { catalogueLists, type ListKey } from '@patch/catalogue/lists.ts';
import type { Database } from '@patch/server/platform/database/database.ts';
import {
  isIndexed,
  mappingHash,
  mappingOf,
} from '@patch/server/platform/database/record-index-row.ts';
import { z } from 'zod';
import { queryRows } from '../server/platform/database/query-rows.ts';

export const cveCount = 330_000;
/** Records are of the 4,000 days before. */
export const lastRelease = Date.UTC(2026, 0, 1);

const day = 86_400_000;
const rowsABatch = 50_000;
const listKeys: readonly ListKey[] = [
  'almalinux_patch',
  'rockylinux_patch',
  'oracle_linux_patch',
  'centos_patch',
  'opensuse_patch',
  'amazonlinux_patch',
];

/** The name of a CVE by its number, from 0 to `cveCount`. */
export const cveName = (c: number) => `CVE-${2010 + (c % 16)}-${1000 + Math.floor(c / 16)}`;

/** A number from 0 to 1 that follows from the row. */
const chance = (of: number) => `((hashint4extended(n, ${of}) & 1048575)::float8 / 1048576)`;

const sources =
  'kernel,glibc,openssl,openssh,systemd,bash,sudo,curl,krb5,nss,bind,dhcp,httpd,nginx,php,mariadb,redis,python3,perl,ruby,golang,firefox,samba,sssd,grub2,vim,git,gcc,libxml2,sqlite';

/** A row for each number from $1 to $2, by list: what it says before it is written. */
const madeSql = `select n, (n % ${listKeys.length}) as place, (n / ${listKeys.length} + 1)::bigint as row_id,
    (array['${sources.replaceAll(',', "','")}'])[1 + floor(${chance(1)} * 30)::int] as source,
    case when ${chance(2)} < 0.05 then 'Critical' when ${chance(2)} < 0.3 then 'Important' when ${chance(2)} < 0.65 then 'Moderate' else 'Low' end as severity,
    ${lastRelease} - floor(${chance(3)} * 4000 * 1440)::bigint * 60000 as released,
    (array['8', '9', '10'])[1 + floor(${chance(4)} * 3)::int] as release,
    (select string_agg('CVE-' || (2010 + c % 16) || '-' || (1000 + c / 16), E'\\n') from (
      select distinct floor(${cveCount} * power((hashint4extended(n, 10 + j) & 1048575)::float8 / 1048576, 1.5))::int as c
      from generate_series(1, case when ${chance(5)} < 0.4 then 0 else 1 + floor(${chance(6)} ^ 2 * 4)::int end) as j) as named) as cve
  from generate_series($1::int, $2::int) as n`;

const title = `made.severity || ': ' || source || ' security update ' || n`;
const packages = `source || E'\\n' || source || '-libs'`;

export async function loadRiskCatalogue(
  database: Database,
  rows: number,
  say: (line: string) => void,
): Promise<void> {
  const begun = Date.now();
  const told = (what: string) => say(`${what} after ${Math.round((Date.now() - begun) / 1000)} s`);
  const indexes = await dropIndexes(database, [...listKeys, 'record', 'vulnerability']);
  for (let from = 0; from < rows; from += rowsABatch) {
    const range = [from, Math.min(rows, from + rowsABatch) - 1];
    await database.transaction(async (tx) => {
      await tx.script('set local statement_timeout = 0');
      await tx.script(
        'create temporary table made (n int, place int, row_id bigint, source text, severity text, released bigint, release text, cve text) on commit drop',
      );
      await tx.query(`insert into made ${madeSql}`, range);
      for (const [place, list] of listKeys.entries()) await tx.script(listSql(list, place));
      await tx.script(recordSql());
    });
    if ((from + rowsABatch) % 250_000 === 0) told(`${from + rowsABatch} records`);
  }
  await database.transaction(async (tx) => {
    await tx.script('set local statement_timeout = 0');
    await tx.script(vulnerabilitySql);
  });
  told('vulnerabilities');
  const ownOrder = listKeys.map((key) => `${key}_by_release_date`);
  for (const { name, definition, table } of indexes) {
    if (!['record', 'vulnerability'].includes(table) && !ownOrder.includes(name)) continue;
    await database.transaction(async (tx) => {
      await tx.script('set local statement_timeout = 0');
      await tx.script(definition);
    });
  }
  told('indexes');
  await database.transaction(async (tx) => {
    await tx.script('set local statement_timeout = 0');
    await tx.script(riskSql);
  });
  await noteIndexed(database, rows);
  for (const table of ['record', 'record_risk', 'vulnerability', 'list_revision', ...listKeys])
    await database.script(`vacuum (analyze) ${table}`);
  told('statistics');
}

const IndexRow = z.object({ name: z.string(), definition: z.string(), table: z.string() });

async function dropIndexes(database: Database, tables: readonly string[]) {
  const indexes = await queryRows(
    database,
    IndexRow,
    `select indexname as name, indexdef as definition, tablename as table from pg_indexes
     where tablename in ('${tables.join("', '")}') and indexname not in (select conname from pg_constraint)`,
  );
  await database.script(indexes.map(({ name }) => `drop index ${name};`).join('\n'));
  return indexes;
}

/** The default order of the lists is searched by; all else of a list is read by number. */
const listSql = (list: ListKey, place: number) => `
  insert into ${list} (id, natural_key, part, content_hash, created_time, updated_time, keyword, title, title_folded, release_date,
    bulletin_id, bulletin_id_folded, severity, severity_folded, severity_rank, binary_pkg_name, binary_pkg_name_folded, binary_pkg_name_start,
    os_version, os_version_folded, os_version_start, revision)
  overriding system value
  select row_id, 'SA-' || n, 'made up', '', 1, 1, 'sa-' || n, ${title}, lower(${title}), released, 'SA-' || n, 'sa-' || n,
    severity, lower(severity), array_position(array['Low', 'Moderate', 'Important', 'Critical'], severity) + 1,
    ${packages}, ${packages}, ${packages}, release, release, release, 1
  from made where place = ${place};
  insert into entry_detail (list, row_id, detail)
  select '${list}', row_id, jsonb_build_object('cve', to_jsonb(string_to_array(cve, E'\\n')),
    'packages', jsonb_build_array(jsonb_build_object('name', source, 'version', '1.' || n || '-1.el9', 'architecture', 'x86_64')))
  from made where place = ${place};`;

function recordSql(): string {
  const vendors = listKeys.map((key) => {
    const { vendor } = mappingOf(catalogueLists.find((list) => list.key === key) as never);
    return vendor.kind === 'words' ? vendor.words : key;
  });
  return `insert into record (created_time, updated_time, keyword, identifier, identifier_folded, title, title_folded, vendor, vendor_folded,
      release, release_folded, release_start, severity, severity_folded, severity_rank, vendor_severity, vendor_severity_folded,
      cve, cve_folded, cve_start, packages, packages_folded, packages_start, release_date, list, list_folded, record_id, revision, names)
    select 1, 1, 'sa-' || n || E'\\n' || lower(${title}) || E'\\n' || lower(vendor) || E'\\n' || lower(severity) || coalesce(E'\\n' || lower(cve), '') || E'\\n' || ${packages},
      'SA-' || n, 'sa-' || n, ${title}, lower(${title}), vendor, lower(vendor), release, release, release,
      severity, lower(severity), array_position(array['Low', 'Moderate', 'Important', 'Critical'], severity) + 1, severity, lower(severity),
      cve, lower(cve), left(lower(cve), 100), ${packages}, ${packages}, ${packages}, released, list, list, row_id, 1,
      'sa-' || n || coalesce(E'\\n' || lower(cve), '') || E'\\n' || ${packages}
    from made cross join lateral (select (array['${vendors.join("', '")}'])[place + 1] as vendor,
      (array['${listKeys.join("', '")}'])[place + 1] as list) as of_list`;
}

/** Every CVE has a score; how many records of whom name it is counted. */
const vulnerabilitySql = `
  create temporary table counted on commit drop as
    select line as cve, count(*) as records, string_agg(distinct vendor, E'\\n' order by vendor) as vendors
    from record, unnest(string_to_array(cve_folded, E'\\n')) as line group by line;
  insert into vulnerability (created_time, updated_time, keyword, cve, cve_folded, title, title_folded, cvss, cvss_source, cvss_source_folded,
    severity, severity_folded, severity_rank, published, record_count, vendors, vendors_folded, vendors_start, revision)
  select 1, 1, lower(name) || E'\\nflaw ' || n, name, lower(name), 'Flaw ' || n, 'flaw ' || n, score, 'NVD', 'nvd',
    'Important', 'important', 4, ${lastRelease} - (n % 4000) * ${day}::bigint, coalesce(records, 0), vendors, lower(vendors), lower(vendors), 1
  from generate_series(0, ${cveCount - 1}) as n
  cross join lateral (select 'CVE-' || (2010 + n % 16) || '-' || (1000 + n / 16) as name, round((${chance(7)} * 10)::numeric, 1)::float8 as score) as one
  left join counted on counted.cve = lower(name);`;

const riskSql = `
  insert into record_risk (list, record_id, cvss)
  select list, record_id, max(vulnerability.cvss) from record, unnest(string_to_array(record.cve_folded, E'\\n')) as line
    join vulnerability on vulnerability.cve_folded = line group by list, record_id;`;

/** The index of every list is as this version takes it: the service builds none again. */
async function noteIndexed(database: Database, rows: number): Promise<void> {
  for (const list of catalogueLists.filter(isIndexed))
    await database.query(
      'insert into record_index_state (list, mapping, built_to, done) values ($1, $2, 0, true)',
      [list.key, mappingHash(list)],
    );
  const listed = [
    ...listKeys.map((key, place) => [key, Math.ceil((rows - place) / listKeys.length)] as const),
    ['all_patches', rows] as const,
    ['vulnerabilities', cveCount] as const,
  ];
  for (const [list, count] of listed)
    await database.query('update list_revision set revision = 1, listed = $2 where list = $1', [
      list,
      count,
    ]);
}
