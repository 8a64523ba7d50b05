import { beforeEach, expect, test } from 'vitest';
import { day, describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import type { Database } from '../database/database.ts';
import { beginEpoch } from '../database/rows/epoch-store.ts';
import { addEvent, type NewEvent, publishEvents, removeOldEvents } from './event-store.ts';

const build = (title: string, more: Partial<NewEvent> = {}): NewEvent => ({
  type: 'source.failed',
  title,
  path: '/patch-repository/sync?source=debian',
  subject: { source: 'debian' },
  items: [{ name: 'Debian', about: 'Not fetched', path: null }],
  totalCount: 1,
  ...more,
});

describeApp('GET /events', (service) => {
  const { operator, stan } = service;
  let database: Database;
  beforeEach(async () => {
    database = service.database;
    await database.script(
      'delete from event; update event_order set last_number = 0, removed_number = 0',
    );
  });

  const add = (title: string, more?: Partial<NewEvent>) =>
    addEvent(database, build(title, more), service.now);
  const read = async (query = '', by = operator) => {
    const { status, json } = await by.get(`/events${query}`);
    const list = (json['objList'] ?? []) as { id: string; data: { title: string } }[];
    return {
      status,
      code: json['code'],
      titles: list.map(({ data }) => data.title),
      ids: list.map(({ id }) => id),
      next: String(json['next']),
      more: json['more'],
      list,
    };
  };

  test('pages through events with the cursor, and then returns new ones only', async () => {
    for (const title of ['a', 'b', 'c']) await add(title);
    const first = await read('?limit=2');
    expect(first).toMatchObject({ status: 200, titles: ['a', 'b'], more: true });
    expect(first.list[0]).toEqual({
      id: expect.stringMatching(/^evt_[\da-f]{32}$/),
      type: 'source.failed',
      timestamp: new Date(service.now).toISOString(),
      data: {
        title: 'a',
        url: expect.stringMatching(/^https?:\/\/.*\/patch-repository\/sync\?source=debian$/),
        subject: { source: 'debian' },
        items: [{ name: 'Debian', about: 'Not fetched', url: null }],
        totalCount: 1,
      },
    });
    const second = await read(`?limit=2&after=${first.next}`);
    expect(second).toMatchObject({ titles: ['c'], more: false });
    expect(await read(`?after=${second.next}`)).toMatchObject({ titles: [], next: second.next });
    await add('d');
    expect(await read(`?after=${second.next}`)).toMatchObject({ titles: ['d'] });
    expect(await read(`?after=${first.next}`)).toMatchObject({ titles: ['c', 'd'] });
  });

  test('shows an event that commits after a later one to a reader who has seen the later one', async () => {
    let next = '';
    await database.transaction(async (tx) => {
      await addEvent(tx, build('slow'), service.now);
      await add('fast');
      const found = await read();
      expect(found.titles).toEqual(['fast']);
      next = found.next;
    });
    expect((await read(`?after=${next}`)).titles).toEqual(['slow']);
  });

  test('numbers each event once when several processes publish', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, n) => add(`${n}`)));
    await Promise.all(Array.from({ length: 4 }, () => publishEvents(database)));
    const { rows } = await database.query('select number from event order by number');
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
  });

  test('hides events of other people, and ends of licences from standard users', async () => {
    const [row] = await service.rows("select id from users where name = 'Stan'");
    await add('for everybody');
    await add('for Stan', { type: 'view.records', userId: Number(row?.['id']) });
    await add('for administrators', { type: 'licence.ended' });
    await add('of a test', { type: 'channel.test' });
    expect((await read()).titles).toEqual(['for everybody', 'for administrators']);
    const seen = await read('', stan);
    expect(seen.titles).toEqual(['for everybody', 'for Stan']);
    // The cursor also passes events that the reader may not read.
    expect(seen.next).toBe((await read()).next);
  });

  test('removes events after 30 days and refuses cursors that may have missed some', async () => {
    await add('a');
    const { next: early } = await read();
    await add('b');
    service.now += 29 * day;
    await add('c');
    const { next: late } = await read();
    await removeOldEvents(database, service.now + 2 * day);
    expect((await read()).titles).toEqual(['c']);
    expect(await read(`?after=${early}`)).toMatchObject({ status: 409, code: 'cursor_ended' });
    expect(await read(`?after=${late}`)).toMatchObject({ status: 200, titles: [] });
    service.now -= 29 * day;
  });

  test('refuses a cursor of a database that was restored since', async () => {
    await add('a');
    const { next } = await read();
    await database.script('update event_order set last_number = 0');
    expect(await read(`?after=${next}`)).toMatchObject({ status: 409, code: 'cursor_ended' });
    await database.script(
      "update event_order set last_number = 1; update change_epoch set epoch = 'another'",
    );
    expect(await read(`?after=${next}`)).toMatchObject({ status: 409, code: 'cursor_ended' });
  });

  test('refuses a cursor of events that a copy that was put back does not have', async () => {
    await beginEpoch(database);
    await add('a');
    const { next: copied } = await read();
    await beginEpoch(database);
    await add('lost');
    const { next: lost } = await read();
    await database.script(
      `delete from event where number = (select last_number from event_order); update event_order set last_number = last_number - 1;
       delete from started_epoch where id = (select max(id) from started_epoch)`,
    );
    await beginEpoch(database);
    await add('b');
    expect(await read(`?after=${lost}`)).toMatchObject({ status: 409, code: 'cursor_ended' });
    expect(await read(`?after=${copied}`)).toMatchObject({ status: 200, titles: ['b'] });
  });

  test.each([
    ['after=nonsense', 'bad_cursor'],
    ['after=', 'bad_cursor'],
    ['limit=0', 'invalid_input'],
    ['limit=501', 'invalid_input'],
    ['since=1', 'invalid_input'],
  ])('refuses %s', async (query, code) => {
    expect(await read(`?${query}`)).toMatchObject({ status: 422, code });
  });
});
