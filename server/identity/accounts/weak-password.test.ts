import { defaultPasswordPolicy } from '@patch/contract/form-rules/password-rules.ts';
import { describe, expect, test } from 'vitest';
import { password } from '../../testing/factories.ts';
import { describeApp } from '../sign-in/testing/sign-in-app.ts';
import { assertStrongPassword, guessableReason } from './weak-password.ts';

const owner = { name: 'Jane Müller', email: 'jane.mueller@acme.example' };
const common = [
  'Password1! P@ssw0rd P@ssw0rd1! Qwerty123! Summer2024! Welcome-1 Passw0rd! !!!Dragon99',
  'Football_2026 Letmein-123',
].flatMap((line) => line.split(' '));

describe('guessableReason', () => {
  test.each(common)('recognizes %s as common', (typed) => {
    expect(() =>
      assertStrongPassword({ ...defaultPasswordPolicy, enableSpecialChar: false }, typed, owner),
    ).toThrow('one of the most common ones');
  });

  test.each([
    'Jane Müller-99',
    'xx-JANE MULLER-1',
    'Jane.Mueller!7',
    'jane.mueller@acme.example-A1',
  ])("finds the owner's name in %s", (typed) => {
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
  ])('%s is neither', (typed) => expect(guessableReason(typed, owner)).toBeNull());

  test('ignores a short or empty name', () => {
    expect(guessableReason('Kx7-jo-vurmo', { name: 'jo', email: '' })).toBeNull();
  });
});

describeApp('guessable password', ({ operator, stan }) => {
  test('is refused when users or their administrator choose it', async () => {
    const [name, typed] = ['operator-77', 'Operator-77'];
    const { id } = await stan.get('/me').json;
    const made = { name, email: 'jane@example.org', userType: 'Standard', password: typed };
    for (const reply of [
      operator.post('/user/changepassword', { oldPassword: password, newPassword: typed }),
      operator.post('/user', made),
      operator.put(`/user/${String(id)}`, { name, password: typed }),
    ])
      expect(await reply.outcome).toBe('422 guessable_password');
  });
});
