/** The form that registers or edits a licensed client. */
import {
  deploymentLabels,
  environmentLabels,
  licenceLabels,
  technicianLabels,
} from '@patch/catalogue/clients/licence-labels.ts';
import { sourceLabels, vendorSourceKeys } from '@patch/catalogue/sources.ts';
import { dateRequired, required } from '@patch/contract/form-rules/required-rules.ts';
import { description, email, shortText } from '@patch/contract/form-rules/text-rules.ts';
import type { ClientEntry } from '@patch/contract/licensed-client-endpoints.ts';
import { Drawer, Form, Input, InputNumber, Select } from 'antd';
import { useState } from 'react';
import { timeZone } from '../api/session.ts';
import { FirstInput } from '../forms/first-input.tsx';
import { RuleField } from '../forms/rule-field.tsx';
import { RuleForm } from '../forms/rule-form.tsx';
import { SubmitButton } from '../forms/submit-button.tsx';
import { useNarrow } from '../theme/media-query.ts';
import { sizes } from '../theme/tokens.ts';
import { ReaderZone } from '../values/reader-zone.ts';
import { ZonedDatePicker } from '../values/zoned-date-picker.tsx';
import { Button } from '../widgets/button.tsx';
import { CheckBox } from '../widgets/check-box.tsx';
import { type ClientDraft, newDraft, toClientEntry } from './client-draft.ts';
import styles from './client-drawer.module.css';
import { toOptions } from './client-labels.ts';

interface ClientDrawerProps {
  readonly title: string;
  readonly open: boolean;
  readonly submit: string;
  /** Absent when a client is registered. */
  readonly draft?: ClientDraft;
  /** `before` is the entry that the form started with. */
  readonly onSubmit: (entry: ClientEntry, before: ClientEntry) => Promise<void>;
  readonly onClose: () => void;
}

export function ClientDrawer({ title, open, onClose, ...form }: ClientDrawerProps) {
  const narrow = useNarrow();
  return (
    <Drawer
      title={title}
      open={open}
      onClose={onClose}
      size={narrow ? '100%' : sizes.drawer}
      // A click beside the drawer must not discard input.
      mask={{ closable: false }}
      destroyOnHidden
    >
      <ReaderZone value={timeZone()}>
        <ClientForm {...form} onCancel={onClose} />
      </ReaderZone>
    </Drawer>
  );
}

const families = vendorSourceKeys.map((value) => ({ value, label: sourceLabels[value] }));
const integerInputProps = {
  min: 0,
  max: 100_000_000,
  precision: 0,
  controls: false,
  className: styles['number'] ?? '',
};
const deviceCounts = [
  ['itAssets', 'IT assets'],
  ['nonItAssets', 'Non-IT assets'],
  ['endPoints', 'Endpoints'],
] as const;

type ClientFormProps = Pick<ClientDrawerProps, 'submit' | 'draft' | 'onSubmit'> & {
  readonly onCancel: () => void;
};

function ClientForm({ submit, draft, onSubmit, onCancel }: ClientFormProps) {
  const [form] = Form.useForm<ClientDraft>();
  const [first] = useState(() => draft ?? newDraft(Date.now()));
  const licenseType = Form.useWatch('licenseType', form) ?? first.licenseType;
  return (
    <RuleForm<ClientDraft>
      form={form}
      initialValues={first}
      unsaved={{ message: 'The client’s details are not saved.' }}
      onSubmit={(entered) =>
        onSubmit(toClientEntry({ ...first, ...entered }), toClientEntry(first))
      }
    >
      <RuleField name="clientName" label="Client" rules={[required, shortText]}>
        <FirstInput autoComplete="off" focused={draft === undefined} />
      </RuleField>
      <div className={styles['pair']}>
        <RuleField name="licenseType" label="Licence" isChoice>
          <Select options={toOptions(licenceLabels)} />
        </RuleField>
        {licenseType === 'perpetual' ? null : (
          <RuleField
            name="licenseExpiry"
            label="Ends"
            nameInMessages="Licence end date"
            isChoice
            rules={[dateRequired]}
          >
            <ZonedDatePicker withTime={false} endOfDay />
          </RuleField>
        )}
        <RuleField name="deploymentMode" label="Deployment" isChoice>
          <Select options={toOptions(deploymentLabels)} />
        </RuleField>
        <RuleField name="environment" label="Environment" isChoice>
          <Select options={toOptions(environmentLabels)} />
        </RuleField>
        <RuleField name="technicianLicence" label="Technician seats" isChoice>
          <Select options={toOptions(technicianLabels)} />
        </RuleField>
        <RuleField name="technicians" label="Technicians" rules={[required]}>
          <InputNumber {...integerInputProps} />
        </RuleField>
        {deviceCounts.map(([name, label]) => (
          <RuleField key={name} name={name} label={label} rules={[required]}>
            <InputNumber {...integerInputProps} />
          </RuleField>
        ))}
      </div>
      <RuleField
        name="families"
        label="Families"
        isChoice
        rules={[required]}
        extra="The sources whose lists the client may fetch."
      >
        <Select mode="multiple" options={families} optionFilterProp="label" allowClear />
      </RuleField>
      <RuleField
        name="contactEmail"
        label="Contact email"
        rules={[email]}
        extra="Notified, like the administrators, 30, 7 and 1 day before the licence ends."
      >
        <Input type="email" autoComplete="off" maxLength={254} />
      </RuleField>
      <ReportsMachines />
      <RuleField name="notes" label="Notes" rules={[description]}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} />
      </RuleField>
      <div className={styles['buttons']}>
        <SubmitButton whenChanged={draft !== undefined}>{submit}</SubmitButton>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </RuleForm>
  );
}

/** Lets an administrator decide whether the client may store inventories here. */
function ReportsMachines() {
  return (
    <RuleField
      name="reportsMachines"
      isChoice
      valuePropName="checked"
      extra="Off: reports are refused, and the machines it has reported are removed."
    >
      <CheckBox>May report its machines with their inventories</CheckBox>
    </RuleField>
  );
}
