/** `npm run recover-administrator` as it is called at the terminal. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { auditKey } from '../../platform/audit/audit-key.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { describeWithDatabase, openInFolder } from '../../testing/databases.ts';
import { createFirstAdministrator } from './first-administrator.ts';
import { recoverAdministrator } from './recover-administrator.ts';
import { withSignInApp } from './testing/sign-in-app.ts';

describeWithDatabase('an administrator who can no longer sign in', (open) => {
  const service = withSignInApp(open);

  test('signs in with the printed password, without the lost factor, and changes it first', async () => {
    const token = await service.tokenOf('operator');
    await service.database.query(
      "insert into two_factor (user_id, sealed_secret, last_step, enabled_time) select id, 'lost', -1, 1 from users where name = 'Operator'",
    );
    for (let turn = 0; turn < 6; turn += 1) await service.signIn('operator', 'forgotten');
    const { name, password } = await recoverAdministrator(
      service.database,
      auditKey(service.box),
      'OPERATOR@example.org',
      service.now,
    );
    expect(name).toBe('Operator');
    const { status, json } = await service.signIn('operator', password);
    expect([status, json['user']]).toMatchObject([
      200,
      { userType: 'Admin', mustChangePassword: true },
    ]);
    service.now += 6_000;
    expect(await service.me(token)).toBe(401);
    const rows = await queryRows(
      service.database,
      z.object({ text: z.string() }),
      "select row_to_json(audit_entry)::text as text from audit_entry where action = 'recover_administrator'",
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).toContain('user Operator');
    expect(rows[0]?.text).not.toContain(password);
  });

  test('a Standard user becomes an administrator, when the last one has left', async () => {
    const { password } = await recoverAdministrator(
      service.database,
      auditKey(service.box),
      'stan',
      service.now,
    );
    expect((await service.signIn('stan', password)).json['user']).toMatchObject({
      userType: 'Admin',
    });
  });

  test('nobody is made up: an unknown name is refused with the administrators', async () => {
    await expect(
      recoverAdministrator(service.database, auditKey(service.box), 'jane', service.now),
    ).rejects.toThrow(
      "There is no user with the name or address 'jane'. Administrators: Operator.",
    );
  });
});

describe('at the terminal', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recover-'));
    const database = await openInFolder(folder);
    await migrate(database);
    await createFirstAdministrator(
      database,
      { adminEmail: null, adminPassword: 'Forgotten-Horse-7' },
      1,
    );
    await database.close();
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const recover = (...words: string[]) =>
    promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, 'recover-administrator-main.ts'), ...words],
      {
        env: { PATH: process.env['PATH'], DATA_DIR: folder },
      },
    ).then(
      ({ stdout, stderr }) => ({ code: 0, words: stdout + stderr }),
      (failed: { stdout: string; stderr: string; code: number }) => ({
        code: failed.code,
        words: failed.stdout + failed.stderr,
      }),
    );

  test('prints the password once; without a name it says who the administrators are', async () => {
    expect(await recover('admin')).toMatchObject({
      code: 0,
      words: expect.stringMatching(/^admin signs in with the password \w{5}(-\w{5}){3} \(/),
    });
    expect(await recover()).toEqual({
      code: 1,
      words:
        'Name one person: npm run recover-administrator -- <name or address>. Administrators: admin.\n',
    });
  });
});
