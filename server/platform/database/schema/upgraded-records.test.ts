/** A database of the version before the one table of records is upgraded without a loss. */
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { migrateBefore } from '../../../testing/earlier-database.ts';
import { writeRecords } from '../../../testing/record-factories.ts';
import { migrate } from './migrate.ts';

/** Two lists whose numbers are the same, a withdrawn record, and an update that one of its records stands for. */
const earlierRows = `
  insert into almalinux_patch (natural_key, part, content_hash, created_time, updated_time, withdrawn_time, keyword, revision,
    title, title_folded, bulletin_id, bulletin_id_folded, severity, severity_folded, severity_rank, release_date, os_version, os_version_folded)
  values ('a', '9', 'hash a', 1, 2, null, 'cve-2024-1111', 5, 'İ kernel', 'i kernel', 'ALSA-1', 'alsa-1', 'Critical', 'critical', 0, 7, E'AlmaLinux 9\\nAlmaLinux 8', E'almalinux 9\\nalmalinux 8'),
    ('gone', '9', 'hash gone', 1, 3, 4, '', 6, 'Gone', 'gone', 'ALSA-2', 'alsa-2', null, null, null, null, null, null);
  insert into patch_repository (natural_key, part, content_hash, created_time, updated_time, keyword, revision, kb_id, kb_id_folded, exploited)
  values ('k1', 'guide', 'hash k1', 1, 2, '', 8, 'KB1', 'kb1', true), ('k2', 'guide', 'hash k2', 1, 2, '', 9, 'KB1', 'kb1', null);
  insert into record (created_time, updated_time, keyword, identifier, identifier_folded, title, title_folded, severity, severity_folded, severity_rank,
    release_date, list, list_folded, record_id, folded, update_key, revision, names, risk_scope)
  values (1, 2, '', 'KB1', 'kb1', null, null, null, null, null, null, 'patch_repository', 'patch_repository', 2, true, 'wsus kb1', 3, 'kb1', null),
    (1, 2, '', 'KB1', 'kb1', null, null, 'Low', 'low', 2, null, 'patch_repository', 'patch_repository', 1, false, 'wsus kb1', 4, 'kb1', 'update:patch_repository'),
    (1, 2, '', 'ALSA-1', 'alsa-1', 'İ kernel', 'i kernel', 'Critical', 'critical', 4, 7, 'almalinux_patch', 'almalinux_patch', 1, false, null, 5, E'alsa-1\\ni kernel', null);
  update record set vendor_severity = 'Low', vendor_severity_folded = 'low', superseded = true where identifier = 'KB1' and not folded;
  insert into entry_detail (list, row_id, detail) values ('almalinux_patch', 1, '{"description":"first"}'), ('almalinux_patch', 2, '{"description":"gone"}'),
    ('patch_repository', 1, '{"uuid":"one"}'), ('patch_repository', 2, '{"uuid":"two"}');
  insert into record_risk (list, record_id, cvss) values ('almalinux_patch', 1, 9), ('patch_repository', 1, 1), ('update:patch_repository', 1, 2), ('patch_repository', 2, 3);
  insert into record_epss (list, record_id, epss) values ('patch_repository', 2, 0.5);
  insert into vendor_score (cve_folded, list, version, score, record_id) values ('cve-2024-1111', 'almalinux_patch', '3.1', 9, 1);
  insert into feed_former_key (list, key, row_id) values ('almalinux_patch', 'former', 1);
  insert into missing_record (list, record_id, exploited) values ('almalinux_patch', 1, false), ('patch_repository', 1, false), ('patch_repository', 2, false);
  insert into missing_exception (client_id, list, record_id, until, reason, created_by, created_time) values (1, 'patch_repository', 2, 1, '', '', 1);`;

describeWithDatabase('records of an earlier version', (openFresh) => {
  test('have one row each, and whatever named them names them still', async () => {
    const database = await openFresh();
    await migrateBefore(database, 110);
    await database.script(earlierRows);
    const epoch = async () => (await database.query('select epoch from change_epoch')).rows[0];
    const before = await epoch();
    await migrate(database);
    expect(await epoch()).not.toEqual(before);
    const read = async (sql: string) => (await database.query(sql)).rows;
    expect(
      await read(
        `select natural_key, part, content_hash, created_time, updated_time, withdrawn_time, keyword, revision, title, title_folded, bulletin_id,
           bulletin_id_folded, severity, severity_rank, release_date, os_version, os_version_folded from almalinux_patch order by natural_key`,
      ),
    ).toEqual([
      {
        natural_key: 'a',
        part: '9',
        content_hash: 'hash a',
        created_time: 1,
        updated_time: 2,
        withdrawn_time: null,
        keyword: 'cve-2024-1111\nalsa-1\ni kernel',
        revision: 5,
        title: 'İ kernel',
        title_folded: 'i kernel',
        bulletin_id: 'ALSA-1',
        bulletin_id_folded: 'alsa-1',
        severity: 'Critical',
        severity_rank: 5,
        release_date: 7,
        os_version: 'AlmaLinux 9\nAlmaLinux 8',
        os_version_folded: 'almalinux 9\nalmalinux 8',
      },
      expect.objectContaining({
        natural_key: 'gone',
        withdrawn_time: 4,
        revision: 6,
        title: 'Gone',
      }),
    ]);
    expect(
      await read(
        'select kb_id, kb_id_folded, listed.severity, listed.superseded, own from patch_repository as listed join stored_record using (id) order by id',
      ),
    ).toEqual([
      { kb_id: 'KB1', kb_id_folded: 'kb1', severity: null, superseded: null, own: {} },
      {
        kb_id: 'KB1',
        kb_id_folded: 'kb1',
        severity: null,
        superseded: null,
        own: { exploited: true, severity: null, superseded: null },
      },
    ]);
    const named = `select stored.natural_key as key, stored.list, risk.cvss, epss.epss, detail from stored_record as stored
      left join record_risk as risk on risk.record_id = stored.id
      left join record_epss as epss on epss.record_id = stored.id order by stored.natural_key`;
    expect(await read(named)).toEqual([
      { key: 'a', list: 'almalinux_patch', cvss: 9, epss: null, detail: { description: 'first' } },
      {
        key: 'gone',
        list: 'almalinux_patch',
        cvss: null,
        epss: null,
        detail: { description: 'gone' },
      },
      { key: 'k1', list: 'patch_repository', cvss: 1, epss: null, detail: { uuid: 'one' } },
      { key: 'k2', list: 'patch_repository', cvss: 3, epss: 0.5, detail: { uuid: 'two' } },
    ]);
    expect(
      await read('select identifier, folded, cvss from all_patches order by revision'),
    ).toEqual([
      { identifier: 'KB1', folded: true, cvss: 3 },
      { identifier: 'KB1', folded: false, cvss: 3 },
      { identifier: 'ALSA-1', folded: false, cvss: 9 },
    ]);
    for (const [table, column, keys] of [
      ['vendor_score', 'record_id', ['a']],
      ['feed_former_key', 'row_id', ['a']],
      ['missing_record', 'record_id', ['a', 'k1', 'k2']],
      ['missing_exception', 'record_id', ['k2']],
    ] as const)
      expect(
        (
          await read(
            `select natural_key from ${table} as named join stored_record as stored on stored.list = named.list and stored.id = named.${column} order by 1`,
          )
        ).map(({ natural_key: key }) => key),
      ).toEqual(keys);
    const written = await writeRecords(database, 'almalinux_patch', [
      { key: 'next', row: { bulletinId: 'ALSA-3', title: 'Next' } },
    ]);
    expect(written.get('next')).toBe(5);
  });
});
