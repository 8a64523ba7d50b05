/**
 * The form component of the console: antd's form with rules of the contract. Submitting validates every field and
 * focuses an invalid one. A refusal of the server is shown at its field, or over the form.
 */
import { formInvalid, formInvalidTitle } from '@patch/contract/form-rules/form-rule.ts';
import { Form, type FormInstance, type FormProps } from 'antd';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiCallCancelled, ApiCallError } from '../api/api-call-error.ts';
import { toast } from '../api/toast.ts';
import { Notice } from '../widgets/notice.tsx';
import { findShown, isChanged } from './form-changes.ts';
import { FormStatus, type RefusedField } from './form-status.ts';
import styles from './rule-form.module.css';
import { type Unsaved, UnsavedGuard } from './unsaved-guard.tsx';

export interface RuleFormProps<Values extends object>
  extends Pick<FormProps<Values>, 'id' | 'className' | 'size' | 'requiredMark' | 'onValuesChange'> {
  /** Distinguishes the fields from those of another form on the page that have the same names. */
  readonly name?: string;
  /** Created with `Form.useForm()` by callers that read or set fields. */
  readonly form?: FormInstance<Values>;
  /** The values that are saved now. */
  readonly initialValues?: Partial<Values>;
  /** Sends the values, or their difference from `saved`. The form shows the error that it throws. */
  readonly onSubmit: (values: Values, saved: Partial<Values>) => Promise<unknown>;
  /** Maps error codes to fields. All other refusals are shown over the form. */
  readonly fieldErrors?: Readonly<Record<string, keyof Values & string>>;
  /** Invalid fields show their errors without a notification. */
  readonly quiet?: boolean;
  /** Makes the form ask before unsaved changes are discarded. */
  readonly unsaved?: Unsaved;
  readonly children: ReactNode;
}

const noFields: ReadonlySet<string> = new Set();

export function RuleForm<Values extends object>(props: RuleFormProps<Values>) {
  const {
    form: givenForm,
    initialValues = {} as Partial<Values>,
    onSubmit,
    fieldErrors = {},
    quiet = false,
    unsaved,
    children,
    ...rest
  } = props;
  const [form] = Form.useForm<Values>(givenForm);
  const { invalid, refused, refuse, failure, clearFailure, readErrors } = useRefusals(
    form,
    fieldErrors,
  );
  /** The last values that were sent successfully. */
  const [saved, setSaved] = useState(initialValues);
  const [busy, setBusy] = useState(false);
  const errorNotice = useNotice();
  const values = Form.useWatch([], form) as Values | undefined;
  const dirty = values !== undefined && isChanged(findShown(saved, values), values);
  const status = useMemo(
    () => ({ invalid, refused, dirty, busy }),
    [invalid, refused, dirty, busy],
  );

  /** Sends the form, once at a time. */
  async function send(sent: Values): Promise<void> {
    if (busy) return;
    setBusy(true);
    clearFailure();
    try {
      await onSubmit(sent, saved);
      setSaved(form.getFieldsValue());
    } catch (thrown) {
      refuse(thrown);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Form<Values>
      layout="vertical"
      requiredMark={false}
      // The contract's rules replace the browser's validation.
      noValidate
      {...rest}
      form={form}
      initialValues={initialValues}
      onFieldsChange={(_, all) => {
        if (readErrors(all)) errorNotice.end();
      }}
      onFinish={(sent) => void send(sent)}
      onFinishFailed={({ errorFields: [first] }) => {
        if (!quiet) errorNotice.begin(() => toast.error(formInvalidTitle, formInvalid));
        if (first !== undefined) form.focusField(first.name as never);
      }}
    >
      {unsaved === undefined ? null : <UnsavedGuard unsaved={dirty && !busy} {...unsaved} />}
      <FormStatus value={status}>
        {failure === undefined ? null : <FormFailure failure={failure} />}
        {children}
      </FormStatus>
    </Form>
  );
}

/** The invalid fields, and the server's refusal: at a field, or for the form. */
function useRefusals<Values extends object>(
  form: FormInstance<Values>,
  fieldErrors: NonNullable<RuleFormProps<Values>['fieldErrors']>,
) {
  const [invalid, setInvalid] = useState(noFields);
  const [refused, setRefused] = useState<RefusedField>();
  const [failure, setFailure] = useState<Error>();

  function refuse(thrown: unknown): void {
    // The login page explains that the session has ended.
    if (
      thrown instanceof ApiCallCancelled ||
      (thrown instanceof ApiCallError && thrown.status === 401)
    )
      return;
    const field = thrown instanceof ApiCallError ? fieldErrors[thrown.code] : undefined;
    if (field === undefined) {
      setFailure(thrown instanceof Error ? thrown : new Error(String(thrown)));
      return;
    }
    form.setFields([{ name: field as never, errors: [(thrown as ApiCallError).userMessage] }]);
    setInvalid(new Set([field]));
    setRefused({ name: field, value: form.getFieldValue(field as never) as unknown });
    form.focusField(field as never);
  }

  /** Returns whether all fields are validated and valid. */
  function readErrors(fields: readonly FieldState[]): boolean {
    const names = fields
      .filter(({ errors = [] }) => errors.length > 0)
      .map(({ name }) => toFieldName(name));
    setInvalid((before) =>
      before.size === names.length && names.every((name) => before.has(name))
        ? before
        : new Set(names),
    );
    // A field has no errors while it is being validated.
    return names.length === 0 && !fields.some(({ validating = false }) => validating);
  }
  return {
    invalid,
    refused,
    refuse,
    failure,
    clearFailure: () => setFailure(undefined),
    readErrors,
  };
}

/** A field as antd reports its change. */
interface FieldState {
  readonly name?: unknown;
  readonly errors?: readonly string[];
  readonly validating?: boolean;
}

function FormFailure({ failure }: { readonly failure: Error }) {
  const isFromServer = failure instanceof ApiCallError;
  return (
    <Notice
      className={styles['alert']}
      kind="error"
      title={isFromServer ? failure.userMessage : failure.message}
      description={
        isFromServer && failure.requestId !== null ? `Request ${failure.requestId}` : undefined
      }
    />
  );
}

/** A notification that closes with its cause. */
function useNotice() {
  const close = useRef<() => void>(undefined);
  const end = useCallback(() => {
    close.current?.();
    close.current = undefined;
  }, []);
  useEffect(() => end, [end]);
  const begin = (show: () => () => void) => {
    end();
    close.current = show();
  };
  return { begin, end };
}

const toFieldName = (path: unknown): string =>
  Array.isArray(path) ? path.join('.') : String(path);
