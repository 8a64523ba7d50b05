import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeWithDatabase, openMigrated } from '../../testing/databases.ts';
import { dumpSigner } from '../backup/database-dump.ts';
import { restoreDump } from '../backup/restore-dump.ts';
import { addJob, jobOfId, noteJob, takeJob } from './download-job-store.ts';
import { DownloadService } from './testing/download-service.ts';

const day = 24 * 3_600_000;

describeWithDatabase('downloads', (open) => {
  let service: DownloadService;
  beforeAll(async () => {
    service = new DownloadService(await open(), new Uint8Array(32).fill(1));
    await service.start();
    await service.makePeople();
  });
  afterAll(() => service.stop());
  beforeEach(() => service.database.script('delete from download_job'));

  test('makes a database dump that is fetched with a single-use ticket and restores', async () => {
    const asked = await service.ask('POST', '/downloads', { body: { kind: 'database_dump' } });
    expect([asked.status, asked.json['state']]).toEqual([202, 'queued']);
    const done = await service.ended(asked.json['id'] as number);
    expect(done).toMatchObject({
      state: 'done',
      askedBy: 'Operator',
      expiresAt: service.now + 7 * day,
      fileName: 'database-2026-11-21T0000Z.sql.gz',
    });
    expect(done.rows).toBe(done.total);
    expect(done.message).toMatch(/^\d+ rows\./);

    const ticket = await service.ask('POST', `/downloads/${done.id}/ticket`);
    expect(ticket.json).toMatchObject({ bytes: done.bytes, fileName: done.fileName });
    const path = String(ticket.json['path']);
    const file = await service.ask('GET', path, { as: 'nobody' });
    expect(file.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(done.bytes),
      'content-disposition': `attachment; filename="${done.fileName}"`,
    });
    expect((await service.ask('GET', path, { as: 'nobody' })).status).toBe(404);
    expect(service.lines.join('')).not.toContain(path);

    const empty = await openMigrated();
    const trust = { publicKeys: [dumpSigner(service.key).publicKey], acceptUnsigned: false };
    const saved = join(service.dataDir, 'fetched.sql.gz');
    writeFileSync(saved, file.bytes);
    await restoreDump({ database: empty, path: saved, trust, replace: true });
    expect((await empty.query('select name from users order by name')).rows).toEqual([
      { name: 'Operator' },
      { name: 'Stan' },
    ]);
    expect((await empty.query('select * from sessions')).rows).toEqual([]);
    await empty.close();
  });

  test('a ticket is valid for a minute', async () => {
    const { id } = await service.made('logs');
    const { json } = await service.ask('POST', `/downloads/${id}/ticket`);
    service.now += 60_000;
    expect((await service.ask('GET', String(json['path']), { as: 'nobody' })).status).toBe(404);
  });

  test('removes files on request, or when they expire', async () => {
    const [one, other] = [await service.made('logs'), await service.made('logs')];
    const fileOf = ({ id }: { id: number }) => existsSync(service.downloads.fileOf(id));
    expect([one, other].map(fileOf)).toEqual([true, true]);
    expect((await service.ask('DELETE', `/downloads/${one.id}`)).json).toEqual({
      message: `${one.fileName} was removed.`,
    });
    expect([one, other].map(fileOf)).toEqual([false, true]);
    service.now += 7 * day;
    service.downloads.look();
    await expect.poll(() => fileOf(other)).toBe(false);
    await expect.poll(() => jobOfId(service.database, other.id)).toBe(null);
    service.now -= 7 * day;
    expect((await service.ask('DELETE', `/downloads/${one.id}`)).status).toBe(404);
  });

  test('cancels a waiting job at once, and not one that has ended', async () => {
    const { place } = service.downloads;
    const waiting = {
      kind: 'logs',
      place: `${place} elsewhere`,
      options: {},
      about: '',
      askedBy: 'x',
      fileName: 'x',
    } as const;
    const { id } = await addJob(service.database, waiting, service.now);
    expect((await service.ask('POST', `/downloads/${id}/ticket`)).status).toBe(409);
    expect((await service.ask('DELETE', `/downloads/${id}`)).status).toBe(409);
    expect(await service.ask('POST', `/downloads/${id}/cancel`)).toMatchObject({
      status: 202,
      json: { message: 'Cancelled.' },
    });
    expect(await jobOfId(service.database, id)).toMatchObject({
      state: 'cancelled',
      message: 'Cancelled by Operator before it started.',
    });
    expect((await service.ask('POST', `/downloads/${id}/cancel`)).status).toBe(409);
  });

  test('allows at most twenty waiting jobs', async () => {
    const waiting = {
      kind: 'logs',
      place: 'elsewhere',
      options: {},
      about: '',
      askedBy: 'x',
      fileName: 'x',
    } as const;
    for (let n = 0; n < 20; n++) await addJob(service.database, waiting, service.now);
    expect(await service.ask('POST', '/downloads', { body: { kind: 'logs' } })).toMatchObject({
      status: 409,
      json: { code: 'too_many_downloads' },
    });
  });

  test('marks a dead job as interrupted: at once in its own folder, after a while without news in another', async () => {
    const { place } = service.downloads;
    const taken = async (of: string) => {
      const { id } = await addJob(
        service.database,
        { kind: 'logs', place: of, options: {}, about: '', askedBy: 'x', fileName: 'x' },
        service.now,
      );
      await takeJob(service.database, of, service.now);
      return id;
    };
    const [here, elsewhere] = [await taken(place), await taken('elsewhere')];
    const states = async () =>
      Promise.all(
        [here, elsewhere].map(async (id) => (await jobOfId(service.database, id))?.state),
      );
    service.downloads.look();
    await expect.poll(states).toEqual(['interrupted', 'running']);
    await noteJob(
      service.database,
      elsewhere,
      { stage: '', rows: 0, total: 0, bytes: 0 },
      service.now + 200_000,
    );
    const start = service.now;
    const after = async (time: number) => {
      service.now = start + time;
      await service.app.close();
      await service.downloads.stop();
      await service.start();
      // Checked when it was started, and completed before the service stops.
      await service.downloads.stop();
      return states();
    };
    expect(await after(301_000)).toEqual(['interrupted', 'running']);
    expect(await after(501_000)).toEqual(['interrupted', 'interrupted']);
    // Its own process would have removed it when it expired.
    const over = ((await jobOfId(service.database, elsewhere))?.expiresAt ?? 0) - start;
    expect(await after(over + 23 * 3_600_000)).toEqual([undefined, 'interrupted']);
    expect(await after(over + 25 * 3_600_000)).toEqual([undefined, undefined]);
    service.now = start;
    await service.start();
  });

  test('rejects invalid requests and says what is allowed', async () => {
    const refused = async (body: object) => {
      const { status, json } = await service.ask('POST', '/downloads', { body });
      return [status, json['userMessage']];
    };
    expect(await refused({ kind: 'logs', options: { from: 9e15 } })).toEqual([
      422,
      'options.from must be at most 8640000000000000.',
    ]);
    expect(await refused({ kind: 'everything' })).toEqual([
      422,
      'kind must be one of: database_dump, catalogue_bundle, logs, support_bundle.',
    ]);
    expect(
      await refused({ kind: 'catalogue_bundle', options: { sources: ['debian', 'debian'] } }),
    ).toEqual([422, 'options.sources must name each family once.']);
  });

  test('marks running jobs as interrupted after a restart, and removes their files', async () => {
    const { place, fileOf } = service.downloads;
    const left = {
      kind: 'logs',
      place,
      options: {},
      about: '',
      askedBy: 'x',
      fileName: 'x',
    } as const;
    await service.app.close();
    await service.downloads.stop();
    const { id } = await addJob(service.database, left, service.now);
    await takeJob(service.database, place, service.now);
    writeFileSync(`${fileOf(id)}.unfinished`, 'half');
    writeFileSync(fileOf(999_999), 'of nobody');
    await service.start();
    expect(await jobOfId(service.database, id)).toMatchObject({
      state: 'interrupted',
      message: 'The server stopped while this ran, or lost its database. Start it again.',
    });
    expect(existsSync(`${fileOf(id)}.unfinished`)).toBe(false);
    expect(existsSync(fileOf(999_999))).toBe(false);
  });

  test('selects log lines by time, level and request, over all files', async () => {
    const line = (time: string, level: string, requestId?: string) => ({
      level,
      time: `2026-11-20T${time}.000Z`,
      ...(requestId && { requestId }),
      msg: time,
    });
    service.writeLog('server.log.2', [
      line('01:00:00', 'info', 'aa'),
      line('02:00:00', 'error', 'bb'),
    ]);
    service.writeLog('server.log.1', [line('03:00:00', 'warn', 'aa'), line('04:00:00', 'debug')]);
    service.writeLog('server.log', [line('05:00:00', 'fatal'), line('06:00:00', 'info', 'aa')]);
    const told = async (options: object) => {
      const { id, rows } = await service.made('logs', options);
      const lines = gunzipSync((await service.fetched(id)).bytes)
        .toString()
        .split('\n')
        .slice(0, -1);
      expect(lines).toHaveLength(rows);
      return lines.map((text) => (JSON.parse(text) as { msg: string }).msg);
    };
    expect(await told({})).toEqual([
      '01:00:00',
      '02:00:00',
      '03:00:00',
      '04:00:00',
      '05:00:00',
      '06:00:00',
    ]);
    expect(await told({ level: 'warn' })).toEqual(['02:00:00', '03:00:00', '05:00:00']);
    expect(await told({ requestId: 'aa' })).toEqual(['01:00:00', '03:00:00', '06:00:00']);
    const [from, to] = [Date.parse('2026-11-20T02:00:00Z'), Date.parse('2026-11-20T05:00:00Z')];
    expect(await told({ from, to })).toEqual(['02:00:00', '03:00:00', '04:00:00', '05:00:00']);
    expect(await told({ from, to, level: 'error', requestId: 'bb' })).toEqual(['02:00:00']);
    const none = await service.made('logs', { requestId: 'zz' });
    expect(none.message).toBe('No line matches; the file is empty.');
    expect(
      (
        await service.ask('POST', '/downloads', {
          body: { kind: 'logs', options: { requestId: 'a/b' } },
        })
      ).status,
    ).toBe(422);
  });
});

test('keeps the files within their total size limit', async () => {
  const database = await openMigrated();
  const service = new DownloadService(database, new Uint8Array(32).fill(1), {
    environment: { DOWNLOADS_GB: '1' },
  });
  await service.start();
  await service.makePeople();
  Object.assign(service.downloads, { maxBytes: 1 });
  expect(
    await service.ask('POST', '/downloads/bundle-imports', { file: Buffer.from('PK') }),
  ).toMatchObject({
    status: 413,
    json: { code: 'no_room' },
  });
  await service.stop();
  await database.close();
});

describe('a dump in a worker thread', () => {
  let service: DownloadService;
  beforeAll(async () => {
    service = new DownloadService(await openMigrated(), new Uint8Array(32).fill(1), {
      startThread: 'worker',
    });
    await service.start();
    await service.makePeople();
  });
  afterAll(async () => {
    await service.stop();
    await service.database.close();
  });

  test('answers searches meanwhile', async () => {
    const { json } = await service.ask('POST', '/downloads', { body: { kind: 'database_dump' } });
    expect((await service.ask('POST', '/linux/almalinux/search', { body: {} })).status).toBe(200);
    expect(await service.ended(json['id'] as number)).toMatchObject({ state: 'done' });
  });

  test('cancels a running job, which leaves no file', async () => {
    // Large enough to take a while.
    await service.database.script(
      `insert into settings select 'filler ' || n, to_jsonb(repeat(md5(n::text), 200)) from generate_series(1, 20000) n`,
    );
    const { json } = await service.ask('POST', '/downloads', { body: { kind: 'database_dump' } });
    const id = json['id'] as number;
    await expect
      .poll(async () => (await jobOfId(service.database, id))?.state, {
        timeout: 10_000,
        interval: 10,
      })
      .toBe('running');
    expect((await service.ask('DELETE', `/downloads/${id}`)).status).toBe(409);
    expect((await service.ask('POST', `/downloads/${id}/cancel`)).json).toEqual({
      message: 'Cancelling.',
    });
    expect((await service.ended(id)).state).toBe('cancelled');
    expect(existsSync(service.downloads.fileOf(id))).toBe(false);
    expect(existsSync(`${service.downloads.fileOf(id)}.unfinished`)).toBe(false);
    await service.database.script(`delete from settings where name like 'filler%'`);
  });
});
