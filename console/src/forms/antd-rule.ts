/** Adapts rules of the contract to antd's form. A broken rule rejects with its message. */
import { brokenRule, type FormRule } from '@patch/contract/form-rules/form-rule.ts';

export function toAntdRule<Value>(field: string, ...rules: readonly FormRule<Value>[]) {
  return {
    validator: async (_: unknown, value: Value | undefined) => {
      const message = brokenRule((value ?? '') as Value, field, rules);
      if (message !== null) throw new Error(message);
    },
  };
}
