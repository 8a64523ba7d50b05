import { defaultPasswordPolicy } from '@patch/contract/form-rules/password-rules.ts';
import { describe, expect, test } from 'vitest';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password } from '../../testing/factories.ts';
import { withSignInApp } from '../sign-in/testing/sign-in-app.ts';
import { assertStrongPassword, guessableReason } from './weak-password.ts';

const owner = { name: 'Jane Müller', email: 'jane.mueller@acme.example' };

describe('a password that is guessed soon', () => {
  test.each([
    'Password1!',
    'P@ssw0rd',
    'P@ssw0rd1!',
    'Qwerty123!',
    'Summer2024!',
    'Welcome-1',
    'Passw0rd!',
    '!!!Dragon99',
    'Football_2026',
    'Letmein-123',
  ])('%s is one of the most common ones', (typed) => {
    expect(() =>
      assertStrongPassword({ ...defaultPasswordPolicy, enableSpecialChar: false }, typed, owner),
    ).toThrow('one of the most common ones');
  });

  test.each([
    'Jane Müller-99',
    'xx-JANE MULLER-1',
    'Jane.Mueller!7',
    'jane.mueller@acme.example-A1',
  ])('%s contains the name of its owner', (typed) => {
    expect(guessableReason(typed, owner)).toBe(
      'The password contains the name or the email address of its owner.',
    );
  });

  test.each([
    password,
    'Another-Horse-8',
    'Kx7-vurmo-Tilb',
    'GRüße-aus-Ankara-06',
    '北京-Aa1!-烤鸭-晚餐',
  ])('%s is neither', (typed) => {
    expect(guessableReason(typed, owner)).toBeNull();
  });

  test('a short name or none forbids nothing', () => {
    expect(guessableReason('Kx7-jo-vurmo', { name: 'jo', email: '' })).toBeNull();
  });
});

describeWithDatabase('a password that is guessed soon', (open) => {
  const service = withSignInApp(open);

  test.each([
    ['Password1!', 'one of the most common ones'],
    ['Operator-77', 'contains the name'],
  ])(
    '%s is refused when the own one is changed, when a user is made and when one is changed',
    async (typed, words) => {
      const token = await service.tokenOf('operator');
      const refused = {
        status: 422,
        json: { code: 'guessable_password', userMessage: expect.stringContaining(words) },
      };
      expect(
        await service.ask('POST', '/user/changepassword', {
          token,
          body: { oldPassword: password, newPassword: typed },
        }),
      ).toMatchObject(refused);
      const name = typed.startsWith('Op') ? 'operator-77' : 'jane';
      const made = { name, email: 'jane@example.org', userType: 'Standard', password: typed };
      expect(await service.ask('POST', '/user', { token, body: made })).toMatchObject(refused);
      const rows = await queryRows(
        service.database,
        IdRow,
        "select id from users where name = 'Stan'",
      );
      const path = `/user/${String(rows[0]?.id)}`;
      const changed = await service.ask('PUT', path, {
        token,
        body: { name: typed.startsWith('Op') ? 'operator-77' : 'stan', password: typed },
      });
      expect(changed).toMatchObject(refused);
    },
  );
});
