import { type Chance, createChance, pick } from '@patch/catalogue/testing/chance.ts';
import { seeds } from '@patch/catalogue/testing/rounds.ts';
import { beforeEach, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { activeClient, emptyRegistry } from '../clients/testing/client-registry.ts';
import { fetchPage, ListCopy, list } from './testing/list-copy.ts';

type Rows = ReadonlyMap<number, string>;
interface ModelRing {
  readonly id: number;
  checkpoint: number;
  passesExploited: boolean;
  readonly decisions: Map<string, { id: number; decision: string }>;
}

describeApp('decisions for rings', (service) => {
  const { operator } = service;
  const ids = new Map<string, number>();
  beforeEach(async () => {
    await emptyRegistry(service.database);
    await service.database.script(
      'delete from ring; delete from checkpoint; delete from kept_record; delete from vulnerability; delete from record_risk',
    );
    ids.clear();
  });

  const write = async (cves: Readonly<Record<string, string | null>>, category: string) => {
    const records = Object.entries(cves).map(([title, cve]) => ({
      key: title,
      row: { title, bulletinId: `ALSA-${title}`, category },
      detail: { cve: cve === null ? [] : [cve] },
    }));
    for (const [title, id] of await writeRecords(service.database, list, records))
      ids.set(title, id);
  };
  const withdraw = (titles: readonly string[]) =>
    withdrawRecords(
      service.database,
      list,
      titles.flatMap((title) => ids.get(title) ?? []),
    );
  const setExploited = async (cve: string, isExploited: boolean) => {
    const facts = isExploited ? buildKevFacts(cve) : { of: 'kev', cve, facts: null, hash: '' };
    await writeCveFacts(service.database, facts as ReturnType<typeof buildKevFacts>);
    await refreshStaleCves(service.database);
  };
  const createCheckpoint = async (name: string) =>
    Number((await operator.post('/checkpoints', { name }).json)['id']);
  const createRing = async (body: object) =>
    Number((await operator.post('/rings', { name: 'Test', ...body }).json)['id']);
  const change = async (ring: number, body: object) =>
    expect(await operator.put(`/rings/${ring}`, body).outcome).toBe('200');
  const decide = async (ring: number, title: string, decision: string) => {
    const body = { list, name: `alsa-${title}`, decision, reason: 'Tried out' };
    const { status, json } = await operator.post(`/rings/${ring}/decisions`, body);
    expect([status, json['userMessage']]).toEqual([201, undefined]);
    return Number(json['id']);
  };
  const takeBack = async (id: number) =>
    expect(await operator.delete(`/rings/decisions/${id}`).outcome).toBe('200');

  test.each(seeds(4))(
    'give clients what a plain model says, through random syncs, decisions and promotions (%i)',
    async (seed) => {
      expect(await walk(createChance(seed))).toBeGreaterThan(20);
    },
  );

  /** Returns how many copies were compared. */
  async function walk(chance: Chance): Promise<number> {
    const plain = new ListCopy((await activeClient(service)).caller);
    const { id: clientId, caller } = await activeClient(service, { clientName: 'In a ring' });
    const client = new ListCopy(caller);
    const cves = ['CVE-2026-0001', 'CVE-2026-0002', 'CVE-2026-0003', 'CVE-2026-0004'];
    const titles = Array.from({ length: 24 }, (_, n) => `record ${n}`);
    const exploited = new Set<string>();
    const cveOf = new Map<string, string | null>();
    const checkpoints = new Map<number, Rows>();
    const rings: ModelRing[] = [];
    let now: Rows = new Map();
    let ring: ModelRing | null = null;
    let compared = 0;

    const sync = async () => {
      const chosen = titles.filter(() => chance() < 0.2);
      if (chance() < 0.35) await withdraw(chosen.filter((title) => ids.has(title)));
      else {
        const written = chosen.map((title) => [title, chance() < 0.5 ? pick(cves, chance) : null]);
        for (const [title, cve] of written) cveOf.set(String(title), cve ?? null);
        await write(Object.fromEntries(written), `category ${Math.floor(chance() * 4)}`);
      }
      await plain.finish(100);
      now = new Map(plain.byId);
    };
    const addCheckpoint = async (name: string) => {
      const id = await createCheckpoint(name);
      checkpoints.set(id, now);
      return id;
    };
    const decisionIn = (on: ModelRing | null, title: string) => on?.decisions.get(title)?.decision;
    const passesIn = (on: ModelRing | null, title: string): boolean => {
      const decision = decisionIn(on, title);
      if (decision !== undefined) return decision === 'approved';
      const isExploited = now.has(ids.get(title) ?? -1) && exploited.has(cveOf.get(title) ?? '');
      return on?.passesExploited === true && isExploited;
    };
    const expected = (on: ModelRing | null): readonly string[] => {
      if (on === null) return [...now.values()].toSorted();
      const rows = new Map(checkpoints.get(on.checkpoint));
      for (const [title, id] of ids) {
        const passes = passesIn(on, title);
        const present = now.get(id);
        if (decisionIn(on, title) === 'declined' || (passes && present === undefined))
          rows.delete(id);
        else if (passes && present !== undefined) rows.set(id, present);
      }
      return [...rows.values()].toSorted();
    };
    /** Expects that the client is said to lack each listed record whose present version it has not got, with the reason. */
    const compareLacks = async () => {
      for (const [title, id] of ids) {
        const row = now.get(id);
        if (row === undefined) continue;
        const lacking = await operator.get(`/windows/user/not-fetched/${list}/${id}`).list;
        const heldBack = lacking.find((one) => one['id'] === clientId)?.['heldBack'];
        const isDeclined = decisionIn(ring, title) === 'declined';
        const isSame = client.byId.get(id) === row;
        // A record that changed and changed back has the text of the checkpoint's version.
        const mayLack = isSame && !passesIn(ring, title) ? [undefined, 'newer'] : [undefined];
        expect(isSame ? mayLack : [isDeclined ? 'declined' : 'newer'], title).toContain(heldBack);
      }
    };
    const compare = async () => {
      expect(await client.finish(1 + Math.floor(chance() * 20))).toEqual(expected(ring));
      await compareLacks();
      compared += 1;
    };

    await write({ 'record 0': null }, 'first');
    cveOf.set('record 0', null);
    await sync();
    for (const name of ['one', 'two']) {
      const checkpoint = await addCheckpoint(name);
      const id = await createRing({ name, checkpoint });
      rings.push({ id, checkpoint, passesExploited: false, decisions: new Map() });
    }
    const act = async (dice: number, step: number) => {
      const other = pick(rings, chance);
      const at = chance() < 0.7 ? (ring ?? other) : other;
      if (dice < 0.14) await sync();
      else if (dice < 0.19) await addCheckpoint(`step ${step}`);
      else if (dice < 0.26) {
        at.checkpoint = pick([...checkpoints.keys()], chance);
        await change(at.id, { checkpoint: at.checkpoint });
      } else if (dice < 0.3) {
        const next: ModelRing | null = chance() < 0.3 ? null : other;
        if (next === null) for (const { id } of rings) await change(id, { clients: [] });
        else await change(next.id, { clients: [clientId] });
        ring = next;
      } else if (dice < 0.42) {
        const title = pick([...ids.keys()], chance);
        const decision = chance() < 0.5 ? 'approved' : 'declined';
        at.decisions.set(title, { id: await decide(at.id, title, decision), decision });
      } else if (dice < 0.5 && at.decisions.size > 0) {
        const [title, { id }] = pick([...at.decisions], chance);
        await takeBack(id);
        at.decisions.delete(title);
      } else if (dice < 0.55) {
        at.passesExploited = !at.passesExploited;
        await change(at.id, { passesExploited: at.passesExploited });
      } else {
        const cve = pick(cves, chance);
        const isExploited = !exploited.has(cve);
        if (isExploited) exploited.add(cve);
        else exploited.delete(cve);
        await setExploited(cve, isExploited);
      }
    };
    for (let step = 0; step < 260; step += 1) {
      const dice = chance();
      const size = 1 + Math.floor(chance() * 6);
      if (dice < 0.15) await compare();
      else if (dice < 0.35) await client.step(size, chance() < 0.25);
      // The call and the change meet at any moment.
      else if (dice < 0.5) await Promise.all([client.step(size), act(chance() * 0.63, step)]);
      else await act(chance() * 0.63, step);
    }
    for (ring of [...rings, null]) {
      await (ring === null
        ? operator.delete(`/rings/${rings.at(-1)?.id}`)
        : change(ring.id, { clients: [clientId] }));
      await compare();
    }
    return compared;
  }

  test('answer a client that has heard of everything with 304, and with what is new of decisions alone', async () => {
    const { id, caller } = await activeClient(service);
    await write({ a: null, b: null, c: null }, 'old');
    const ring = await createRing({ checkpoint: await createCheckpoint('First'), clients: [id] });
    const first = await decide(ring, 'a', 'declined');
    const copy = new ListCopy(caller);
    expect(await copy.finish(100)).toHaveLength(2);
    await write({ a: null, b: null, d: null }, 'new');
    const known = await caller.get(`/client/changes?list=${list}${copy.since}`);
    const poll = () =>
      caller.get(`/client/changes?list=${list}${copy.since}`, {
        'if-none-match': String(known.headers['etag']),
      });
    expect(known.json).toMatchObject({ rows: [], more: false });
    expect(await poll().status).toBe(304);

    await decide(ring, 'd', 'approved');
    expect(await poll().json).toMatchObject({ rows: [{ row: { title: 'd' } }], more: false });
    await copy.finish(100);
    await write({ b: null, d: null }, 'newer');
    const page = await fetchPage(caller, copy.since);
    expect(page.rows.map(({ id: recordId }) => recordId)).toEqual([ids.get('d')]);
    await withdraw(['d']);
    expect(await fetchPage(caller, copy.since)).toMatchObject({
      rows: [{ id: ids.get('d'), gone: true }],
    });
    await takeBack(first);
    const taken = await fetchPage(caller, copy.since);
    expect(JSON.parse(String(taken.rows[0]?.text))).toMatchObject({
      row: { title: 'a', category: 'old' },
      withdrawnTime: null,
    });
  });

  test('are listed with their records, replaced by name, and taken back by approvers', async () => {
    await write({ a: null, b: null }, 'old');
    const ring = await createRing({ checkpoint: await createCheckpoint('First') });
    await write({ b: null, c: null }, 'new');
    await decide(ring, 'a', 'approved');
    service.now += 1_000;
    const b = await decide(ring, 'b', 'approved');
    const path = `/rings/${ring}/decisions`;
    const shown = { list, label: 'AlmaLinux patches', records: 1, reason: 'Tried out' };
    const listed = await service.stan.get(path).list;
    expect(listed).toEqual([
      {
        ...shown,
        id: b,
        name: 'alsa-b',
        firstRecord: ids.get('b'),
        decision: 'approved',
        isCaughtUp: false,
        decidedTime: service.now,
        decidedBy: 'Operator',
      },
      expect.objectContaining({ ...shown, name: 'alsa-a', isCaughtUp: true }),
    ]);
    await change(ring, { checkpoint: await createCheckpoint('Second') });
    expect(await service.stan.get(path).list).toMatchObject([
      { id: b, isCaughtUp: true },
      { name: 'alsa-a' },
    ]);
    expect(await decide(ring, 'B', 'declined')).toBe(b);
    expect(await service.stan.get('/rings').list).toMatchObject([{ approved: 1, declined: 1 }]);
    const body = { list, name: 'ALSA-c', decision: 'approved', reason: 'Mine' };
    expect(await service.stan.post(path, body).status).toBe(403);
    expect(await service.stan.delete(`/rings/decisions/${b}`).status).toBe(403);
    expect(await service.stan.put(`/rings/${ring}`, { passesExploited: true }).status).toBe(403);
    await takeBack(b);
    expect(await operator.delete(`/rings/decisions/${b}`).outcome).toBe('404 no_such_decision');
    expect(await service.stan.get(path).list).toMatchObject([{ name: 'alsa-a' }]);
    const entries = await operator.get('/audit?action=take_back_ring_decision').list;
    expect(entries.find(({ outcome }) => outcome === 'done')).toMatchObject({
      userName: 'Operator',
      subject: 'ring Test',
    });
  });

  test('are refused for names without a record, unknown lists and rings, and without a reason', async () => {
    await write({ a: null }, 'old');
    const ring = await createRing({ checkpoint: await createCheckpoint('First') });
    const path = `/rings/${ring}/decisions`;
    const body = { list, name: 'ALSA-a', decision: 'declined', reason: 'Mine' };
    const post = (more: object, to = path) => operator.post(to, { ...body, ...more }).outcome;
    expect(await post({ name: 'ALSA-z' })).toBe('404 not_found');
    expect(await post({ list: 'debian_patch' })).toBe('404 not_found');
    for (const unknown of ['vulnerabilities', 'floto_user', 'pg_class'])
      expect(await post({ list: unknown })).toBe('404 not_found');
    expect(await post({}, `/rings/${ring + 1}/decisions`)).toBe('404 no_such_ring');
    for (const wrong of [{ reason: ' ' }, { reason: 'x'.repeat(501) }, { decision: 'removed' }])
      expect(await post(wrong)).toBe('422 invalid_input');
    expect(await operator.get(`/rings/${ring + 1}/decisions`).outcome).toBe('404 no_such_ring');
  });

  test('are a thousand for a ring, of a thousand records each', async () => {
    await write({ a: null }, 'old');
    const ring = await createRing({ checkpoint: await createCheckpoint('First') });
    await service.database.query(
      `insert into ring_decision (ring_id, list, name, name_folded, decision, reason, decided_time, decided_by)
       select $1, 'debian_patch', n::text, n::text, 'declined', 'Many', 1, 'Operator' from generate_series(1, 999) as n`,
      [ring],
    );
    const first = await decide(ring, 'a', 'declined');
    await write({ b: null }, 'old');
    const body = { list, name: 'ALSA-b', decision: 'declined', reason: 'One more' };
    const post = () => operator.post(`/rings/${ring}/decisions`, body).outcome;
    expect(await post()).toBe('409 too_many_decisions');
    expect(await decide(ring, 'a', 'approved')).toBe(first);
    await takeBack(first);
    expect(await post()).toBe('201');

    const many = Array.from({ length: 1_001 }, (_, n) => ({
      key: `many ${n}`,
      row: { title: `many ${n}`, bulletinId: 'ALSA-many' },
    }));
    await writeRecords(service.database, list, many);
    await service.database.script("delete from ring_decision where list = 'debian_patch'");
    const refused = await operator.post(`/rings/${ring}/decisions`, { ...body, name: 'alsa-many' });
    expect(refused.json['userMessage']).toBe("More than 1000 records have the name 'alsa-many'.");
  });

  test('are counted in the difference that a promotion brings', async () => {
    await write({ a: null, b: null }, 'old');
    const first = await createCheckpoint('First');
    const ring = await createRing({ checkpoint: first, passesExploited: true });
    const cve = 'CVE-2026-0001';
    await write({ a: null, b: cve, c: null, d: cve, e: cve }, 'new');
    const second = await createCheckpoint('Second');
    await setExploited(cve, true);
    for (const title of ['a', 'e']) await decide(ring, title, 'declined');
    await decide(ring, 'c', 'approved');
    const differ = async (query: string) => {
      const [row] = await operator.get(`/checkpoints/difference?from=${first}&to=${second}${query}`)
        .list;
      return row;
    };
    expect(await differ(`&ring=${ring}`)).toMatchObject({
      added: { count: 3, declined: 1, passing: 2 },
      changed: { count: 2, declined: 1, passing: 1 },
    });
    expect(await differ('')).toMatchObject({
      added: { count: 3, declined: 0, passing: 0 },
      changed: { count: 2, declined: 0, passing: 0 },
    });
  });
});
