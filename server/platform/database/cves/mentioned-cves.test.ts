/** CVEs are listed as long as a risk source or a listed record mentions them. */
import { createChance, pick } from '@patch/catalogue/testing/chance.ts';
import { seeds } from '@patch/catalogue/testing/rounds.ts';
import { expect, test } from 'vitest';
import { buildKevFacts, writeCveFacts } from '../../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../../testing/record-factories.ts';
import type { Database } from '../database.ts';
import { PackageStatuses, writeStatuses } from '../records/package-status-store.ts';
import { removeScores, writeScores } from './epss-score-store.ts';
import { refreshStaleCves } from './stale-cve-store.ts';
import { type FactsToWrite, writeFacts } from './vulnerability-store.ts';

const alma = 'almalinux_patch';
const cves = Array.from({ length: 6 }, (_, n) => `CVE-2026-100${n}`);
const keys = Array.from({ length: 5 }, (_, n) => `ALSA-${n}`);

/** Follows the changes of the list as a licensed client does. */
class CopiedCves {
  readonly #database: Database;
  readonly #listed = new Set<string>();
  #revision = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  async follow(): Promise<readonly string[]> {
    const { rows } = await this.#database.query(
      'select cve, withdrawn_time, told_revision from vulnerability where told_revision > $1',
      [this.#revision],
    );
    for (const { cve, withdrawn_time: gone, told_revision: told } of rows) {
      this.#revision = Math.max(this.#revision, Number(told));
      if (gone === null) this.#listed.add(String(cve));
      else this.#listed.delete(String(cve));
    }
    return [...this.#listed].toSorted();
  }
}

describeWithDatabase('CVEs that nobody mentions', (open) => {
  test.each(seeds(12))('leave the list and the copies of clients (%i)', async (seed) => {
    const chance = createChance(seed);
    const database = await open();
    const copy = new CopiedCves(database);
    const ids = new Map<string, number>();
    const named = new Map<string, readonly string[]>();
    const exploited = new Set<string>();
    const scored = new Set<string>();
    const stated = new Set<string>();
    const writeRecord = async (key: string) => {
      const cve = cves.filter(() => chance() < 0.3);
      named.set(key, cve);
      const record = { key, row: { title: key, bulletinId: key, releaseDate: 1 }, detail: { cve } };
      const written = await writeRecords(database, alma, [record]);
      for (const [title, id] of written) ids.set(title, id);
    };
    const turnExploited = async (cve: string) => {
      if (!exploited.delete(cve)) exploited.add(cve);
      const facts = exploited.has(cve)
        ? buildKevFacts(cve)
        : ({ of: 'kev', cve, facts: null, hash: '' } satisfies FactsToWrite);
      if (chance() < 0.5) await writeCveFacts(database, facts);
      else await database.transaction((tx) => writeFacts(tx, [facts], 5, 'all are stale'));
    };
    const turnScored = async (cve: string) => {
      const folded = cve.toLowerCase();
      const score = { kind: 'epss', cve: folded, epss: 0.5, percentile: null } as const;
      const isNew = !scored.delete(cve);
      if (isNew) scored.add(cve);
      const stale = chance() < 0.5 ? null : new Set([folded]);
      await database.transaction((tx) =>
        isNew
          ? writeScores(tx, [score], { stale, now: 5 })
          : removeScores(tx, [folded], stale !== null),
      );
    };
    const turnStated = async (cve: string) => {
      if (!stated.delete(cve)) stated.add(cve);
      const statuses = new PackageStatuses();
      for (const one of stated)
        statuses.add({
          kind: 'status',
          release: 'Debian 12',
          package: 'xen',
          cve: one,
          word: 'open',
        });
      const part = { source: 'debian', part: '12' };
      await writeStatuses(database, part, statuses, new AbortController().signal);
    };
    for (let step = 0; step < 60; step += 1) {
      const dice = chance();
      const key = pick(keys, chance);
      if (dice < 0.4) await writeRecord(key);
      else if (dice < 0.6) {
        if (named.delete(key)) await withdrawRecords(database, alma, [ids.get(key)]);
      } else if (dice < 0.75) await turnExploited(pick(cves, chance));
      else if (dice < 0.87) await turnScored(pick(cves, chance));
      else await turnStated(pick(cves, chance));
      if (chance() < 0.4) continue;
      await refreshStaleCves(database);
      const mentioned = cves.filter(
        (cve) =>
          exploited.has(cve) ||
          scored.has(cve) ||
          stated.has(cve) ||
          [...named.values()].some((names) => names.includes(cve)),
      );
      const { rows } = await database.query(
        `select cve, (select listed from list_revision where list = 'vulnerabilities') as listed
         from vulnerabilities where withdrawn_time is null order by cve`,
      );
      expect(rows.map(({ cve }) => cve)).toEqual(mentioned);
      expect(rows.map(({ listed }) => Number(listed))).toEqual(mentioned.map(() => rows.length));
      expect(await copy.follow()).toEqual(mentioned);
    }
  });
});
