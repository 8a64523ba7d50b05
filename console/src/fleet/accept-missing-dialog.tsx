/** The dialog in which an administrator accepts a missing record, with a reason and an end date. */
import { maxDate, minDate } from '@patch/contract/form-rules/number-rules.ts';
import { dateRequired, required } from '@patch/contract/form-rules/required-rules.ts';
import {
  acceptMissingEndpoint,
  type MachineMissingRecord,
} from '@patch/contract/machine-endpoints.ts';
import { Input, Modal } from 'antd';
import { useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { timeZone } from '../api/session.ts';
import { toast } from '../api/toast.ts';
import { RuleField } from '../forms/rule-field.tsx';
import { RuleForm } from '../forms/rule-form.tsx';
import { SubmitButton } from '../forms/submit-button.tsx';
import { ReaderZone } from '../values/reader-zone.ts';
import { ZonedDatePicker } from '../values/zoned-date-picker.tsx';
import { writeInstant } from '../values/zoned-picker-time.ts';
import { Button } from '../widgets/button.tsx';
import { CheckBox } from '../widgets/check-box.tsx';

const dayMs = 86_400_000;
const defaultDays = 90;
/** The server has the same limit. */
const maxDays = 2 * 366;
const maxReasonLength = 500;

interface AcceptMissingDialogProps {
  readonly machineId: number;
  /** The dialog is closed while this is undefined. */
  readonly record: MachineMissingRecord | undefined;
  readonly onAccepted: () => Promise<void>;
  readonly onClose: () => void;
}

interface AcceptanceInput {
  readonly until: number;
  readonly reason: string;
  readonly forClient: boolean;
}

export function AcceptMissingDialog({
  machineId,
  record,
  onAccepted,
  onClose,
}: AcceptMissingDialogProps) {
  return (
    <Modal
      title={`Accept that ${getRecordName(record)} is missing`}
      open={record !== undefined}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={null}
      width={480}
      destroyOnHidden
    >
      {record !== undefined && (
        <ReaderZone value={timeZone()}>
          <AcceptForm
            onCancel={onClose}
            onSubmit={async ({ until, reason, forClient }) => {
              const { list, recordId } = record;
              await callApi(acceptMissingEndpoint, {
                params: { id: String(machineId) } as never,
                body: { list, recordId, until, reason, forClient },
              });
              onClose();
              toast.success(`${getRecordName(record)} is accepted`);
              await onAccepted();
            }}
          />
        </ReaderZone>
      )}
    </Modal>
  );
}

const getRecordName = (record: MachineMissingRecord | undefined) =>
  record?.identifier ?? record?.title ?? 'the record';

function AcceptForm({
  onSubmit,
  onCancel,
}: {
  readonly onSubmit: (entered: AcceptanceInput) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const [now] = useState(() => Date.now());
  const write = writeInstant(timeZone());
  return (
    <RuleForm<AcceptanceInput>
      initialValues={{ until: now + defaultDays * dayMs, reason: '', forClient: false }}
      onSubmit={onSubmit}
    >
      <RuleField
        name="until"
        label="Until"
        isChoice
        rules={[dateRequired, minDate(now, write), maxDate(now + maxDays * dayMs, write)]}
        extra="It counts as missing again afterwards; at most two years."
      >
        <ZonedDatePicker withTime={false} endOfDay min={now} />
      </RuleField>
      <RuleField name="reason" label="Reason" rules={[required]}>
        <Input.TextArea rows={3} maxLength={maxReasonLength} />
      </RuleField>
      <RuleField name="forClient" isChoice valuePropName="checked">
        <CheckBox>On all machines of the client</CheckBox>
      </RuleField>
      <div className="flex flex-wrap gap-2">
        <SubmitButton>Accept</SubmitButton>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </RuleForm>
  );
}
