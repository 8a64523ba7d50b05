import { beforeEach, describe, expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { createFirstAdministrator } from './first-administrator.ts';
import { withSignInApp } from './testing/sign-in-app.ts';

describeWithDatabase('first administrator', (open) => {
  const service = withSignInApp(open);

  describe('the first administrator', () => {
    const nothing = { adminEmail: null, adminPassword: null };
    beforeEach(() => service.database.script('delete from users'));

    test('is made with a generated password, to be changed', async () => {
      const first = await createFirstAdministrator(service.database, nothing, service.now);
      expect(first).toMatchObject({
        name: 'admin',
        generatedPassword: expect.stringMatching(/^\w{5}(-\w{5}){3}$/),
        brokenRules: [],
      });
      expect(await service.signIn('admin', first?.generatedPassword ?? '')).toMatchObject({
        status: 200,
        json: { user: { userType: 'Admin', mustChangePassword: true } },
      });
    });

    test('is the one that the environment names', async () => {
      const first = await createFirstAdministrator(
        service.database,
        { adminEmail: 'Root@example.org', adminPassword: 'simple' },
        service.now,
      );
      expect(first).toEqual({
        name: 'admin',
        generatedPassword: null,
        brokenRules: [
          'At least 8 characters',
          'A special character (~!@#$%^&*_-)',
          'Letters and digits',
          'Lower and upper case',
          'The password is one of the most common ones, or a variation with added characters.',
        ],
      });
      expect(await service.signIn('root@example.org', 'simple')).toMatchObject({
        status: 200,
        json: { user: { name: 'admin', userType: 'Admin', mustChangePassword: false } },
      });
    });

    test('is made once, though two processes start at once', async () => {
      const made = await Promise.all([
        createFirstAdministrator(service.database, nothing, service.now),
        createFirstAdministrator(service.database, nothing, service.now),
      ]);
      expect(made.filter((each) => each !== null)).toHaveLength(1);
      expect(await createFirstAdministrator(service.database, nothing, service.now)).toBeNull();
      expect((await service.database.query('select * from users')).rows).toHaveLength(1);
    });
  });
});
