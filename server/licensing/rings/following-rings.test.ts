import { type Chance, createChance, pick } from '@patch/catalogue/testing/chance.ts';
import { seeds } from '@patch/catalogue/testing/rounds.ts';
import { beforeEach, expect, test } from 'vitest';
import { day, describeApp, hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { auditKey } from '../../platform/audit/audit-hash.ts';
import type { Caller } from '../../testing/caller.ts';
import { writeTitled } from '../../testing/record-factories.ts';
import { activeClient, emptyRegistry, fetchPage } from '../clients/testing/client-registry.ts';
import { type CheckpointRules, startCheckpointRules } from './start-checkpoint-rules.ts';

interface ListedRing {
  readonly checkpoint: { readonly name: string };
  readonly promotedBy: string;
  readonly promotedTime: number;
  readonly follows: { readonly rule: { readonly name: string } } | null;
}

/** A checkpoint as the rules say that it exists. `order` grows with each. */
interface Known {
  readonly order: number;
  readonly name: string;
  readonly id: number;
  readonly createdTime: number;
  rule: number | null;
}
interface ModelRing {
  readonly id: number;
  on: Known;
  by: string;
  follows: { rule: number; afterDays: number } | null;
  /** The order of the newest checkpoint that it left while it followed the rule. */
  left: number;
}
interface ModelRule {
  name: string;
  weekly: boolean;
  keep: number;
}

describeApp('rings that follow rules', (service) => {
  let rules: CheckpointRules;
  let operator: Caller;
  beforeEach(async () => {
    await emptyRegistry(service.database);
    await service.database.script(
      'delete from ring; delete from checkpoint; delete from checkpoint_rule; delete from kept_record',
    );
    service.now = Date.UTC(2026, 10, 22);
    const key = auditKey(service.box);
    const log = { info: () => undefined, warn: (facts: object) => expect(facts).toBeNull() };
    const { database } = service;
    // Sign-ins are limited, and each session ends within a step of the time.
    const apiKey = {
      name: 'Walk',
      scopes: ['read', 'clients'],
      expiresAt: service.now + 365 * day,
    };
    operator = service.as((await service.operator.post('/me/apikeys', apiKey).json)['key']);
    rules = startCheckpointRules({ database, key, log, clock: () => service.now });
  });

  const schedule = { week: null, weekday: 'Tuesday', hour: 6, timeZone: 'UTC', keep: 3 };
  const createRule = async (more: object = {}) =>
    Number(
      (await operator.post('/checkpoints/rules', { name: 'Tuesdays', ...schedule, ...more }).json)[
        'id'
      ],
    );
  const createCheckpoint = async (name: string) =>
    Number((await operator.post('/checkpoints', { name }).json)['id']);
  const createRing = async (body: object) =>
    Number((await operator.post('/rings', body).json)['id']);
  const readRings = async () =>
    (await operator.get('/rings').list) as unknown as readonly (ListedRing & { id: number })[];
  /** Lets the time pass in half days, as a service that runs. */
  const pass = async (days: number) => {
    for (const until = service.now + days * day; service.now < until; ) {
      service.now += day / 2;
      await rules.runDue();
    }
  };

  test('give their clients the list of the newest checkpoint that is old enough', async () => {
    const { id, caller } = await activeClient(service, { licenseExpiry: service.now + 300 * day });
    const titles = async () => {
      const { rows } = await fetchPage(caller, 'almalinux_patch');
      return rows.map(({ row }) => row['title']);
    };
    const write = (title: string) => writeTitled(service.database, 'almalinux_patch', [title], {});
    await write('before');
    const checkpoint = await createCheckpoint('By hand');
    const follows = { rule: await createRule(), afterDays: 10 };
    await createRing({ name: 'Pilot', checkpoint, clients: [id], follows });
    await write('first week');
    await pass(3);
    await write('second week');
    await pass(7);
    expect(await titles()).toEqual(['before']);
    await pass(3);
    expect(await titles()).toEqual(['before', 'first week']);
    expect(await readRings()).toMatchObject([
      {
        checkpoint: { name: 'Tuesdays 2026-11-24' },
        promotedBy: 'Tuesdays',
        follows: { rule: { id: follows.rule, name: 'Tuesdays' }, afterDays: 10 },
      },
    ]);
    await pass(7);
    expect(await titles()).toEqual(['before', 'first week', 'second week']);
    const [entry] = await service.operator.get('/audit?action=follow_rule').list;
    expect(entry).toMatchObject({
      userName: null,
      subject: 'ring Pilot',
      summary: 'A ring follows its rule to a checkpoint',
      outcome: 'done',
    });
  });

  test('stay where a person moved them back to, until the rule makes a newer checkpoint', async () => {
    const checkpoint = await createCheckpoint('By hand');
    const follows = { rule: await createRule(), afterDays: 0 };
    const ring = await createRing({ name: 'Pilot', checkpoint, follows });
    await pass(3);
    const onto = async () => (await readRings())[0]?.checkpoint.name;
    expect(await onto()).toBe('Tuesdays 2026-11-24');
    await operator.put(`/rings/${ring}`, { checkpoint, name: 'Pilot', follows });
    await pass(6);
    expect(await onto()).toBe('By hand');
    await pass(1);
    expect(await onto()).toBe('Tuesdays 2026-12-01');
    const newer = await createCheckpoint('Newer');
    await operator.put(`/rings/${ring}`, { checkpoint: newer });
    await pass(6);
    expect(await onto()).toBe('Newer');
    await pass(1);
    expect(await onto()).toBe('Tuesdays 2026-12-08');
  });

  test('refuse rules that keep too few checkpoints, unknown ones, and changes by readers', async () => {
    const checkpoint = await createCheckpoint('By hand');
    const rule = await createRule({ keep: 2 });
    const body = { name: 'Pilot', checkpoint };
    const create = (follows: object) => operator.post('/rings', { ...body, follows }).outcome;
    expect(await create({ rule, afterDays: 14 })).toBe('409 rule_keeps_too_few');
    expect(await create({ rule: rule + 1, afterDays: 0 })).toBe('404 no_such_rule');
    expect(await create({ rule, afterDays: 91 })).toBe('422 invalid_input');
    expect(await create({ rule, afterDays: 13 })).toBe('201');
    const change = (more: object) => operator.put(`/checkpoints/rules/${rule}`, more).outcome;
    expect(await change({ week: 1 })).toBe('200');
    const other = await createRule({ name: 'Other' });
    expect(await change({ name: 'OTHER' })).toBe('409 name_taken');
    expect(await operator.put(`/checkpoints/rules/${other}`, { keep: 1 }).outcome).toBe(
      '422 invalid_input',
    );
    expect(await service.stan.delete(`/checkpoints/rules/${rule}`).status).toBe(403);
    expect(await service.stan.get('/checkpoints/rules').list).toMatchObject([
      { id: other, nextTime: Date.UTC(2026, 10, 24, 6), problem: null },
      { id: rule, name: 'Tuesdays', week: 1, nextTime: Date.UTC(2026, 11, 1, 6) },
    ]);
    expect(await operator.delete(`/checkpoints/rules/${rule}`).status).toBe(200);
    expect((await readRings())[0]?.follows).toBeNull();
    expect(await operator.delete(`/checkpoints/rules/${rule}`).outcome).toBe('404 no_such_rule');
  });

  test('follow a new time of their rule from the change on, and no moment before it', async () => {
    const checkpoint = await createCheckpoint('By hand');
    const rule = await createRule();
    await createRing({ name: 'Pilot', checkpoint, follows: { rule, afterDays: 0 } });
    await operator.put(`/checkpoints/rules/${rule}`, { weekday: 'Saturday', name: 'Saturdays' });
    await pass(6);
    expect((await readRings())[0]?.checkpoint.name).toBe('By hand');
    await pass(1);
    expect((await readRings())[0]?.checkpoint.name).toBe('Saturdays 2026-11-28');
  });

  test.each(seeds(3))(
    'are where a plain model says after random times, promotions, changes and removals (%i)',
    async (seed) => {
      expect(await walk(createChance(seed))).toBeGreaterThan(20);
    },
  );

  /** Returns how often a ring has followed its rule. */
  async function walk(chance: Chance): Promise<number> {
    const model = new Model();
    const addByHand = async (name: string) =>
      model.add(name, await createCheckpoint(name), service.now, null);
    await addByHand('start');
    for (let number = 1; number <= 3; number += 1)
      await addRule(model, `rule ${number}`, number, chance);
    for (let number = 1; number <= 4; number += 1) {
      const on = model.checkpoints[0] as Known;
      const name = `ring ${number}`;
      const id = await createRing({ name, checkpoint: on.id });
      model.rings.push({ id, on, by: 'Operator', follows: null, left: 0 });
    }
    for (let step = 0; step < 150; step += 1) {
      const dice = chance();
      const ring = pick(model.rings, chance);
      const present = [...model.rules];
      const [rule, values] = pick(present, chance);
      let [answer, expected] = ['200', '200'];
      if (dice < 0.1) await addByHand(`by hand ${step}`);
      else if (dice < 0.25) {
        const to = pick(model.checkpoints, chance);
        answer = await operator.put(`/rings/${ring.id}`, { checkpoint: to.id }).outcome;
        model.move(ring, to, 'Operator');
      } else if (dice < 0.4) {
        const afterDays = Math.floor(chance() * values.keep * 7);
        const follows = chance() < 0.15 ? null : { rule, afterDays };
        answer = await operator.put(`/rings/${ring.id}`, { follows }).outcome;
        if (ring.follows?.rule !== follows?.rule) ring.left = 0;
        ring.follows = follows;
      } else if (dice < 0.48) {
        const keep = 2 + Math.floor(chance() * 4);
        const longest = keep * (values.weekly ? 7 : 28) - 1;
        const follows = model.rings.filter((each) => each.follows?.rule === rule);
        const fits = follows.every((each) => (each.follows?.afterDays ?? 0) <= longest);
        answer = await operator.put(`/checkpoints/rules/${rule}`, { keep }).outcome;
        expected = fits ? '200' : '409 rule_keeps_too_few';
        if (fits) values.keep = keep;
      } else if (dice < 0.51 && present.length > 1) {
        answer = await operator.delete(`/checkpoints/rules/${rule}`).outcome;
        model.removeRule(rule);
        await addRule(model, `rule of ${step}`, 1 + (step % 3), chance);
      } else service.now += Math.floor(chance() * 6 * day);
      expect(answer).toBe(expected);
      await follow(model);
    }
    return model.moves;
  }

  /** @param number - 1 and 2: each week on Monday or Thursday; 3: on the first Tuesday of each month. */
  async function addRule(model: Model, name: string, number: number, chance: Chance) {
    const keep = 2 + Math.floor(chance() * 4);
    const weekday = ['Monday', 'Thursday', 'Tuesday'][number - 1];
    const week = number === 3 ? 1 : null;
    const id = await createRule({ name, weekday, week, keep });
    model.rules.set(id, { name, weekly: week === null, keep });
  }

  /** Lets the service and the model do what is due, and compares them. */
  async function follow(model: Model): Promise<void> {
    const before = new Set(model.checkpoints.map(({ id }) => id));
    await rules.runDue();
    // The moments are compared with independent dates elsewhere: the model takes that a checkpoint was made from the service.
    const listed = await service.rows(
      'select id, name, rule_id, created_time from checkpoint order by id',
    );
    for (const { id, name, rule_id: rule, created_time: time } of listed)
      if (!before.has(Number(id))) model.make(String(name), Number(id), Number(time), Number(rule));
    model.follow(service.now);
    expect(listed.map(({ id, rule_id: rule }) => [id, rule])).toEqual(
      model.checkpoints.map(({ id, rule }) => [id, rule]),
    );
    const rings = new Map((await readRings()).map((ring) => [ring.id, ring]));
    for (const { id, on, by, follows } of model.rings) {
      const ring = rings.get(id);
      expect(ring).toMatchObject({ checkpoint: { id: on.id, name: on.name }, promotedBy: by });
      expect(ring?.follows?.rule.name).toBe(model.rules.get(follows?.rule ?? 0)?.name);
    }
  }
});

class Model {
  readonly checkpoints: Known[] = [];
  readonly rings: ModelRing[] = [];
  readonly rules = new Map<number, ModelRule>();
  moves = 0;
  #order = 0;

  add(name: string, id: number, createdTime: number, rule: number | null): void {
    this.#order += 1;
    this.checkpoints.push({ order: this.#order, name, id, createdTime, rule });
  }

  /** The rule makes a checkpoint, and its older ones go, but for those that a ring is on. */
  make(name: string, id: number, createdTime: number, rule: number): void {
    this.add(name, id, createdTime, rule);
    const own = this.checkpoints.filter((each) => each.rule === rule);
    const keep = this.rules.get(rule)?.keep ?? 0;
    for (const old of own.slice(0, Math.max(0, own.length - keep)))
      if (this.rings.every(({ on }) => on !== old))
        this.checkpoints.splice(this.checkpoints.indexOf(old), 1);
  }

  move(ring: ModelRing, to: Known, by: string): void {
    if (ring.on === to) return;
    ring.left = Math.max(ring.left, ring.on.order);
    ring.on = to;
    ring.by = by;
  }

  removeRule(rule: number): void {
    this.rules.delete(rule);
    for (const checkpoint of this.checkpoints) if (checkpoint.rule === rule) checkpoint.rule = null;
    for (const ring of this.rings) if (ring.follows?.rule === rule) ring.follows = null;
  }

  follow(now: number): void {
    for (const ring of this.rings) {
      if (ring.follows === null) continue;
      const { rule, afterDays } = ring.follows;
      for (const checkpoint of this.checkpoints) {
        const age = (now - checkpoint.createdTime) / (24 * hour);
        const isNewer = checkpoint.order > ring.on.order && checkpoint.order > ring.left;
        if (checkpoint.rule !== rule || age < afterDays || !isNewer) continue;
        this.move(ring, checkpoint, this.rules.get(rule)?.name ?? '');
        this.moves += 1;
      }
    }
  }
}
