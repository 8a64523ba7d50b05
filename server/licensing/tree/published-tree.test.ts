/** A tree of two lists of a real database, followed by readers that trust nothing. */

import { cpSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getList } from '@patch/catalogue/lists.ts';
import { createChance, pick } from '@patch/catalogue/testing/chance.ts';
import { rounds } from '@patch/catalogue/testing/rounds.ts';
import { handedPeriod } from '@patch/contract/tree/family-keys.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { day, describeApp, hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { withdrawRecords, writeTitled } from '../../testing/record-factories.ts';
import { readChangeStates } from '../clients/change-store.ts';
import { activeClient, emptyRegistry } from '../clients/testing/client-registry.ts';
import { ListCopy, list } from '../rings/testing/list-copy.ts';
import { livePaths, readListState } from './list-state.ts';
import { createRoot, renewRoot } from './make-root.ts';
import type { WithListSource } from './publish-list.ts';
import { type PublishContext, publishTree } from './publish-tree.ts';
import { readTreeHead, TreeReader } from './testing/tree-reader.ts';
import { TreeFolder } from './tree-folder.ts';
import { FamilyKeys } from './tree-keys.ts';
import { withListSource } from './tree-lines-store.ts';

const secret = Buffer.alloc(32, 7);

describeApp('the published tree', (service) => {
  let base: string;
  let context: PublishContext;
  const ids = new Map<string, number>();

  beforeEach(async () => {
    await emptyRegistry(service.database);
    base = mkdtempSync(join(tmpdir(), 'tree-'));
    const { epoch } = await readChangeStates(service.database);
    const folder = new TreeFolder(join(base, 'published'), join(base, 'own'));
    const keys = new FamilyKeys(secret);
    context = { folder, epoch, keys, secret, clock: () => service.now };
    ids.clear();
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const withSource =
    (key: Parameters<typeof getList>[0]): WithListSource =>
    (work) =>
      withListSource(service.database, getList(key), work);
  const publish = (of: PublishContext = context) =>
    publishTree(
      of,
      new Map(([list, 'debian_patch'] as const).map((key) => [key, withSource(key)])),
    );
  const rootParts = () => ({
    folder: context.folder,
    keysFolder: join(base, 'keys'),
    secret,
    epoch: context.epoch,
    expires: service.now + 365 * day,
  });
  const createRoots = () => createRoot(rootParts(), { count: 3, threshold: 2 });
  const handed = () => {
    const period = handedPeriod(service.now);
    const family = getList(list).source ?? '';
    const key = Buffer.from(context.keys.keyAt(family, period)).toString('base64');
    return { period, keys: { [family]: key } };
  };
  const reader = () => new TreeReader(context.folder.published, list);
  const write = async (titles: readonly string[], category: string, now = service.now) => {
    const written = await writeTitled(service.database, list, titles, { category }, now);
    for (const [title, id] of written) ids.set(title, id);
  };
  const withdraw = (titles: readonly string[]) =>
    withdrawRecords(
      service.database,
      list,
      titles.flatMap((title) => ids.get(title) ?? []),
    );

  test('brings readers that come at any time to the list to the byte', async () => {
    await createRoots();
    const chance = createChance(20_261_130);
    const plain = new ListCopy((await activeClient(service)).caller);
    const readers = [reader()];
    const titles = Array.from({ length: 60 }, (_, n) => `record ${n}`);
    await write(titles.slice(0, 20), 'first');
    let published: readonly string[] = [];
    let followed = 0;
    for (let round = 0; round < rounds(100); round += 1) {
      const chosen = titles.filter(() => chance() < 0.06);
      if (chance() < 0.3) await withdraw(chosen);
      else await write(chosen, `category ${Math.floor(chance() * 9)}`);
      service.now += Math.floor(chance() * 2 * hour);
      if (chance() < 0.85) {
        await publish();
        published = await plain.finish(100);
      }
      if (chance() < 0.05) readers.push(reader());
      if (round === 0 || chance() < 0.5) continue;
      // The head leads to what was published last, whatever was written since.
      expect(await pick(readers, chance).follow(handed(), service.now)).toEqual(published);
      followed += 1;
    }
    await publish();
    for (const one of readers)
      expect(await one.follow(handed(), service.now)).toEqual(await plain.finish(100));
    expect(followed).toBeGreaterThan(rounds(25));
  });

  /** Follows the head of the folder from nothing, with what a reader of the last head still asks for. */
  const followAnew = () => reader().follow(handed(), service.now);

  test('is valid after a kill at each step, and repaired by the next publication', async () => {
    await createRoots();
    await write(['kept', 'changed', 'withdrawn'], 'first');
    await publish();
    const late = reader();
    let before = await late.follow(handed(), service.now);
    const plain = new ListCopy((await activeClient(service)).caller);
    let kills = 0;
    for (let round = 0; round < rounds(24); round += 1) {
      await write(['changed', `new ${round}`], `category ${round}`);
      if (round % 3 === 0) await withdraw([`new ${round - 2}`]);
      const after = await plain.finish(100);
      for (let step = 0; ; step += 1) {
        const folder = new KilledFolder(context.folder, step);
        const isDone = await publish({ ...context, folder }).then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof Killed)) throw error;
            return false;
          },
        );
        expect([before, after]).toContainEqual(await followAnew());
        if (isDone) break;
        kills += 1;
      }
      expect(await followAnew()).toEqual(after);
      expect(await late.follow(handed(), service.now)).toEqual(after);
      before = after;
    }
    expect(kills).toBeGreaterThanOrEqual(rounds(200));
  });

  test('keeps what a former head leads to for two days, and removes it then', async () => {
    await createRoots();
    await write(['a'], 'first');
    await publish();
    const former = await files();
    const site = join(context.folder.published, 'site', 'images');
    mkdirSync(site, { recursive: true });
    writeFileSync(join(site, 'logo.png'), 'of the same web server');
    for (let round = 0; round < 3; round += 1) {
      await write(['a'], `category ${round}`);
      await publish();
      service.now += 20 * hour;
    }
    expect(await files()).toEqual(expect.arrayContaining([...former]));
    // The age of a file is that of the machine's clock.
    service.now = Date.now() + 3 * day;
    await write(['a'], 'last');
    await publish();
    service.now += 3 * day;
    await write(['a'], 'very last');
    await publish();
    const left = (await files()).filter((path) => path.includes(list) && former.includes(path));
    expect(left).toEqual([]);
    expect(await files()).toContain('site/images/logo.png');
    expect(await followAnew()).toHaveLength(1);
  });

  test('publishes records again that look another way after an upgrade, and nothing else', async () => {
    await createRoots();
    await write(['a', 'b', 'c'], 'first');
    await publish();
    const late = reader();
    await late.follow(handed(), service.now);
    const upgraded = publishTree(
      context,
      new Map<string, WithListSource>([
        [
          list,
          (work) =>
            withSource(list)((source) =>
              work(
                source && {
                  ...source,
                  form: 'another',
                  async *read(since) {
                    for await (const batch of source.read(since))
                      yield batch.map((record) => ({
                        ...record,
                        line: record.line.replace('"title" : "b"', '"title" : "B"'),
                      }));
                  },
                },
              ),
            ),
        ],
      ]),
    );
    await upgraded;
    const rows = await late.follow(handed(), service.now);
    // Records have not changed, so that the revision is that of the last publication.
    expect(rows.filter((row) => row.includes('"B"'))).toHaveLength(1);
    expect(late.fetched.map(({ lines }) => lines)).toEqual([1]);
  });

  test('signs the head again each day, and nothing else while nothing changes', async () => {
    await createRoots();
    await write(['a'], 'first');
    expect((await publish()).lists).toContain(list);
    const first = await readTreeHead(context.folder.published, null, service.now);
    expect(await publish()).toEqual({ lists: [], isHeadNew: false });
    service.now += day + hour;
    expect(await publish()).toEqual({ lists: [], isHeadNew: true });
    const second = await readTreeHead(context.folder.published, first.seen, service.now);
    expect(second.catalogue).toEqual(first.catalogue);
    expect(second.seen.version).toBeGreaterThan(first.seen.version);
    service.now += 20 * day;
    await publish();
    const third = await readTreeHead(context.folder.published, second.seen, service.now);
    expect(third.catalogue.version).toBeGreaterThan(first.catalogue.version);
    // The head was lost: its versions go on, so that readers accept the next one.
    rmSync(join(context.folder.published, 'head.jsonl'));
    service.now += hour;
    await publish();
    await readTreeHead(context.folder.published, third.seen, service.now);
  });

  test('is not published without a root that names the keys and the epoch of the service', async () => {
    await write(['a'], 'first');
    await expect(publish()).rejects.toThrow('The tree has no root yet.');
    await createRoots();
    await publish();
    const blocked = (more: Partial<PublishContext>) => publish({ ...context, ...more });
    await expect(blocked({ epoch: 'restored' })).rejects.toThrow(
      'before the database was restored',
    );
    await expect(blocked({ secret: Buffer.alloc(32, 8) })).rejects.toThrow('key is another one');
    await expect(blocked({ clock: () => service.now + 400 * day })).rejects.toThrow('has expired');
    const { version } = await renewRoot({ ...rootParts(), epoch: 'restored' }, { newKeys: true });
    expect(version).toBe(2);
    await blocked({ epoch: 'restored' });
    await expect(publish()).rejects.toThrow('before the database was restored');
  });

  test('asks for enough of the root keys to renew a root', async () => {
    await expect(renewRoot(rootParts(), { newKeys: false })).rejects.toThrow('no root yet');
    await createRoots();
    await expect(createRoots()).rejects.toThrow('The tree has a root');
    const [first = '', second = ''] = await readdir(join(base, 'keys'));
    rmSync(join(base, 'keys', first));
    expect((await renewRoot(rootParts(), { newKeys: false })).signedBy).toHaveLength(2);
    rmSync(join(base, 'keys', second));
    await expect(renewRoot(rootParts(), { newKeys: false })).rejects.toThrow(
      'asks for 2 of its root keys, and',
    );
  });

  test('begins anew when its own state is lost or damaged', async () => {
    await createRoots();
    await write(['a', 'b'], 'first');
    await publish();
    const late = reader();
    await late.follow(handed(), service.now);
    for (const damage of [
      (path: string) => rmSync(path),
      (path: string) => writeFileSync(path, 'x'),
      (path: string) => writeFileSync(path, 'x', { flag: 'a' }),
    ]) {
      damage(join(base, 'own', `${list}.state`));
      await write(['b'], String(damage));
      await publish();
      const rows = await followAnew();
      expect(rows).toHaveLength(2);
      expect(await late.follow(handed(), service.now)).toEqual(rows);
    }
  });

  test('publishes a list again whose files are not in the tree, which was moved or lost some', async () => {
    await createRoots();
    await write(['a', 'b'], 'first');
    await publish();
    await write(['b'], 'second');
    await publish();
    const late = reader();
    const rows = await late.follow(handed(), service.now);
    // To another folder, to which the root alone was copied.
    const moved = join(base, 'moved');
    cpSync(join(base, 'published', 'root'), join(moved, 'root'), { recursive: true });
    context = { ...context, folder: new TreeFolder(moved, join(base, 'own')) };
    await publish();
    expect(await followAnew()).toEqual(rows);
    const elsewhere = reader();
    expect(await elsewhere.follow(handed(), service.now)).toEqual(rows);
    const damages = [(path: string) => rmSync(path), (path: string) => truncateSync(path)];
    for (const damage of damages)
      for (const kind of ['.index', '.sealed']) {
        const state = await readListState(context.folder, list);
        const path =
          state === null ? undefined : livePaths(state).find((one) => one.endsWith(kind));
        damage(join(moved, path ?? ''));
        expect((await publish()).lists).toContain(list);
        expect(await followAnew()).toEqual(rows);
        expect(await elsewhere.follow(handed(), service.now)).toEqual(rows);
      }
    expect((await publish()).lists).toEqual([]);
  });

  const files = async (): Promise<readonly string[]> => {
    const found = await readdir(context.folder.published, { recursive: true });
    const kinds = await Promise.all(
      found.map((path) => stat(join(context.folder.published, path))),
    );
    return found.filter((path, at) => kinds[at]?.isFile() === true && path !== 'head.jsonl');
  };
});

class Killed extends Error {
  override readonly name = 'Killed';
}

/** Ends before or after one of its writes, as a killed publisher does. */
class KilledFolder extends TreeFolder {
  #left: number;

  constructor({ published, own }: TreeFolder, left: number) {
    super(published, own);
    this.#left = left;
  }

  async #step<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#count();
    const result = await work();
    this.#count();
    return result;
  }

  #count(): void {
    if (this.#left === 0) throw new Killed();
    this.#left -= 1;
  }

  override writeOwn(...given: Parameters<TreeFolder['writeOwn']>) {
    return this.#step(() => super.writeOwn(...given));
  }

  override writePublished(...given: Parameters<TreeFolder['writePublished']>) {
    return this.#step(() => super.writePublished(...given));
  }

  override addPublished<Written>(
    work: Parameters<typeof TreeFolder.prototype.addPublished<Written>>[0],
    pathOf: (written: Written) => string,
  ) {
    return this.#step(() => super.addPublished(work, pathOf));
  }

  override remove(path: string) {
    return this.#step(() => super.remove(path));
  }
}
