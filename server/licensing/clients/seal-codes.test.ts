import { randomBytes } from 'node:crypto';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { contentHash } from '../../platform/database/content-hash.ts';
import type { Database } from '../../platform/database/database.ts';
import { writeEntries } from '../../platform/database/entry-writer.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeOnDatabases } from '../../testing/databases.ts';
import { hashOfCode, lockClientOfCode } from './licensed-client-store.ts';
import { sealCodes } from './seal-codes.ts';

const clients = listOfKey('floto_user');
const codes = [
  'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE',
  'FFFFF-GGGGG-HHHHH-JJJJJ-KKKKK',
  'MMMMM-NNNNN-PPPPP-QQQQQ-RRRRR',
];

describeOnDatabases('activation codes of an earlier version', (open) => {
  let database: Database;
  const box = secretBox(randomBytes(32));
  const log = { info: () => undefined } as never;

  /** As version 080 of the tables held them: the code in its column, in the folded one and in the keyword. */
  beforeEach(async () => {
    database = await open();
    for (const [place, code] of codes.entries()) {
      const row = { clientName: `Client ${place}`, activationCode: code };
      const detail = { families: ['debian'], hostName: 'repo-1', contactEmail: 'it@north.example' };
      const entry = { key: String(place), row, detail, contentHash: contentHash(row, detail) };
      const [written] = await database.transaction((tx) =>
        writeEntries(tx, clients, 'registry', [entry], 1),
      );
      const folded = code.toLowerCase();
      const keyword = `client ${place}\n${folded}\nrepo-1\nit@north.example`;
      await database.query(
        'update floto_user set activation_code_folded = $2, keyword = $3 where id = $1',
        [written?.rowId, folded, keyword],
      );
      await database.query('insert into licensed_client (row_id, token_hash) values ($1, $2)', [
        written?.rowId,
        `token ${place}`,
      ]);
    }
  });

  const texts = async () =>
    (
      await queryRows(
        database,
        z.object({ text: z.string() }),
        'select concat(row_to_json(u)::text, row_to_json(c)::text) as text from floto_user as u join licensed_client as c on c.row_id = u.id order by u.id',
      )
    ).map(({ text }) => text.toLowerCase());

  test('are sealed once, with their tokens kept; nothing of them is left in plain text', async () => {
    expect(await sealCodes({ database, box, log })).toBe(3);
    for (const text of await texts()) {
      for (const part of codes.flatMap((code) => code.toLowerCase().split('-')))
        expect(text).not.toContain(part);
      expect(text).not.toContain('\\nrepo-1');
    }
    const rows = await queryRows(
      database,
      z.object({ sealed: z.string(), hash: z.string(), token: z.string() }),
      'select activation_code as sealed, code_hash as hash, token_hash as token from floto_user join licensed_client on row_id = id order by id',
    );
    expect(rows.map(({ sealed }) => box.open(sealed))).toEqual(codes);
    expect(rows.map(({ hash, token }) => [hash, token])).toEqual(
      codes.map((code, place) => [hashOfCode(code), `token ${place}`]),
    );
    expect(await sealCodes({ database, box, log })).toBe(0);
    const found = await database.transaction((tx) => lockClientOfCode(tx, codes[1] ?? ''));
    expect(found).toMatchObject({ clientName: 'Client 1', hasToken: true });
  });

  test('are sealed by the next start when a process was killed in the middle', async () => {
    let sealed = 0;
    const dying = {
      seal: (text: string) => {
        sealed += 1;
        if (sealed === 2) throw new Error('killed');
        return box.seal(text);
      },
    };
    await expect(sealCodes({ database, box: dying, log })).rejects.toThrow('killed');
    expect((await texts()).filter((text) => text.includes('"code_hash":null'))).toHaveLength(2);
    expect(await sealCodes({ database, box, log })).toBe(2);
    const rows = await queryRows(
      database,
      z.object({ sealed: z.string() }),
      'select activation_code as sealed from floto_user order by id',
    );
    expect(rows.map((row) => box.open(row.sealed))).toEqual(codes);
  });

  test('are sealed once by processes that start together', async () => {
    const counts = await Promise.all([1, 2, 3].map(() => sealCodes({ database, box, log })));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
    const rows = await queryRows(
      database,
      z.object({ sealed: z.string() }),
      'select activation_code as sealed from floto_user order by id',
    );
    expect(rows.map((row) => box.open(row.sealed))).toEqual(codes);
  });
});
