/** State, actions, renewal and missing updates of a licensed client. */
import { minDate } from '@patch/contract/form-rules/number-rules.ts';
import { dateRequired } from '@patch/contract/form-rules/required-rules.ts';
import {
  type ClientState,
  changeClientEndpoint,
  type LicensedClient,
  renewClientEndpoint,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { Modal } from 'antd';
import { useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { timeZone, useMay } from '../api/session.ts';
import { toast } from '../api/toast.ts';
import { ClientExceptions } from '../fleet/accepted-records.tsx';
import { ClientMachines } from '../fleet/client-machines.tsx';
import { findChanges } from '../forms/form-changes.ts';
import { RuleField } from '../forms/rule-field.tsx';
import { RuleForm } from '../forms/rule-form.tsx';
import { FormButtons } from '../resources/form-fields.tsx';
import { ReaderZone } from '../values/reader-zone.ts';
import { ZonedDatePicker } from '../values/zoned-date-picker.tsx';
import { writeInstant } from '../values/zoned-picker-time.ts';
import { Button } from '../widgets/button.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { Spinner } from '../widgets/spinner.tsx';
import { ExactTime } from '../widgets/time-ago.tsx';
import { CarriedKeysButton } from './carried-keys-button.tsx';
import { ClientDrawer } from './client-drawer.tsx';
import { ClientExposure } from './client-exposure.tsx';
import styles from './client-panel.module.css';
import { toParams, useClient, useClientAction, useRefreshClient } from './use-client.ts';

/** Administrators see the registry; other users see the record and its accepted records. */
export function ClientPanel({ id }: { readonly id: number }) {
  const isAdmin = useMay('admin');
  return isAdmin ? <AdminPanel id={id} /> : <ClientExceptions id={id} />;
}

function AdminPanel({ id }: { readonly id: number }) {
  const { data: client, error, refetch } = useClient(id);
  if (error !== null)
    return <LoadFailure what="client" failure={error} onReload={() => void refetch()} />;
  return client === undefined ? <Spinner /> : <ClientDetails client={client} />;
}

function ClientDetails({ client }: { readonly client: LicensedClient }) {
  const { id, clientName } = client;
  const refreshClient = useRefreshClient();
  const [editing, setEditing] = useState(false);
  const [renewing, setRenewing] = useState(false);
  return (
    <section className={styles['panel']} aria-label="Licence">
      <LicenceLine client={client} />
      <ClientButtons
        client={client}
        onEdit={() => setEditing(true)}
        onRenew={() => setRenewing(true)}
      />
      <ClientExposure id={id} />
      <ClientMachines id={id} reportsMachines={client.reportsMachines} />
      <ClientExceptions id={id} />
      <ClientDrawer
        open={editing}
        client={client}
        onClose={() => setEditing(false)}
        onSubmit={async (entry, before) => {
          await refreshClient(
            await callApi(changeClientEndpoint, {
              ...toParams(id),
              body: findChanges(before, entry),
            }),
          );
          setEditing(false);
          toast.success(`${entry.clientName} is saved`);
        }}
      />
      <RenewDialog
        client={client}
        open={renewing}
        onClose={() => setRenewing(false)}
        onRenew={async (licenseExpiry) => {
          await refreshClient(
            await callApi(renewClientEndpoint, { ...toParams(id), body: { licenseExpiry } }),
          );
          setRenewing(false);
          toast.success(`${clientName} is renewed`);
        }}
      />
    </section>
  );
}

const stateLabels: Readonly<
  Record<
    ClientState,
    { readonly words: string; readonly tone: 'good' | 'quiet' | 'warning' | 'bad' }
  >
> = {
  waiting: { words: 'Not activated yet', tone: 'quiet' },
  active: { words: 'Active', tone: 'good' },
  expired: { words: 'Expired', tone: 'warning' },
  revoked: { words: 'Revoked', tone: 'bad' },
};

/** State, expiry and activation code. */
function LicenceLine({ client }: { readonly client: LicensedClient }) {
  const { state, licenseType, licenseExpiry, activationCode, reactivationUntil } = client;
  const { words, tone } = stateLabels[state];
  return (
    <div className={styles['line']}>
      <span className={styles['state']} data-tone={tone}>
        {words}
      </span>
      <span className={styles['quiet']}>
        {licenseExpiry !== null ? (
          <>
            {state === 'expired' ? 'Ended' : 'Ends'} <ExactTime value={licenseExpiry} />
          </>
        ) : licenseType === 'perpetual' ? (
          'Perpetual licence'
        ) : null}
      </span>
      {activationCode === '' ? (
        <span className={styles['quiet']}>
          The activation code is encrypted with a different key. Create a new code.
        </span>
      ) : (
        <code className={styles['code']}>
          {activationCode} <CopyButton text={activationCode} what="activation code" />
        </code>
      )}
      {reactivationUntil === null ? null : (
        <span className={styles['quiet']}>
          Re-activation allowed until <ExactTime value={reactivationUntil} />
        </span>
      )}
    </div>
  );
}

interface ClientButtonsProps {
  readonly client: LicensedClient;
  readonly onEdit: () => void;
  readonly onRenew: () => void;
}

function ClientButtons({ client, onEdit, onRenew }: ClientButtonsProps) {
  const { state, licenseType, reactivationUntil } = client;
  const run = useClientAction();
  return (
    <div className={styles['buttons']}>
      <Button small onClick={onEdit}>
        Edit
      </Button>
      {licenseType === 'perpetual' ? null : (
        <Button small onClick={onRenew}>
          Renew
        </Button>
      )}
      {state === 'revoked' ? (
        <Button small onClick={() => void run({ action: 'restore', client })}>
          Restore
        </Button>
      ) : (
        <Button small danger onClick={() => void run({ action: 'revoke', client })}>
          Revoke
        </Button>
      )}
      {state === 'active' && reactivationUntil === null ? (
        <Button small onClick={() => void run({ action: 'allowReactivation', client })}>
          Allow re-activation
        </Button>
      ) : null}
      <Button small onClick={() => void run({ action: 'createCode', client })}>
        New code
      </Button>
      <CarriedKeysButton client={client} />
    </div>
  );
}

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

/** Extends a licence. The dialog offers a year after the present end. */
function RenewDialog({ client, open, onRenew, onClose }: RenewDialogProps) {
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
