import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import { expect, test } from 'vitest';
import { toAntdRule } from './rule-field.tsx';

test('rejects with the message of the first broken rule, and treats an untouched field as empty', async () => {
  const { validator } = toAntdRule('Name', required, shortText);
  await expect(validator(null, undefined)).rejects.toThrow('Name field is required');
  await expect(validator(null, 'x'.repeat(101))).rejects.toThrow(
    'Size of Name must be less than 100.',
  );
  await expect(validator(null, 'x')).resolves.toBeUndefined();
});
