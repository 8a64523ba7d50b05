/**
 * A field of a `RuleForm` with the contract's rules. They are asked when it is left, or chosen; and once it shows an error,
 * 200 ms after anything changes it, so that the error goes as soon as it is mended.
 */
import type { FormRule } from '@patch/contract/form-rules/form-rule.ts';
import { Form, type FormItemProps } from 'antd';
import { use, useEffect, useEffectEvent, useRef } from 'react';
import { durations } from '../theme/tokens.ts';
import { antdRule } from './antd-rule.ts';
import { FormStanding } from './form-standing.ts';

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
  /** Absent where the field itself has its words: a box. */
  readonly label?: string;
  /** The name in the rules' sentences, where the label does not read well in them. */
  readonly called?: string;
  readonly rules?: readonly FormRule<never>[];
  /** Each change is a whole one: a box, a date, a choice of a list. What is typed is whole when it is left. */
  readonly chosen?: boolean;
  /** Fields that its rules read: when one of them changes and this one was filled in, its rules are asked again. */
  readonly reads?: readonly string[];
}

export function RuleField({
  name,
  label,
  called = label ?? name,
  rules = [],
  chosen = false,
  reads = [],
  ...rest
}: RuleFieldProps) {
  const form = Form.useFormInstance();
  const value: unknown = Form.useWatch(name, form);
  const { wrong: allWrong, refused, busy } = use(FormStanding);
  const wrong = allWrong.has(name);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const askAgain = useEffectEvent(() => {
    // The rules know nothing of what the server has refused: they would take its words away.
    const isRefused = refused?.name === name && Object.is(refused.value, value);
    // What the server refused may stand at the field without being counted as wrong.
    const isWrong = wrong || form.getFieldError(name).length > 0;
    if (isWrong && !isRefused) form.validateFields([name]).catch(() => undefined);
  });
  useEffect(() => {
    timer.current = setTimeout(() => askAgain(), durations.formValidates);
    return () => clearTimeout(timer.current);
    // Whether it is typed, chosen or set from outside.
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
      rules={[antdRule(called, ...rules)]}
      dependencies={[...reads]}
      validateTrigger={chosen ? ['onChange', 'onBlur'] : 'onBlur'}
      validateDebounce={durations.formValidates}
    />
  );
}
