/** Protects the audit log against an attacker with the database, but without the service's key and its data folder. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import type { Database } from '../database/database.ts';
import { secretBox } from '../secrets/secret-box.ts';
import { auditAnchors } from './audit-anchor.ts';
import { auditHash, auditKey } from './audit-hash.ts';
import { addEntries, type ChainedEntry, entriesAfter } from './audit-store.ts';
import { serviceEntry } from './service-entry.ts';
import { verifyChain } from './verify-chain.ts';

const key = auditKey(secretBox(Buffer.alloc(32, 1)));
const other = auditKey(secretBox(Buffer.alloc(32, 2)));
const folder = temporaryFolder();

const entry = (subject: string) => serviceEntry({ time: 1, action: 'made_up', subject });

describeWithDatabase('the keyed audit log', (open) => {
  let database: Database;
  let written: readonly ChainedEntry[];
  beforeEach(async () => {
    database = await open();
    written = await addEntries(database, key, ['a', 'b', 'c', 'd'].map(entry));
  });

  const verify = () => verifyChain(database, key, written);
  const tamper = (statement: string) =>
    database.script(
      `alter table audit_entry disable trigger user; ${statement}; alter table audit_entry enable trigger user;`,
    );

  /** Recomputes every hash from an entry on, as far as an attacker without the key can. */
  async function rewrite(
    from: number,
    keyId: string,
    computeHash: (previous: string, one: ChainedEntry) => string,
  ): Promise<void> {
    let previous = '';
    for (const one of await entriesAfter(database, 0, 100)) {
      if (one.id >= from) {
        const hash = computeHash(previous, one);
        await tamper(
          `update audit_entry set previous_hash = '${previous}', hash = '${hash}', key_id = '${keyId}' where id = ${one.id}`,
        );
        previous = hash;
      } else previous = one.hash;
    }
    await database.query('update audit_chain set last_hash = $1', [previous]);
  }
  /** A hash that can be computed without the key. */
  const plainHash = (previous: string, one: ChainedEntry) => sha256Hex(previous + one.subject);

  test('reports an unchanged log as intact', async () => {
    expect(await verify()).toMatchObject({
      intact: true,
      checked: 4,
      otherKey: 0,
      anchored: 4,
    });
  });

  test('detects a changed entry when all later hashes were recomputed without the key', async () => {
    await tamper("update audit_entry set subject = 'x', subject_folded = 'x' where id = 2");
    await rewrite(2, key.id, plainHash);
    expect(await verify()).toMatchObject({
      intact: false,
      firstBroken: { id: 2, reason: 'It was changed after it was written.' },
    });
    await tamper(
      'alter table audit_entry alter key_id drop not null; update audit_entry set key_id = null where id = 2',
    );
    expect(await verify()).toMatchObject({
      intact: false,
      firstBroken: { id: 2, reason: 'It has no key: it was rewritten.' },
    });
  });

  test('detects a rewritten log by the anchors outside the database', async () => {
    await tamper("update audit_entry set subject = 'x', subject_folded = 'x' where id = 2");
    await rewrite(1, other.id, (previous, one) => auditHash(other, previous, one));
    expect(await verify()).toMatchObject({
      intact: false,
      firstBroken: { id: 1, reason: expect.stringContaining('noted in DATA_DIR') },
    });
    // Without anchors it looks like the log of an installation with another key; `otherKey` says so.
    expect(await verifyChain(database, key, [])).toMatchObject({ intact: true, otherKey: 4 });
  });

  test('detects that the last entries were removed', async () => {
    const [, second] = written;
    await tamper('delete from audit_entry where id > 2');
    await database.query('update audit_chain set last_id = 2, last_hash = $1', [second?.hash]);
    expect(await verifyChain(database, key, [])).toMatchObject({ intact: true });
    expect(await verify()).toMatchObject({
      intact: false,
      firstBroken: { id: 3, reason: 'The entries 3 to 4 are missing. They are noted in DATA_DIR.' },
    });
  });
});

describe('auditAnchors', () => {
  const hash = (n: number) => createHash('sha256').update(String(n)).digest('hex');

  test('reads anchors back, skips a truncated line and is private to the owner', () => {
    const anchors = auditAnchors(folder);
    expect(anchors.read()).toEqual([]);
    anchors.note([{ id: 1, time: 5, hash: hash(1) }]);
    const path = join(folder, 'audit-anchor.log');
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"id":2,"ti`);
    expect(anchors.read()).toEqual([{ id: 1, time: 5, hash: hash(1) }]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    anchors.retire(0);
    expect(anchors.read()).toEqual([]);
    expect(readdirSync(folder)).toEqual(['audit-anchor.until-1970-01-01T000000.000Z.log']);
    anchors.retire(0);
  });

  test('drops the oldest lines at the size limit', () => {
    const anchors = auditAnchors(folder);
    const lines = Array.from({ length: 12_000 }, (_, n) => ({ id: n + 1, time: 1, hash: hash(n) }));
    for (let from = 0; from < lines.length; from += 1000)
      anchors.note(lines.slice(from, from + 1000));
    expect(statSync(join(folder, 'audit-anchor.log')).size).toBeLessThanOrEqual(1024 ** 2);
    expect(anchors.read().at(-1)?.id).toBe(12_000);
  });
});
