import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { hashOfCode, lockClientOfCode } from './licensed-client-store.ts';
import { sealCodes } from './seal-codes.ts';

const codes = [
  'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE',
  'FFFFF-GGGGG-HHHHH-JJJJJ-KKKKK',
  'MMMMM-NNNNN-PPPPP-QQQQQ-RRRRR',
];

describeWithDatabase('activation codes of an earlier version', (open) => {
  let database: Database;
  const box = secretBox(randomBytes(32));
  const log = { info: () => undefined } as never;

  /** As migration 210 leaves them: the code in plain text, in its column and in the keyword. */
  beforeEach(async () => {
    database = await open();
    for (const [place, code] of codes.entries()) {
      const keyword = `client ${place}\n${code.toLowerCase()}\nrepo-1\nit@north.example`;
      await database.query(
        `insert into licensed_client (key, created_time, updated_time, revision, client_name, sealed_code, keyword, token_hash, families, host_name, contact_email)
         values ($1, 1, 1, 1, $2, $3, $4, $5, '{debian}', 'repo-1', 'it@north.example')`,
        [String(place), `Client ${place}`, code, keyword, `token ${place}`],
      );
    }
  });

  const seal = (using: Parameters<typeof sealCodes>[0]['box'] = box) =>
    sealCodes({ database, box: using, log });
  const stored = async () =>
    (await database.query('select * from licensed_client order by id')).rows;
  const opened = async () => (await stored()).map((row) => box.open(String(row['sealed_code'])));

  test('are sealed once, with their tokens kept; nothing of them is left in plain text', async () => {
    expect(await seal()).toBe(3);
    const text = JSON.stringify(await stored()).toLowerCase();
    for (const part of codes.flatMap((code) => code.toLowerCase().split('-')))
      expect(text).not.toContain(part);
    expect(text).not.toContain('\\nrepo-1');
    expect(await opened()).toEqual(codes);
    expect((await stored()).map((row) => [row['code_hash'], row['token_hash']])).toEqual(
      codes.map((code, index) => [hashOfCode(code), `token ${index}`]),
    );
    expect(await seal()).toBe(0);
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
    await expect(seal(dying)).rejects.toThrow('killed');
    expect((await stored()).filter((row) => row['code_hash'] === null)).toHaveLength(2);
    expect(await seal()).toBe(2);
    expect(await opened()).toEqual(codes);
  });

  test('are sealed once by processes that start together', async () => {
    const counts = await Promise.all([seal(), seal(), seal()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(await opened()).toEqual(codes);
  });
});
