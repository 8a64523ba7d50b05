import { beforeEach, expect, test } from 'vitest';
import { createFirstAdministrator } from './administrators.ts';
import { describeApp } from './testing/sign-in-app.ts';

describeApp('the first administrator', (service) => {
  const nothing = { adminEmail: null, adminPassword: null };
  const create = (given: Parameters<typeof createFirstAdministrator>[1] = nothing) =>
    createFirstAdministrator(service.database, given, service.now);
  beforeEach(() => service.database.script('delete from users'));

  test('gets a generated password that must be changed', async () => {
    const first = await create();
    expect(first).toMatchObject({
      name: 'admin',
      generatedPassword: expect.stringMatching(/^\w{5}(-\w{5}){3}$/),
      brokenRules: [],
    });
    const { user } = await service.signIn('admin', first?.generatedPassword ?? '').json;
    expect(user).toMatchObject({ userType: 'Admin', mustChangePassword: true });
  });

  test('is the one that the environment sets', async () => {
    expect(await create({ adminEmail: 'Root@example.org', adminPassword: 'simple' })).toEqual({
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
    const { user } = await service.signIn('root@example.org', 'simple').json;
    expect(user).toMatchObject({ name: 'admin', userType: 'Admin', mustChangePassword: false });
  });

  test('is created once when two processes start at once', async () => {
    const made = await Promise.all([create(), create()]);
    expect(made.filter((each) => each !== null)).toHaveLength(1);
    expect(await create()).toBeNull();
    expect(await service.rows('select * from users')).toHaveLength(1);
  });
});
