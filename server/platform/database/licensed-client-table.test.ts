/** What migration 210 makes of clients that a former version wrote as rows of a list. */
import { listOfKey } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { readDetail } from '../../records/details/detail-store.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { migratedBefore } from '../../testing/migrated-before.ts';
import { migrate } from './migrate.ts';

const clients = listOfKey('floto_user');

describeWithDatabase('the table of licensed clients', (open) => {
  test('holds what the list and its details held, under the same numbers, with positions and warnings', async () => {
    const database = await open();
    await migratedBefore(database, '210');
    await database.script(`
      insert into floto_user (natural_key, part, content_hash, created_time, updated_time, keyword, client_name, client_name_folded, license_type,
        license_type_folded, license_expiry, activation_code, repo_updated_on, latest_kb_request_on, registered_on, application_version, application_version_folded, revision)
      values ('gone', 'registry', 'x', 1, 1, '', null, null, null, null, null, null, null, null, null, null, null, 1),
        ('k1', 'registry', 'x', 10, 20, 'north hospital', 'North Hospital', 'north hospital', 'trial', 'trial', 30, 'sealed', 40, 50, 60, '1.0', '1.0', 7),
        ('k2', 'registry', 'x', 11, 21, 'bare', 'Bare', 'bare', null, null, null, null, null, null, null, null, null, 8);
      delete from floto_user where natural_key = 'gone';
      insert into entry_detail (list, row_id, detail) values ('floto_user', 2, '{"families": ["debian", "almaLinux"], "familyNames": ["Debian", "AlmaLinux"],
        "deploymentMode": "distributed", "environment": "test", "technicianLicence": "concurrent", "technicians": 4, "itAssets": 5, "nonItAssets": 6,
        "endPoints": 7, "contactEmail": "it@north.example", "notes": "two\\nlines", "hostName": "repo-1", "revokedOn": 80, "revokedBy": "Operator"}');
      insert into licensed_client (row_id, token_hash, code_hash, reactivation_until) values (2, 'token', 'code', 90);
      insert into client_position (row_id, list, revision, fetched_time) values (2, 'debian_patch', 3, 4);
      insert into licence_warning (row_id, license_expiry, days, warned_time) values (2, 30, 7, 5);
      update list_revision set revision = 8, listed = 2 where list = 'floto_user';
    `);
    await migrate(database);
    expect(await readDetail(database, clients, 2, (sealed) => `opened ${sealed}`)).toEqual({
      id: 2,
      clientName: 'North Hospital',
      licenseType: 'trial',
      licenseExpiry: 30,
      activationCode: 'opened sealed',
      repoUpdatedOn: 40,
      latestKbRequestOn: 50,
      registeredOn: 60,
      applicationVersion: '1.0',
      deploymentMode: 'distributed',
      environment: 'test',
      familyNames: ['Debian', 'AlmaLinux'],
      technicianLicence: 'concurrent',
      technicians: 4,
      itAssets: 5,
      nonItAssets: 6,
      endPoints: 7,
      contactEmail: 'it@north.example',
      notes: 'two\nlines',
      hostName: 'repo-1',
      revokedOn: 80,
      revokedBy: 'Operator',
      firstSeenTime: 10,
      changedTime: 20,
      withdrawnTime: null,
    });
    const { rows } = await database.query(
      'select id, key, revision, client_name_folded, keyword, families, token_hash, code_hash, reactivation_until from licensed_client order by id',
    );
    expect(rows).toEqual([
      {
        id: 2,
        key: 'k1',
        revision: 7,
        client_name_folded: 'north hospital',
        keyword: 'north hospital',
        families: ['debian', 'almaLinux'],
        token_hash: 'token',
        code_hash: 'code',
        reactivation_until: 90,
      },
      {
        id: 3,
        key: 'k2',
        revision: 8,
        client_name_folded: 'bare',
        keyword: 'bare',
        families: [],
        token_hash: null,
        code_hash: null,
        reactivation_until: null,
      },
    ]);
    expect((await database.query('select client_id, revision from client_position')).rows).toEqual([
      { client_id: 2, revision: 3 },
    ]);
    expect((await database.query('select client_id, days from licence_warning')).rows).toEqual([
      { client_id: 2, days: 7 },
    ]);
    const { rows: added } = await database.query(
      "insert into licensed_client (key, created_time, updated_time, revision, keyword) values ('k3', 1, 1, 9, '') returning id",
    );
    expect(added).toEqual([{ id: 4 }]);
    expect(
      (await database.query("select 1 from entry_detail where list = 'floto_user'")).rows,
    ).toEqual([]);
  });
});
