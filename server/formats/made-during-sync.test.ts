/** Each kind of made file, asked for again when a list has changed while the file is being made. */
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeApp } from '../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../machines/testing/machine-catalogue.ts';
import { unzipped } from '../operations/downloads/testing/zip-files.ts';
import type { Database, Queryable } from '../platform/database/database.ts';
import { writeRecords } from '../testing/record-factories.ts';

/** A database whose next statement like a pattern has its result, and does not return it until it is resumed. */
class PausingDatabase {
  #pattern: RegExp | null = null;
  #paused = Promise.withResolvers<void>();
  #resumed = Promise.withResolvers<void>();

  pauseAfter(pattern: RegExp): Promise<void> {
    this.#pattern = pattern;
    this.#paused = Promise.withResolvers();
    this.#resumed = Promise.withResolvers();
    return this.#paused.promise;
  }

  resume(): void {
    this.#resumed.resolve();
  }

  wrap(database: Database): Database {
    const query = this.#pausing(database);
    return new Proxy(database, {
      get: (target, name: keyof Database) => {
        if (name === 'query') return query;
        if (name === 'transaction')
          return (work: Parameters<Database['transaction']>[0]) =>
            target.transaction((session) =>
              work({
                query: this.#pausing(session),
                script: (text) => session.script(text),
              }),
            );
        const member: unknown = target[name];
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
  }

  #pausing(target: Queryable): Queryable['query'] {
    return async (text, values, limits) => {
      const result = await target.query(text, values, limits);
      if (this.#pattern?.test(text) === true) {
        this.#pattern = null;
        this.#paused.resolve();
        await this.#resumed.promise;
      }
      return result;
    };
  }
}

describeApp('made files during a sync', (service) => {
  const pausing = new PausingDatabase();
  let app: FastifyInstance;
  let written = 0;
  beforeAll(async () => {
    await sync('ALSA-2024:8', 'package-before');
    app = await service.start({ database: pausing.wrap(service.database) });
  });
  afterAll(() => app.close());

  /** Adds an advisory that sorts before those that are there, and changes the package of the first one. */
  const sync = (id: string, changed: string) => {
    const releases = ['AlmaLinux 8'];
    return writeRecords(service.database, 'almalinux_patch', [
      erratum('ALSA-2024:9', 'Low', [[changed, '1-1.el8']], { releases }),
      erratum(id, 'Low', [['bash', '1-1.el8']], { releases }),
    ]);
  };
  const get = async (path: string, headers = {}) => {
    const reply = await service.operator.at(app).get(path, headers);
    return { ...reply, etag: String(reply.headers['etag']) };
  };

  /** The file of updateinfo that repomd.xml names. */
  async function readUpdateinfo(repomd: Buffer): Promise<string> {
    const name = /repodata\/([0-9a-f]{64}-updateinfo\.xml\.gz)/.exec(String(repomd))?.[1];
    const { bytes } = await get(`/updateinfo/almalinux/8/repodata/${name}`);
    return String(gunzipSync(bytes));
  }
  const asText = async (bytes: Buffer) => String(bytes).replaceAll('_', ':').toUpperCase();
  const readNames = async (zip: Buffer) => Object.keys(await unzipped(zip)).join();

  test.each([
    ['/osv/AlmaLinux/all.zip', /withdrawn_time is null\s+group by/, readNames],
    ['/osv/AlmaLinux/modified_id.csv', /^declare reading/, asText],
    ['/osv/modified_id.csv', /^declare reading/, asText],
    ['/csaf/feed.json', /^declare reading/, asText],
    ['/csaf/index.txt', /^declare reading/, asText],
    ['/csaf/changes.csv', /^declare reading/, asText],
    ['/updateinfo/almalinux/8/repodata/repomd.xml', /^select id, detail, /, readUpdateinfo],
  ])('serves %s of the new state under its ETag', async (path, reading, read) => {
    const id = `ALSA-2024:1${written++}`;
    const changed = `package-${written}-`;
    const mark = read === readUpdateinfo ? changed : id;
    const paused = pausing.pauseAfter(reading);
    const first = get(path);
    await paused;
    await sync(id, changed);
    const second = get(path);
    // The second call reaches the file before the first one ends.
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    pausing.resume();
    const [before, after] = [await first, await second];
    expect(await read(before.bytes)).not.toContain(mark);
    expect(await read(after.bytes)).toContain(mark);
    expect(after.etag).not.toBe(before.etag);
    const [later, known] = [await get(path), await get(path, { 'if-none-match': after.etag })];
    expect([later.etag, later.bytes.equals(after.bytes)]).toEqual([after.etag, true]);
    expect([known.status, (await get(path, { 'if-none-match': before.etag })).status]).toEqual([
      304, 200,
    ]);
  });
});
