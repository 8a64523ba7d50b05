import { getList } from '@patch/catalogue/lists.ts';
import { createChance, pick } from '@patch/catalogue/testing/chance.ts';
import type { ListDifference } from '@patch/contract/licensing/checkpoint-endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { activeClient, emptyRegistry } from '../../licensing/clients/testing/client-registry.ts';
import { withdrawRecords, writeTitled } from '../../testing/record-factories.ts';
import { readCheckpointRevisions } from './checkpoint-store.ts';
import { readContentsAt } from './difference-store.ts';

const keys = ['almalinux_patch', 'debian_patch'] as const;
type Key = (typeof keys)[number];

describeApp('checkpoints', (service) => {
  const { operator } = service;
  const ids = new Map<string, number>();
  beforeEach(async () => {
    await emptyRegistry(service.database);
    await service.database.script('delete from checkpoint; delete from kept_record');
    ids.clear();
  });

  const write = async (list: Key, titles: readonly string[], category: string, now = 1_000) => {
    const written = await writeTitled(service.database, list, titles, { category }, now);
    for (const [title, id] of written) ids.set(`${list} ${title}`, id);
  };
  const withdraw = (list: Key, ...titles: readonly string[]) => {
    const known = titles.map((title) => ids.get(`${list} ${title}`));
    return withdrawRecords(service.database, list, known, 2_000);
  };
  /** Writes or withdraws some records of a list. */
  const changeSome = async (
    titles: readonly string[],
    chance: () => number,
    category: () => number,
    now: number,
  ) => {
    const list = pick(keys, chance);
    const chosen = titles.filter(() => chance() < 0.3);
    const known = chosen.filter((title) => ids.has(`${list} ${title}`));
    if (chance() < 0.35) await withdraw(list, ...known);
    else await write(list, chosen, `category ${category()}`, now);
  };
  const create = async (name: string): Promise<number> =>
    Number((await operator.post('/checkpoints', { name }).json)['id']);
  const count = async (table: string) =>
    Number((await service.rows(`select count(*) as n from ${table}`))[0]?.['n']);

  /** The records of a list as a client gets them, each as its JSON. */
  const fetchCopy = async (caller: typeof operator, list: Key): Promise<readonly string[]> => {
    const { bytes } = await caller.get(`/client/changes?list=${list}`);
    const [, rows = ''] = /^\{"rows":\[(.*)\],"nextCursor"/s.exec(bytes.toString()) ?? [];
    return rows === '' ? [] : rows.split(/,(?=\{"id":\d+,"row":)/).toSorted();
  };
  const readCopyAt = async (checkpoint: number, list: Key): Promise<readonly string[]> => {
    const revisions = await readCheckpointRevisions(service.database, checkpoint);
    const all = await service.rows('select id from stored_record where list = $1', [list]);
    const contents = await readContentsAt(
      service.database,
      getList(list),
      all.map(({ id }) => Number(id)),
      revisions?.[list] ?? 0,
    );
    return [...contents.values()].toSorted();
  };

  /** The listed records of each list, with the revisions of their versions. */
  const readVersions = async (): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> => {
    const rows = await service.rows(
      'select list, id, list_revision as revision from stored_record where withdrawn_time is null',
    );
    const byList = Map.groupBy(rows, ({ list }) => String(list));
    return new Map(
      Array.from(byList, ([list, own]) => [
        list,
        new Map(own.map(({ id, revision }) => [Number(id), Number(revision)])),
      ]),
    );
  };
  type Versions = Awaited<ReturnType<typeof readVersions>>;
  const expectedDifference = (from: Versions, to: Versions) =>
    keys.flatMap((list) => {
      const [former, latter] = [from.get(list) ?? new Map(), to.get(list) ?? new Map()];
      const shared = [...latter].filter(([id]) => former.has(id));
      const added = latter.size - shared.length;
      const withdrawn = former.size - shared.length;
      const changed = shared.filter(([id, revision]) => former.get(id) !== revision).length;
      return added + withdrawn + changed === 0 ? [] : [{ list, added, changed, withdrawn }];
    });
  const readDifference = async (query: string) =>
    ((await operator.get(`/checkpoints/difference?${query}`).list) as unknown as ListDifference[])
      .map(({ list, added, changed, withdrawn }) => ({
        list,
        added: added.count,
        changed: changed.count,
        withdrawn: withdrawn.count,
      }))
      .toSorted((a, b) => keys.indexOf(a.list as Key) - keys.indexOf(b.list as Key));

  test('differ by what was written between them, through random changes and removals', async () => {
    const chance = createChance(20_261_130);
    const moments = new Map<number, Versions>();
    const titles = Array.from({ length: 12 }, (_, n) => `record ${n}`);
    for (let round = 0; round < 80; round += 1) {
      await changeSome(titles, chance, () => round, round);
      if (chance() < 0.3) moments.set(await create(`checkpoint ${round}`), await readVersions());
      const [first] = moments.keys();
      if (first !== undefined && chance() < 0.05) {
        await operator.delete(`/checkpoints/${first}`);
        moments.delete(first);
      }
    }
    expect(moments.size).toBeGreaterThan(8);
    const now = await readVersions();
    for (const [from, former] of moments) {
      expect(await readDifference(`from=${from}`)).toEqual(expectedDifference(former, now));
      for (const [to, latter] of moments)
        expect(await readDifference(`from=${from}&to=${to}`)).toEqual(
          expectedDifference(former, latter),
        );
    }
  });

  test('keep lists to the byte through random changes, withdrawals and returns', async () => {
    const { caller } = await activeClient(service);
    const chance = createChance(20_261_129);
    const copies = new Map<number, ReadonlyMap<Key, readonly string[]>>();
    const titles = Array.from({ length: 30 }, (_, n) => `record ${n}`);
    for (let round = 0; round < 60; round += 1) {
      await changeSome(titles, chance, () => Math.floor(chance() * 3), round);
      if (chance() < 0.4) {
        const id = await create(`checkpoint ${round}`);
        const copy = new Map<Key, readonly string[]>();
        for (const key of keys) copy.set(key, await fetchCopy(caller, key));
        copies.set(id, copy);
      }
      const [first] = copies.keys();
      if (first !== undefined && chance() < 0.08) {
        await operator.delete(`/checkpoints/${first}`);
        copies.delete(first);
      }
    }
    expect(copies.size).toBeGreaterThan(5);
    for (const [id, copy] of copies)
      for (const [list, rows] of copy) expect(await readCopyAt(id, list)).toEqual(rows);
    const sizes = [...copies.values()].map((copy) => copy.get('debian_patch')?.length);
    expect(new Set(sizes).size).toBeGreaterThan(2);
    for (const id of copies.keys()) await operator.delete(`/checkpoints/${id}`);
    expect(await count('kept_record')).toBe(0);
  });

  test('keep nothing of a record before the first checkpoint, and one version for each interval', async () => {
    await write('almalinux_patch', ['a'], 'first');
    await write('almalinux_patch', ['a'], 'second');
    expect(await count('kept_record')).toBe(0);
    const first = await create('First');
    await create('Second');
    for (const category of ['third', 'fourth', 'fifth'])
      await write('almalinux_patch', ['a'], category);
    const kept = await service.rows('select content from kept_record');
    expect(kept.map(({ content }) => JSON.parse(String(content)).row.category)).toEqual(['second']);
    await operator.delete(`/checkpoints/${first}`);
    expect(await count('kept_record')).toBe(1);
  });

  test('wait for a writer that has begun, and have what it commits', async () => {
    await write('almalinux_patch', ['a'], 'old');
    let created: Promise<number> = Promise.resolve(0);
    await service.database.transaction(async (tx) => {
      await tx.query(
        "update list_revision set revision = revision + 1 where list = 'almalinux_patch'",
      );
      created = create('During a write');
      await expect
        .poll(() =>
          service.rows("select 1 from pg_stat_activity where wait_event = 'transactionid'"),
        )
        .toHaveLength(1);
      await tx.query(
        `update almalinux_patch set withdrawn_time = 5, revision = (select revision from list_revision where list = 'almalinux_patch')`,
      );
    });
    expect(await readCopyAt(await created, 'almalinux_patch')).toEqual([]);
    await write('almalinux_patch', ['a'], 'returned');
    expect(await readCopyAt(await created, 'almalinux_patch')).toEqual([]);
  });

  test('say how two differ, in either direction, and what is new since', async () => {
    await write('almalinux_patch', ['stays', 'goes', 'changes'], 'old');
    const first = await create('First');
    await withdraw('almalinux_patch', 'goes');
    await write('almalinux_patch', ['changes', 'comes'], 'new');
    const second = await create('Second');
    await write('debian_patch', ['later'], 'new');
    await write('almalinux_patch', ['changes'], 'newer');
    await withdraw('almalinux_patch', 'comes');

    const named = (...titles: readonly string[]) => ({
      count: titles.length,
      declined: 0,
      passing: 0,
      first: titles.map((title) => expect.objectContaining({ title })),
    });
    const alma = { list: 'almalinux_patch', label: getList('almalinux_patch').label };
    const compare = (query: string) => operator.get(`/checkpoints/difference?${query}`).list;
    expect(await compare(`from=${first}&to=${second}`)).toEqual([
      { ...alma, added: named('comes'), changed: named('changes'), withdrawn: named('goes') },
    ]);
    expect(await compare(`from=${second}&to=${first}`)).toEqual([
      { ...alma, added: named('goes'), changed: named('changes'), withdrawn: named('comes') },
    ]);
    expect(await compare(`from=${second}`)).toEqual([
      { ...alma, added: named(), changed: named('changes'), withdrawn: named('comes') },
      expect.objectContaining({ list: 'debian_patch', added: named('later') }),
    ]);
    expect(await compare(`from=${first}&to=${first}`)).toEqual([]);
    const [reversed] = await compare(`from=${second}&to=${first}`);
    const [id] = await service.rows("select id from almalinux_patch where title = 'comes'");
    expect(reversed).toMatchObject({ withdrawn: { first: [id] } });
  });

  test('are listed, created once by name, and removed', async () => {
    const id = await create('June');
    expect(await operator.post('/checkpoints', { name: 'JUNE' }).outcome).toBe('409 name_taken');
    expect(await service.stan.get('/checkpoints').list).toEqual([
      { id, name: 'June', createdBy: 'Operator', createdTime: service.now },
    ]);
    expect(await service.stan.delete(`/checkpoints/${id}`).status).toBe(403);
    const gone = '404 no_such_checkpoint';
    expect(await operator.get(`/checkpoints/difference?from=${id + 1}`).outcome).toBe(gone);
    expect(await operator.delete(`/checkpoints/${id}`).status).toBe(200);
    expect(await operator.delete(`/checkpoints/${id}`).outcome).toBe(gone);
  });
});
