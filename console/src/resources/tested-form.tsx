/** The form of a configuration that can be tested before it is saved. The server never returns its secret; an empty field leaves it unchanged. */
import { formInvalid, formInvalidTitle } from '@patch/contract/form-rules/form-rule.ts';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { Form } from 'antd';
import type { ReactNode } from 'react';
import { toast } from '../api/toast.ts';
import { PasswordField } from '../forms/password-field.tsx';
import { RuleField } from '../forms/rule-field.tsx';
import { RuleForm, type RuleFormProps } from '../forms/rule-form.tsx';
import { UnsavedMark } from '../forms/unsaved-mark.tsx';
import { Button } from '../widgets/button.tsx';
import { Notice } from '../widgets/notice.tsx';
import styles from './form-fields.module.css';
import { CheckField, FormButtons } from './form-fields.tsx';

interface TestedFormProps<Draft extends object, Test>
  extends Omit<RuleFormProps<Draft>, 'onSubmit' | 'unsaved'> {
  /** Names the configuration in the question before changes are discarded. */
  readonly what: string;
  readonly testLabel: string;
  readonly onSave: (draft: Draft) => Promise<{ readonly message: string; readonly saved: Draft }>;
  readonly onTest: (draft: Draft) => Promise<Test>;
  /** Shows why a test could not be made over the form instead of in a toast. */
  readonly showsTestFailure?: boolean;
  readonly lastTest?: Test | null;
  readonly result: (test: Test) => ReactNode;
  /** Invalidated after saving. */
  readonly invalidates: readonly QueryKey[];
}

export function TestedForm<Draft extends object, Test>({
  what,
  testLabel,
  onSave,
  onTest,
  showsTestFailure = false,
  lastTest = null,
  result,
  invalidates,
  children,
  ...rest
}: TestedFormProps<Draft, Test>) {
  const [form] = Form.useForm<Draft>(rest.form);
  const queries = useQueryClient();
  const test = useMutation({ mutationFn: onTest, meta: { quiet: showsTestFailure } });
  const shownTest = test.data ?? lastTest;

  async function save(draft: Draft): Promise<void> {
    const { message, saved } = await onSave(draft);
    toast.success(message);
    form.setFieldsValue(saved as Parameters<typeof form.setFieldsValue>[0]);
    await Promise.all(invalidates.map((queryKey) => queries.invalidateQueries({ queryKey })));
  }

  return (
    <RuleForm<Draft>
      {...rest}
      form={form}
      unsaved={{ message: `Your changes to the ${what} are not saved.` }}
      onSubmit={save}
    >
      {test.error === null || !showsTestFailure ? null : (
        <Notice className={styles['alert']} kind="error" title={test.error.message} />
      )}
      {children}
      <FormButtons submit="Save" whenChanged>
        <Button
          loading={test.isPending}
          onClick={() =>
            void form.validateFields().then(
              (draft) => test.mutate(draft),
              () => toast.error(formInvalidTitle, formInvalid),
            )
          }
        >
          {testLabel}
        </Button>
        <UnsavedMark />
      </FormButtons>
      {shownTest === null ? null : result(shownTest)}
    </RuleForm>
  );
}

interface SecretFieldsProps {
  readonly name: string;
  readonly label: string;
  /** Whether the server has the secret. */
  readonly isSet: boolean;
  /** Shown while none is set. */
  readonly hint: string;
  /** The name and label of the checkbox for a configuration without a secret. */
  readonly without: readonly [name: string, label: string];
}

export function SecretFields({ name, label, isSet, hint, without }: SecretFieldsProps) {
  const isWithout = Form.useWatch<boolean | undefined>(without[0]) ?? false;
  return (
    <>
      <RuleField
        name={name}
        label={label}
        extra={isSet ? '••• set. Leave empty to keep it.' : hint}
      >
        <PasswordField autoComplete="new-password" disabled={isWithout} />
      </RuleField>
      <CheckField name={without[0]}>{without[1]}</CheckField>
    </>
  );
}
