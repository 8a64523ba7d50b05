import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeWithDatabase, openMigrated } from '../../testing/databases.ts';
import { buildJob, buildUser } from '../../testing/factories.ts';
import { dumpSigner } from '../backup/database-dump.ts';
import { restoreDump } from '../backup/restore-dump.ts';
import { addJob, readJob, recordProgress, takeJob } from './download-job-store.ts';
import { DownloadService } from './testing/download-service.ts';

const day = 24 * 3_600_000;
const key = new Uint8Array(32).fill(1);

describeWithDatabase('downloads', (open) => {
  let service: DownloadService;
  beforeAll(async () => {
    service = await new DownloadService(await open(), key).begin();
  });
  afterAll(() => service.stop());
  beforeEach(() => service.database.script('delete from download_job'));

  const post = (path: string) => service.operator.post(`/downloads/${path}`);
  const remove = (id: number) => service.operator.delete(`/downloads/${id}`);
  const fetchAt = (path: unknown) => service.anyone.get(String(path));
  const readStoredJob = (id: number) => readJob(service.database, id);
  const add = async (place: string) =>
    (await addJob(service.database, buildJob({ place }), service.now)).id;
  const take = async (place: string) => {
    const id = await add(place);
    await takeJob(service.database, place, service.now);
    return id;
  };

  test('makes a database dump that is fetched with a single-use ticket and restores', async () => {
    const { status, json } = await service.request('database_dump');
    expect([status, json['state']]).toEqual([202, 'queued']);
    const done = await service.ended(Number(json['id']));
    const { fileName, bytes } = done;
    expect(done).toMatchObject({
      state: 'done',
      askedBy: 'Operator',
      expiresAt: service.now + 7 * day,
      fileName: 'database-2026-11-21T0000Z.sql.gz',
      rows: done.total,
      message: expect.stringMatching(/^\d+ rows\./),
    });

    const { path, ...ticket } = await post(`${done.id}/ticket`).json;
    expect(ticket).toMatchObject({ bytes, fileName });
    const file = await fetchAt(path);
    expect(file.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(bytes),
      'content-disposition': `attachment; filename="${fileName}"`,
    });
    expect(await fetchAt(path).status).toBe(404);
    expect(service.lines.join('')).not.toContain(path);

    const empty = await openMigrated();
    const trust = { publicKeys: [dumpSigner(service.key).publicKey], acceptUnsigned: false };
    const saved = join(service.dataDir, 'fetched.sql.gz');
    writeFileSync(saved, file.bytes);
    await restoreDump({ database: empty, path: saved, trust, replace: true });
    const { rows: users } = await empty.query('select name from users order by name');
    expect(users).toEqual([{ name: 'Operator' }, { name: 'Stan' }]);
    expect((await empty.query('select * from sessions')).rows).toEqual([]);
    await empty.close();
  });

  test('accepts a ticket for a minute', async () => {
    const { id } = await service.made('logs');
    const { path } = await post(`${id}/ticket`).json;
    service.now += 60_000;
    expect(await fetchAt(path).status).toBe(404);
  });

  test.each([
    ['is removed', "delete from users where name = 'Deputy'"],
    ['may not fetch it any more', "update users set user_type = 'Approver' where name = 'Deputy'"],
    [
      'must change the password',
      "update users set must_change_password = true where name = 'Deputy'",
    ],
  ])('refuses a ticket when the user who made it %s', async (_, change) => {
    await buildUser(service.database, { name: 'Deputy', userType: 'Admin' });
    const deputy = service.as(await service.createToken('Deputy'));
    const { id } = await service.made('logs');
    const getTicket = async () => (await deputy.post(`/downloads/${id}/ticket`).json)['path'];
    expect(await fetchAt(await getTicket()).status).toBe(200);
    const path = await getTicket();
    await service.database.script(change);
    expect(await fetchAt(path).outcome).toBe('404 no_such_ticket');
    await service.database.script("delete from users where name = 'Deputy'");
  });

  test('removes files on request, or when they expire', async () => {
    const [one, other] = [await service.made('logs'), await service.made('logs')];
    const hasFile = ({ id }: { id: number }) => existsSync(service.downloads.filePath(id));
    expect([one, other].map(hasFile)).toEqual([true, true]);
    expect(await remove(one.id).json).toEqual({ message: `${one.fileName} was removed.` });
    expect([one, other].map(hasFile)).toEqual([false, true]);
    service.now += 7 * day;
    service.downloads.look();
    await expect.poll(() => hasFile(other)).toBe(false);
    await expect.poll(() => readStoredJob(other.id)).toBe(null);
    service.now -= 7 * day;
    expect(await remove(one.id).status).toBe(404);
  });

  test('cancels a waiting job at once, and not one that has ended', async () => {
    const id = await add(`${service.downloads.place} elsewhere`);
    expect([await post(`${id}/ticket`).status, await remove(id).status]).toEqual([409, 409]);
    const { status, json } = await post(`${id}/cancel`);
    expect([status, json['message']]).toEqual([202, 'Cancelled.']);
    const message = 'Cancelled by Operator before it started.';
    expect(await readStoredJob(id)).toMatchObject({ state: 'cancelled', message });
    expect(await post(`${id}/cancel`).status).toBe(409);
  });

  test('allows at most twenty waiting jobs', async () => {
    for (let n = 0; n < 20; n++) await add('elsewhere');
    expect(await service.request('logs').outcome).toBe('409 too_many_downloads');
  });

  test('marks a dead job as interrupted: at once in its own folder, after a while without news in another', async () => {
    const [here, elsewhere] = [await take(service.downloads.place), await take('elsewhere')];
    const states = () =>
      Promise.all([here, elsewhere].map(async (id) => (await readStoredJob(id))?.state));
    service.downloads.look();
    await expect.poll(states).toEqual(['interrupted', 'running']);
    const nothing = { stage: '', rows: 0, total: 0, bytes: 0 };
    await recordProgress(service.database, elsewhere, nothing, service.now + 200_000);
    const start = service.now;
    const after = async (time: number) => {
      service.now = start + time;
      await service.app.close();
      await service.downloads.stop();
      await service.restart();
      // Checked at the start, and completed before the service stops.
      await service.downloads.stop();
      return states();
    };
    expect(await after(301_000)).toEqual(['interrupted', 'running']);
    expect(await after(501_000)).toEqual(['interrupted', 'interrupted']);
    // Its own process would have removed it when it expired.
    const over = ((await readStoredJob(elsewhere))?.expiresAt ?? 0) - start;
    expect(await after(over + 23 * 3_600_000)).toEqual([undefined, 'interrupted']);
    expect(await after(over + 25 * 3_600_000)).toEqual([undefined, undefined]);
    service.now = start;
    await service.restart();
  });

  const kinds = 'database_dump, catalogue_bundle, logs, support_bundle';
  const twice = ['debian', 'debian'];
  test.each([
    [{ kind: 'logs', options: { from: 9e15 } }, 'options.from must be at most 8640000000000000.'],
    [{ kind: 'everything' }, `kind must be one of: ${kinds}.`],
    [
      { kind: 'catalogue_bundle', options: { sources: twice } },
      'options.sources must name each family once.',
    ],
  ])('rejects %j and says what is allowed', async (body, words) => {
    expect(await service.operator.post('/downloads', body).refusal).toEqual([422, words]);
  });

  test('marks running jobs as interrupted after a restart, and removes their files', async () => {
    const { place, filePath: hasFile } = service.downloads;
    await service.app.close();
    await service.downloads.stop();
    const id = await take(place);
    writeFileSync(`${hasFile(id)}.unfinished`, 'half');
    writeFileSync(hasFile(999_999), 'of nobody');
    await service.restart();
    expect(await readStoredJob(id)).toMatchObject({
      state: 'interrupted',
      message: 'The server stopped while this ran, or lost its database. Start it again.',
    });
    expect(existsSync(`${hasFile(id)}.unfinished`)).toBe(false);
    expect(existsSync(hasFile(999_999))).toBe(false);
  });

  test('selects log lines by time, level and request, over all files', async () => {
    const line = (hour: number, level: string, requestId?: string) => ({
      level,
      time: `2026-11-20T0${hour}:00:00.000Z`,
      ...(requestId && { requestId }),
      msg: hour,
    });
    service.writeLog('server.log.2', [line(1, 'info', 'aa'), line(2, 'error', 'bb')]);
    service.writeLog('server.log.1', [line(3, 'warn', 'aa'), line(4, 'debug')]);
    service.writeLog('server.log', [line(5, 'fatal'), line(6, 'info', 'aa')]);
    const selectLines = async (options: object) => {
      const { id, rows } = await service.made('logs', options);
      const text = gunzipSync(await service.fetched(id)).toString();
      const lines = text.split('\n').slice(0, -1);
      expect(lines).toHaveLength(rows);
      return lines.map((one) => (JSON.parse(one) as { msg: number }).msg);
    };
    expect(await selectLines({})).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await selectLines({ level: 'warn' })).toEqual([2, 3, 5]);
    expect(await selectLines({ requestId: 'aa' })).toEqual([1, 3, 6]);
    const [from, to] = [Date.parse('2026-11-20T02:00:00Z'), Date.parse('2026-11-20T05:00:00Z')];
    expect(await selectLines({ from, to })).toEqual([2, 3, 4, 5]);
    expect(await selectLines({ from, to, level: 'error', requestId: 'bb' })).toEqual([2]);
    const { message } = await service.made('logs', { requestId: 'zz' });
    expect(message).toBe('No line matches; the file is empty.');
    expect(await service.request('logs', { requestId: 'a/b' }).status).toBe(422);
  });
});

test('limits the total size of the files', async () => {
  const environment = { DOWNLOADS_GB: '1' };
  const service = await new DownloadService(await openMigrated(), key, { environment }).begin();
  Object.assign(service.downloads, { maxBytes: 1 });
  const upload = service.operator.post('/downloads/bundle-imports', Buffer.from('PK'));
  expect(await upload.outcome).toBe('413 no_room');
  await service.stop();
  await service.database.close();
});

describe('a dump in a worker thread', () => {
  let service: DownloadService;
  beforeAll(async () => {
    const database = await openMigrated();
    service = await new DownloadService(database, key, { startThread: 'worker' }).begin();
  });
  afterAll(async () => {
    await service.stop();
    await service.database.close();
  });

  test('answers searches meanwhile', async () => {
    const { id } = await service.request('database_dump').json;
    expect(await service.operator.post('/linux/almalinux/search', {}).status).toBe(200);
    expect(await service.ended(Number(id))).toMatchObject({ state: 'done' });
  });

  test('cancels a running job, which leaves no file', async () => {
    // Large enough to take a while.
    await service.database.script(
      `insert into settings select 'filler ' || n, to_jsonb(repeat(md5(n::text), 200)) from generate_series(1, 20000) n`,
    );
    const id = Number((await service.request('database_dump').json)['id']);
    await expect
      .poll(async () => (await readJob(service.database, id))?.state, {
        timeout: 10_000,
        interval: 10,
      })
      .toBe('running');
    expect(await service.operator.delete(`/downloads/${id}`).status).toBe(409);
    const cancelled = await service.operator.post(`/downloads/${id}/cancel`).json;
    expect(cancelled).toEqual({ message: 'Cancelling.' });
    expect((await service.ended(id)).state).toBe('cancelled');
    const file = service.downloads.filePath(id);
    expect([existsSync(file), existsSync(`${file}.unfinished`)]).toEqual([false, false]);
  });
});
