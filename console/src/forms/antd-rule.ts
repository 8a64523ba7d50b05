/** A rule of the contract as antd's form asks it: it rejects with the rule's words. */
import { brokenRule, type FormRule } from '@patch/contract/form-rules/form-rule.ts';

export function antdRule<Value>(field: string, ...rules: readonly FormRule<Value>[]) {
  return {
    validator: async (_: unknown, value: Value | undefined) => {
      const wrong = brokenRule((value ?? '') as Value, field, rules);
      if (wrong !== null) throw new Error(wrong);
    },
  };
}
