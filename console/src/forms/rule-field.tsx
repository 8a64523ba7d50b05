/**
 * A field of a `RuleForm` with rules of the contract. They run when the user leaves the field or chooses a value. A
 * field that shows an error is also validated 200 ms after each change, so that the error disappears once corrected.
 */
import { brokenRule, type FormRule } from '@patch/contract/form-rules/form-rule.ts';
import { Form, type FormItemProps } from 'antd';
import { use, useEffect, useEffectEvent, useRef } from 'react';
import { durations } from '../theme/tokens.ts';
import { FormStatus } from './form-status.ts';

interface RuleFieldProps
  extends Pick<
    FormItemProps,
    | 'extra'
    | 'tooltip'
    | 'valuePropName'
    | 'layout'
    | 'colon'
    | 'className'
    | 'required'
    | 'children'
  > {
  readonly name: string;
  /** Absent for a field that labels itself, such as a checkbox. */
  readonly label?: string;
  /** The name in error messages, where the label does not fit. */
  readonly nameInMessages?: string;
  readonly rules?: readonly FormRule<never>[];
  /** Whether each change completes the value, as with a checkbox, a date or a list. Typed text is complete on blur. */
  readonly isChoice?: boolean;
  /** Fields that the rules read. When one changes, a filled-in field is validated again. */
  readonly dependsOn?: readonly string[];
}

export function RuleField({
  name,
  label,
  nameInMessages = label ?? name,
  rules = [],
  isChoice = false,
  dependsOn = [],
  ...rest
}: RuleFieldProps) {
  const form = Form.useFormInstance();
  const value: unknown = Form.useWatch(name, form);
  const { invalid, refused, busy } = use(FormStatus);
  const isInvalid = invalid.has(name);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const revalidate = useEffectEvent(() => {
    // The rules would remove the server's error, which they do not know.
    const isRefused = refused?.name === name && Object.is(refused.value, value);
    // An error of the server can be shown without the field being in `invalid`.
    const hasError = isInvalid || form.getFieldError(name).length > 0;
    if (hasError && !isRefused) form.validateFields([name]).catch(() => undefined);
  });
  useEffect(() => {
    timer.current = setTimeout(() => revalidate(), durations.formValidates);
    return () => clearTimeout(timer.current);
    // Every change of the value counts: typed, chosen or set from outside.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [value]);
  useEffect(() => {
    // Submitting has validated the field. Validating again would remove the server's error.
    if (busy) clearTimeout(timer.current);
  }, [busy]);
  return (
    <Form.Item
      {...rest}
      name={name}
      label={label}
      rules={[toAntdRule(nameInMessages, ...rules)]}
      dependencies={[...dependsOn]}
      validateTrigger={isChoice ? ['onChange', 'onBlur'] : 'onBlur'}
      validateDebounce={durations.formValidates}
    />
  );
}

/** Adapts rules of the contract to antd's form. A broken rule rejects with its message. */
export function toAntdRule<Value>(field: string, ...rules: readonly FormRule<Value>[]) {
  return {
    validator: async (_: unknown, value: Value | undefined) => {
      const message = brokenRule((value ?? '') as Value, field, rules);
      if (message !== null) throw new Error(message);
    },
  };
}
