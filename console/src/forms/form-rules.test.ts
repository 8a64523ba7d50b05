import { defaultPasswordPolicy } from '@patch/contract/password-rules.ts';
import { describe, expect, it } from 'vitest';
import { asFormRule, confirmed, goodPassword, required } from './form-rules.ts';

describe('the rules', () => {
  it('say what the specification says', () => {
    expect(required('Current password')('')).toBe('Current password field is required');
    expect(confirmed('Confirm password', 'one')('other')).toBe('Confirm password confirmation does not match');
    expect(goodPassword('New password', defaultPasswordPolicy)('short')).toBe("New password doesn't match the required criterias.");
  });

  it('say nothing of what is right', () => {
    expect(required('Current password')(' ')).toBeNull();
    expect(confirmed('Confirm password', 'one')('one')).toBeNull();
    expect(goodPassword('New password', defaultPasswordPolicy)('Long-enough-1')).toBeNull();
  });

  it('leave an empty field to the required rule', async () => {
    const never = () => 'wrong';
    await expect(asFormRule(never).validator(null, '')).resolves.toBeUndefined();
    await expect(asFormRule(never).validator(null, undefined)).resolves.toBeUndefined();
    await expect(asFormRule(never).validator(null, 'x')).rejects.toThrow('wrong');
    await expect(asFormRule(never, true).validator(null, undefined)).rejects.toThrow('wrong');
  });
});
