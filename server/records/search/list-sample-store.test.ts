import { listOfKey } from '@patch/catalogue/lists.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { ListSamples, rowsWithParts } from './list-sample-store.ts';

const centos = listOfKey('centos_patch');

describeWithDatabase('the sample of a list', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await database.script(
      `insert into centos_patch (natural_key, part, content_hash, created_time, updated_time, keyword, bulletin_id, bulletin_id_folded)
       select n, 'part', '', 1, 1, 'security update' || case when n % 20 = 7 then ' openssl' else '' end || E'\\ncesa-' || n, 'CESA-' || n, 'cesa-' || n
       from generate_series(1, 6000) as n;
       update list_revision set listed = 6000 where list = 'centos_patch'`,
    );
  });

  test('tells how long texts are and how many rows have the parts of a word', async () => {
    const sample = await new ListSamples(database).of(centos);
    expect(sample.listed).toBe(6000);
    expect(sample.widths.get('bulletin_id_folded')).toBeGreaterThan(7);
    expect(sample.widths.get('bulletin_id_folded')).toBeLessThan(10);
    expect(rowsWithParts(['%zanzibar%'], sample)).toBe(0);
    // All parts stand in every row, the whole in none.
    expect(rowsWithParts(['%update security%'], sample)).toBe(6000);
  });

  test('meets what every twentieth row has about as often as it is there', async () => {
    const found = rowsWithParts(['%openssl%'], await new ListSamples(database).of(centos));
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(1500);
  });

  test('is read again when the list has grown, and not for every search', async () => {
    let now = 0;
    let statements = 0;
    const samples = new ListSamples(
      { query: (text, values) => ((statements += 1), database.query(text, values)) },
      () => now,
    );
    await samples.of(centos);
    await samples.of(centos);
    const first = statements;
    await Promise.all([samples.of(centos), samples.of(centos)]);
    expect(statements).toBe(first);
    await database.script("update list_revision set listed = 9000 where list = 'centos_patch'");
    now += 60_000;
    expect((await samples.of(centos)).listed).toBe(9000);
  });

  test('of an empty list names no rows', async () => {
    const sample = await new ListSamples(database).of(listOfKey('pardus_patch'));
    expect(sample).toMatchObject({ listed: 0, keywords: [] });
    expect(rowsWithParts(['%openssl%'], sample)).toBe(0);
  });
});
