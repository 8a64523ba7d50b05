/** The form of an exception: its kind, its reason, who owns it and until when it holds. */
import {
  type AcceptedMissing,
  exceptionWarningDays,
  maxExceptionDays,
  maxReasonLength,
} from '@patch/contract/fleet/exception-endpoints.ts';
import { type ExceptionKind, exceptionKindWords } from '@patch/contract/fleet/exception-kinds.ts';
import { maxDate, minDate } from '@patch/contract/form-rules/number-rules.ts';
import { dateRequired, required } from '@patch/contract/form-rules/required-rules.ts';
import { Form, Input } from 'antd';
import { type ReactNode, useState } from 'react';
import { timeZone, useMay, useSession } from '../api/session.ts';
import { RuleField } from '../forms/rule-field.tsx';
import { RuleForm } from '../forms/rule-form.tsx';
import { FormButtons, SelectField, toOptions } from '../resources/form-fields.tsx';
import { ReaderZone } from '../values/reader-zone.ts';
import { ZonedDatePicker } from '../values/zoned-date-picker.tsx';
import { instantChosen, pickerTime, writeInstant } from '../values/zoned-picker-time.ts';
import { Button } from '../widgets/button.tsx';
import {
  type ChosenOwner,
  OwnerFields,
  type OwnerInput,
  toOwner,
  toOwnerInput,
} from './owner-fields.tsx';

const dayMs = 86_400_000;
const quickDays = [30, 90, 180] as const;
const defaultDays = 90;

interface ExceptionInput extends OwnerInput {
  readonly kind: ExceptionKind;
  /** 0: no end. */
  readonly until: number;
  readonly reason: string;
  /** `machine`, `client`, `all`, or `group:7`; undefined where the machines do not change. */
  readonly where?: string;
}

export interface ExceptionValues {
  readonly kind: ExceptionKind;
  readonly until: number | null;
  readonly reason: string;
  readonly owner?: ChosenOwner;
}

/** Returns the end of the day after that many days, in the reader's zone. */
const endAfter = (days: number, now: number, zone: string) =>
  instantChosen(pickerTime(now + days * dayMs, zone), zone, { withTime: false, endOfDay: true });

interface ExceptionFormProps {
  /** Null for a new one. */
  readonly exception: Pick<AcceptedMissing, 'kind' | 'until' | 'reason' | 'owner'> | null;
  readonly onSave: (values: ExceptionValues, where: string | undefined) => Promise<void>;
  readonly onCancel: () => void;
  /** The field `where` of a new one. */
  readonly children?: ReactNode;
}

export function ExceptionForm({ exception, onSave, onCancel, children }: ExceptionFormProps) {
  const [now] = useState(() => Date.now());
  const { user } = useSession();
  // Only an administrator reads the users, to choose one of them.
  const choosesOwner = useMay('admin');
  const zone = timeZone();
  const initial: ExceptionInput =
    exception === null
      ? {
          kind: 'accepted',
          until: endAfter(defaultDays, now, zone),
          reason: '',
          ...toOwnerInput(user === null ? null : { userId: user.id, address: null }),
          where: 'machine',
        }
      : {
          kind: exception.kind,
          until: exception.until ?? 0,
          reason: exception.reason,
          ...toOwnerInput(exception.owner),
        };
  return (
    <ReaderZone value={zone}>
      <RuleForm<ExceptionInput>
        initialValues={initial}
        onSubmit={({ kind, until, reason, where, ...input }) => {
          const owner = choosesOwner ? toOwner(input) : null;
          const values = { kind, until: until === 0 ? null : until, reason };
          return onSave({ ...values, ...(owner !== null && { owner }) }, where);
        }}
      >
        <SelectField name="kind" label="Kind" options={toOptions(exceptionKindWords)} />
        <RuleField name="reason" label="Reason" rules={[required]}>
          <Input.TextArea rows={2} maxLength={maxReasonLength} />
        </RuleField>
        <EndField now={now} zone={zone} />
        {children}
        {choosesOwner && (
          <OwnerFields
            canBeNobody={false}
            extra={`If this service sends email, gets one ${exceptionWarningDays} days before the end, and at the end.`}
          />
        )}
        <FormButtons submit="Save exception" onCancel={onCancel} />
      </RuleForm>
    </ReaderZone>
  );
}

function EndField({ now, zone }: { readonly now: number; readonly zone: string }) {
  const form = Form.useFormInstance<ExceptionInput>();
  const isRequired = Form.useWatch<ExceptionKind | undefined>('kind') !== 'not_applicable';
  const write = writeInstant(zone);
  const latest = now + maxExceptionDays * dayMs;
  const choose = (until: number) => {
    form.setFieldValue('until', until);
    void form.validateFields(['until']);
  };
  const limits = (value: number | null | undefined, field: string) =>
    value === 0 || value === null
      ? null
      : (minDate(now, write)(value, field) ?? maxDate(latest, write)(value, field));
  return (
    <RuleField
      name="until"
      label="Until"
      isChoice
      rules={isRequired ? [dateRequired, limits] : [limits]}
      extra={
        <span className="flex flex-wrap items-center gap-2 mt-2">
          {quickDays.map((days) => (
            <Button key={days} small onClick={() => choose(endAfter(days, now, zone))}>
              {days} days
            </Button>
          ))}
          {!isRequired && (
            <Button small onClick={() => choose(0)}>
              No end
            </Button>
          )}
          <span>It counts as missing again afterwards; at most a year.</span>
        </span>
      }
    >
      <ZonedDatePicker withTime={false} endOfDay min={now} max={latest} />
    </RuleField>
  );
}
