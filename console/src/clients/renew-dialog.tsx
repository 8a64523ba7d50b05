/** Extends a licence. The dialog offers a year after the present end. */
import { minDate } from '@patch/contract/form-rules/number-rules.ts';
import { dateRequired } from '@patch/contract/form-rules/required-rules.ts';
import type { LicensedClient } from '@patch/contract/licensed-client-endpoints.ts';
import { Modal } from 'antd';
import { useState } from 'react';
import { timeZone } from '../api/session.ts';
import { RuleField } from '../forms/rule-field.tsx';
import { RuleForm } from '../forms/rule-form.tsx';
import { FormButtons } from '../resources/form-fields.tsx';
import { ReaderZone } from '../values/reader-zone.ts';
import { ZonedDatePicker } from '../values/zoned-date-picker.tsx';
import { writeInstant } from '../values/zoned-picker-time.ts';

interface RenewDialogProps {
  readonly client: LicensedClient;
  readonly open: boolean;
  readonly onRenew: (licenseExpiry: number) => Promise<void>;
  readonly onClose: () => void;
}

interface RenewalInput {
  readonly licenseExpiry: number;
}

/** Returns the time one year after the expiry, or after now when the licence has ended. */
export function addLicenceYear(expiry: number | null, now: number): number {
  const from = new Date(Math.max(expiry ?? now, now));
  from.setUTCFullYear(from.getUTCFullYear() + 1);
  return from.getTime();
}

export function RenewDialog({ client, open, onRenew, onClose }: RenewDialogProps) {
  return (
    <Modal
      title={`Renew ${client.clientName}`}
      open={open}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={null}
      width={416}
      destroyOnHidden
    >
      <ReaderZone value={timeZone()}>
        <RenewForm client={client} onRenew={onRenew} onClose={onClose} />
      </ReaderZone>
    </Modal>
  );
}

function RenewForm({ client, onRenew, onClose }: Omit<RenewDialogProps, 'open'>) {
  const [now] = useState(() => Date.now());
  return (
    <RuleForm<RenewalInput>
      initialValues={{ licenseExpiry: addLicenceYear(client.licenseExpiry, now) }}
      onSubmit={({ licenseExpiry }) => onRenew(licenseExpiry)}
    >
      <RuleField
        name="licenseExpiry"
        label="New end"
        nameInMessages="Licence end date"
        isChoice
        rules={[dateRequired, minDate(now, writeInstant(timeZone()))]}
      >
        <ZonedDatePicker withTime={false} endOfDay min={now} />
      </RuleField>
      <FormButtons submit="Renew" onCancel={onClose} />
    </RuleForm>
  );
}
