/** The form that registers or edits a licensed client, and the button beside the list's heading that opens it for a new one. */
import { PlusOutlined } from '@ant-design/icons-svg';
import {
  deploymentLabels,
  environmentLabels,
  licenceLabels,
  technicianLabels,
} from '@patch/catalogue/clients/licence-labels.ts';
import { sourceLabels, vendorSourceKeys } from '@patch/catalogue/sources.ts';
import { dateRequired, required } from '@patch/contract/form-rules/required-rules.ts';
import { description, email, shortText } from '@patch/contract/form-rules/text-rules.ts';
import {
  type ClientEntry,
  createClientEndpoint,
  type LicensedClient,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { timeZone, useMay } from '../api/session.ts';
import { toast } from '../api/toast.ts';
import { FirstInput } from '../forms/first-input.tsx';
import { RuleField } from '../forms/rule-field.tsx';
import { RuleForm } from '../forms/rule-form.tsx';
import {
  CheckField,
  FormButtons,
  NumberField,
  SelectField,
  TextField,
  toOptions,
} from '../resources/form-fields.tsx';
import { SideDrawer } from '../resources/side-drawer.tsx';
import { ReaderZone } from '../values/reader-zone.ts';
import { ZonedDatePicker } from '../values/zoned-date-picker.tsx';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import styles from './client-drawer.module.css';

/** An expiry of 0 means that the licence has no end. */
type ClientDraft = Omit<ClientEntry, 'licenseExpiry' | 'reportsMachines'> & {
  readonly licenseExpiry: number;
  readonly reportsMachines: boolean;
};

const dayMs = 86_400_000;

/** Returns the draft of a 30-day trial with all families. */
export const newDraft = (now: number): ClientDraft => ({
  clientName: '',
  licenseType: 'trial',
  licenseExpiry: now + 30 * dayMs,
  deploymentMode: 'standalone',
  environment: 'production',
  technicianLicence: 'named',
  technicians: 1,
  itAssets: 0,
  nonItAssets: 0,
  endPoints: 0,
  families: [...vendorSourceKeys],
  contactEmail: '',
  notes: '',
  reportsMachines: false,
});

function toClientDraft(client: LicensedClient): ClientDraft {
  const names = Object.keys(newDraft(0)) as (keyof ClientDraft)[];
  const same = Object.fromEntries(names.map((name) => [name, client[name]])) as ClientDraft;
  return { ...same, licenseExpiry: client.licenseExpiry ?? 0 };
}

export const toClientEntry = (draft: ClientDraft): ClientEntry => ({
  ...draft,
  clientName: draft.clientName.trim(),
  contactEmail: draft.contactEmail.trim(),
  licenseExpiry:
    draft.licenseType === 'perpetual' || draft.licenseExpiry === 0 ? null : draft.licenseExpiry,
});

interface ClientDrawerProps {
  readonly open: boolean;
  /** Absent when a client is registered. */
  readonly client?: LicensedClient;
  /** `before` is the entry that the form started with. */
  readonly onSubmit: (entry: ClientEntry, before: ClientEntry) => Promise<void>;
  readonly onClose: () => void;
}

export function ClientDrawer({ open, ...form }: ClientDrawerProps) {
  const title = form.client === undefined ? 'Register a client' : `Edit ${form.client.clientName}`;
  return (
    <SideDrawer title={title} open={open} onClose={form.onClose}>
      <ReaderZone value={timeZone()}>
        <ClientForm {...form} />
      </ReaderZone>
    </SideDrawer>
  );
}

const families = vendorSourceKeys.map((value) => ({ value, label: sourceLabels[value] }));
const choices = [
  ['deploymentMode', 'Deployment', toOptions(deploymentLabels)],
  ['environment', 'Environment', toOptions(environmentLabels)],
  ['technicianLicence', 'Technician seats', toOptions(technicianLabels)],
] as const;
const counts = [
  ['technicians', 'Technicians'],
  ['itAssets', 'IT assets'],
  ['nonItAssets', 'Non-IT assets'],
  ['endPoints', 'Endpoints'],
] as const;

function ClientForm({ client, onSubmit, onClose }: Omit<ClientDrawerProps, 'open'>) {
  const [form] = Form.useForm<ClientDraft>();
  const [first] = useState(() =>
    client === undefined ? newDraft(Date.now()) : toClientDraft(client),
  );
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
        <FirstInput autoComplete="off" focused={client === undefined} />
      </RuleField>
      <div className={styles['pair']}>
        <SelectField name="licenseType" label="Licence" options={toOptions(licenceLabels)} />
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
        {choices.map(([name, label, options]) => (
          <SelectField key={name} name={name} label={label} options={options} />
        ))}
        {counts.map(([name, label]) => (
          <NumberField
            key={name}
            name={name}
            label={label}
            rules={[required]}
            input={{ min: 0, max: 100_000_000 }}
          />
        ))}
      </div>
      <SelectField
        name="families"
        label="Families"
        rules={[required]}
        extra="The sources whose lists the client may fetch."
        options={families}
        select={{ mode: 'multiple', optionFilterProp: 'label', allowClear: true }}
      />
      <TextField
        name="contactEmail"
        label="Contact email"
        rules={[email]}
        extra="Notified, like the administrators, 30, 7 and 1 day before the licence ends."
        input={{ type: 'email', maxLength: 254 }}
      />
      <CheckField
        name="reportsMachines"
        extra="Off: reports are refused, and the machines it has reported are removed."
      >
        May report its machines with their inventories
      </CheckField>
      <RuleField name="notes" label="Notes" rules={[description]}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} />
      </RuleField>
      <FormButtons
        submit={client === undefined ? 'Register' : 'Save'}
        whenChanged={client !== undefined}
        onCancel={onClose}
      />
    </RuleForm>
  );
}

export function RegisterClient() {
  const isAdmin = useMay('admin');
  const [open, setOpen] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  if (!isAdmin) return null;

  async function register(entry: ClientEntry): Promise<void> {
    const created = await callApi(createClientEndpoint, { body: entry });
    setOpen(false);
    toast.notice(
      `${created.clientName} is registered`,
      'The activation code is in the client’s record. Enter it on the client.',
    );
    await queries.invalidateQueries({ queryKey: queryKeys.clients.all() });
    // The record shows the code, which is needed next.
    await navigate({
      to: '.',
      search: ((search: object) => ({ ...search, open: created.id })) as never,
    });
  }
  return (
    <>
      <Button look="primary" icon={<Icon of={PlusOutlined} />} onClick={() => setOpen(true)}>
        Register a client
      </Button>
      <ClientDrawer open={open} onSubmit={register} onClose={() => setOpen(false)} />
    </>
  );
}
