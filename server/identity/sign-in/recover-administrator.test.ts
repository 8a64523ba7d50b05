/** Runs `npm run recover-administrator` as it is called at the terminal. */
import { beforeAll, describe, expect, test } from 'vitest';
import { auditKey } from '../../platform/audit/audit-hash.ts';
import { migrate } from '../../platform/database/schema/migrate.ts';
import { openInFolder } from '../../testing/databases.ts';
import { runMain } from '../../testing/run-main.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { createFirstAdministrator, recoverAdministrator } from './administrators.ts';
import { describeApp } from './testing/sign-in-app.ts';

describeApp('recovery of an administrator', (service) => {
  const recover = (name: string) =>
    recoverAdministrator(service.database, auditKey(service.box), name, service.now);

  test('signs in with the printed password, without the lost factor, and changes it first', async () => {
    const token = await service.createToken('operator');
    await service.database.query(
      "insert into two_factor (user_id, sealed_secret, last_step, enabled_time) select id, 'lost', -1, 1 from users where name = 'Operator'",
    );
    for (let turn = 0; turn < 6; turn += 1) await service.signIn('operator', 'forgotten');
    const { name, password } = await recover('OPERATOR@example.org');
    expect(name).toBe('Operator');
    const { user } = await service.signIn('operator', password).json;
    expect(user).toMatchObject({ userType: 'Admin', mustChangePassword: true });
    service.now += 6_000;
    expect(await service.me(token)).toBe(401);
    const entries = await service.rows(
      "select * from audit_entry where action = 'recover_administrator'",
    );
    expect(entries).toMatchObject([{ subject: 'user Operator' }]);
    expect(JSON.stringify(entries)).not.toContain(password);
  });

  test('makes a Standard user an administrator when the last one has left', async () => {
    const { password } = await recover('stan');
    const { user } = await service.signIn('stan', password).json;
    expect(user).toMatchObject({ userType: 'Admin' });
  });

  test('refuses an unknown name and lists the administrators', async () => {
    await expect(recover('jane')).rejects.toThrow(
      "No user has the name or address 'jane'. Administrators: Operator.",
    );
  });
});

describe('at the terminal', () => {
  const folder = temporaryFolder();
  beforeAll(async () => {
    const database = await openInFolder(folder);
    await migrate(database);
    const given = { adminEmail: null, adminPassword: 'Forgotten-Horse-7' };
    await createFirstAdministrator(database, given, 1);
    await database.close();
  }, 60_000);

  const main = new URL('recover-administrator-main.ts', import.meta.url);
  const recover = (...words: string[]) => runMain(main, { DATA_DIR: folder }, ...words);

  test('prints the password once, and lists the administrators when the name is missing', async () => {
    expect(await recover('admin')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^admin signs in with the password \w{5}(-\w{5}){3} \(/),
    });
    expect(await recover()).toEqual({
      code: 1,
      output:
        'Give one name or address: npm run recover-administrator -- <name or address>. Administrators: admin.\n',
    });
  });
});
