/**
 * The one form of the console: antd's, held to the contract's rules. Sending it asks every field first; a wrong one gets the
 * focus. What the server refuses stands at the field it is about, or over the form.
 */
import { formInvalid, formInvalidTitle } from '@patch/contract/form-rules/form-rule.ts';
import { Form, type FormInstance, type FormProps } from 'antd';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiCallCancelled, ApiCallError } from '../api/api-call-error.ts';
import { toast } from '../api/toast.ts';
import { Notice } from '../widgets/notice.tsx';
import { isChanged } from './form-changes.ts';
import { FormStanding, type Refused } from './form-standing.ts';
import styles from './rule-form.module.css';
import { type Unsaved, UnsavedGuard } from './unsaved-guard.tsx';

export interface RuleFormProps<Values extends object>
  extends Pick<FormProps<Values>, 'id' | 'className' | 'size' | 'requiredMark' | 'onValuesChange'> {
  /** For a caller that reads or sets fields: `Form.useForm()`. */
  readonly form?: FormInstance<Values>;
  /** What is saved now. */
  readonly initialValues?: Partial<Values>;
  /** Sends it, or what differs from `saved`; what it throws is shown here. */
  readonly onSubmit: (values: Values, saved: Partial<Values>) => Promise<unknown>;
  /** Codes of refusals, each with the field it is about. Every other refusal is of the form as a whole. */
  readonly fieldErrors?: Readonly<Record<string, keyof Values & string>>;
  /** Wrong fields show their errors, without a notification beside them. */
  readonly quiet?: boolean;
  /** Given, it is asked before changes are left behind. */
  readonly unsaved?: Unsaved;
  readonly children: ReactNode;
}

const noneWrong: ReadonlySet<string> = new Set();

export function RuleForm<Values extends object>(props: RuleFormProps<Values>) {
  const {
    form: given,
    initialValues = {} as Partial<Values>,
    onSubmit,
    fieldErrors = {},
    quiet = false,
    unsaved,
    children,
    ...rest
  } = props;
  const [form] = Form.useForm<Values>(given);
  const { wrong, refused, refuse, failure, forget, readErrors } = useRefusals(form, fieldErrors);
  const { saved, busy, send } = useSending({ form, initialValues, onSubmit, refuse, forget });
  const invalid = useNotice();
  const values = Form.useWatch([], form) as Values | undefined;
  const dirty = isChanged(saved, values ?? initialValues);
  const standing = useMemo(() => ({ wrong, refused, dirty, busy }), [wrong, refused, dirty, busy]);
  return (
    <Form<Values>
      layout="vertical"
      requiredMark={false}
      // The contract's rules speak, not the browser's.
      noValidate
      {...rest}
      form={form}
      initialValues={initialValues}
      onFieldsChange={(_, all) => {
        if (readErrors(all)) invalid.end();
      }}
      onFinish={(sent) => void send(sent)}
      onFinishFailed={({ errorFields: [first] }) => {
        if (!quiet) invalid.begin(() => toast.error(formInvalidTitle, formInvalid));
        if (first !== undefined) form.focusField(first.name as never);
      }}
    >
      {unsaved === undefined ? null : <UnsavedGuard unsaved={dirty && !busy} {...unsaved} />}
      <FormStanding value={standing}>
        {failure === undefined ? null : <FormFailure failure={failure} />}
        {children}
      </FormStanding>
    </Form>
  );
}

interface Sending<Values extends object> {
  readonly form: FormInstance<Values>;
  readonly initialValues: Partial<Values>;
  readonly onSubmit: RuleFormProps<Values>['onSubmit'];
  readonly refuse: (thrown: unknown) => void;
  readonly forget: () => void;
}

/** Sends the form, once at a time; what is sent successfully is what is saved. */
function useSending<Values extends object>(sending: Sending<Values>) {
  const { form, initialValues, onSubmit, refuse, forget } = sending;
  const [saved, setSaved] = useState(initialValues);
  const [busy, setBusy] = useState(false);

  async function send(sent: Values): Promise<void> {
    if (busy) return;
    setBusy(true);
    forget();
    try {
      await onSubmit(sent, saved);
      setSaved(form.getFieldsValue());
    } catch (thrown) {
      refuse(thrown);
    } finally {
      setBusy(false);
    }
  }
  return { saved, busy, send };
}

/** Which fields are wrong, and what the server refused: at the field it is about, or of the form as a whole. */
function useRefusals<Values extends object>(
  form: FormInstance<Values>,
  fieldErrors: NonNullable<RuleFormProps<Values>['fieldErrors']>,
) {
  const [wrong, setWrong] = useState(noneWrong);
  const [refused, setRefused] = useState<Refused>();
  const [failure, setFailure] = useState<Error>();

  function refuse(thrown: unknown): void {
    // A session that has ended is told by the login page.
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
    setWrong(new Set([field]));
    setRefused({ name: field, value: form.getFieldValue(field as never) as unknown });
    form.focusField(field as never);
  }

  /** Answers whether every field has been asked and is right. */
  function readErrors(fields: readonly FieldState[]): boolean {
    const names = fields
      .filter(({ errors = [] }) => errors.length > 0)
      .map(({ name }) => nameOf(name));
    setWrong((before) =>
      before.size === names.length && names.every((name) => before.has(name))
        ? before
        : new Set(names),
    );
    // What is being asked has no errors for the time being.
    return names.length === 0 && !fields.some(({ validating = false }) => validating);
  }
  return { wrong, refused, refuse, failure, forget: () => setFailure(undefined), readErrors };
}

/** A field as antd tells that it changed. */
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

/** A notification that goes with what it is about. */
function useNotice() {
  const takeAway = useRef<() => void>(undefined);
  const end = useCallback(() => {
    takeAway.current?.();
    takeAway.current = undefined;
  }, []);
  useEffect(() => end, [end]);
  const begin = (show: () => () => void) => {
    end();
    takeAway.current = show();
  };
  return { begin, end };
}

const nameOf = (path: unknown): string => (Array.isArray(path) ? path.join('.') : String(path));
