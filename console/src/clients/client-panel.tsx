/** How a licensed client stands, what an administrator can do with it, and what it has not fetched yet. */
import {
  allowReactivationEndpoint,
  changeClientEndpoint,
  type LicensedClient,
  newActivationCodeEndpoint,
  renewClientEndpoint,
  restoreClientEndpoint,
  revokeClientEndpoint,
} from '@patch/contract/licensed-client-endpoints.ts';
import { useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { useSession } from '../api/session.ts';
import { toast } from '../api/toast.ts';
import { changesOf } from '../forms/form-changes.ts';
import { Button } from '../widgets/button.tsx';
import { confirm } from '../widgets/confirm-modal.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { Spinner } from '../widgets/spinner.tsx';
import { ExactTime } from '../widgets/time-ago.tsx';
import { draftOf } from './client-draft.ts';
import { ClientDrawer } from './client-drawer.tsx';
import { ClientExposure } from './client-exposure.tsx';
import styles from './client-panel.module.css';
import { stateWords } from './client-words.ts';
import { RenewDialog } from './renew-dialog.tsx';
import { useClient, useClientChanged } from './use-client.ts';

/** The registry is the administrators'; others see the record alone. */
export function ClientPanel({ id }: { readonly id: number }) {
  const isAdmin = useSession().user?.userType === 'Admin';
  return isAdmin ? <AdminPanel id={id} /> : null;
}

function AdminPanel({ id }: { readonly id: number }) {
  const { data: client, error, refetch } = useClient(id);
  if (error !== null)
    return <LoadFailure what="client" failure={error} onReload={() => void refetch()} />;
  return client === undefined ? <Spinner /> : <OneClient client={client} />;
}

function OneClient({ client }: { readonly client: LicensedClient }) {
  const { id, clientName, state, licenseType, activationCode, reactivationUntil } = client;
  const changed = useClientChanged();
  const [editing, setEditing] = useState(false);
  const [renewing, setRenewing] = useState(false);
  const params = { id: String(id) } as never;
  const { words, tone } = stateWords[state];

  /** A no changes nothing; what the server refuses is told. */
  function askFirst(
    question: Parameters<typeof confirm>[0],
    call: () => Promise<LicensedClient>,
    done: string,
  ): void {
    let failure: unknown;
    const onYes = async () => {
      try {
        await changed(await call());
        toast.success(done);
      } catch (thrown) {
        failure = thrown;
        throw thrown;
      }
    };
    confirm({ ...question, onYes }).catch(() => failure === undefined || toast.failure(failure));
  }
  const revoke = () =>
    askFirst(
      {
        title: `Revoke ${clientName}?`,
        body: 'Requests are refused until it is restored. The client keeps what it has already fetched.',
        danger: true,
        yes: 'Revoke',
      },
      () => callApi(revokeClientEndpoint, { params }),
      `${clientName} is revoked`,
    );
  const restore = () =>
    askFirst(
      {
        title: `Restore ${clientName}?`,
        body: 'Requests are accepted again with its existing token.',
        yes: 'Restore',
      },
      () => callApi(restoreClientEndpoint, { params }),
      `${clientName} is restored`,
    );
  const anotherCode = () =>
    askFirst(
      {
        title: 'Create a new activation code?',
        body: 'The current code and its token stop working immediately; the client must be activated again.',
        danger: true,
        yes: 'Create code',
      },
      () => callApi(newActivationCodeEndpoint, { params }),
      'New activation code created',
    );

  const reactivation = () =>
    askFirst(
      {
        title: `Allow ${clientName} to activate again?`,
        body: 'The activation code can be used once more within 24 hours. The current client keeps its access until the new activation.',
        yes: 'Allow',
      },
      () => callApi(allowReactivationEndpoint, { params }),
      `${clientName} can activate again`,
    );

  return (
    <section className={styles['panel']} aria-label="Licence">
      <div className={styles['line']}>
        <span className={styles['state']} data-tone={tone}>
          {words}
        </span>
        <Expiry client={client} />
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
      <div className={styles['buttons']}>
        <Button small onClick={() => setEditing(true)}>
          Edit
        </Button>
        {licenseType === 'perpetual' ? null : (
          <Button small onClick={() => setRenewing(true)}>
            Renew
          </Button>
        )}
        {state === 'revoked' ? (
          <Button small onClick={restore}>
            Restore
          </Button>
        ) : (
          <Button small danger onClick={revoke}>
            Revoke
          </Button>
        )}
        {state === 'active' && reactivationUntil === null ? (
          <Button small onClick={reactivation}>
            Allow re-activation
          </Button>
        ) : null}
        <Button small onClick={anotherCode}>
          New code
        </Button>
      </div>
      <ClientExposure id={id} />
      <ClientDrawer
        title={`Edit ${clientName}`}
        open={editing}
        submit="Save"
        draft={draftOf(client)}
        onClose={() => setEditing(false)}
        onSubmit={async (entry, before) => {
          await changed(
            await callApi(changeClientEndpoint, { params, body: changesOf(before, entry) }),
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
          await changed(await callApi(renewClientEndpoint, { params, body: { licenseExpiry } }));
          setRenewing(false);
          toast.success(`${clientName} is renewed`);
        }}
      />
    </section>
  );
}

function Expiry({
  client: { licenseType, licenseExpiry, state },
}: {
  readonly client: LicensedClient;
}) {
  if (licenseExpiry === null)
    return (
      <span className={styles['quiet']}>
        {licenseType === 'perpetual' ? 'Perpetual licence' : ''}
      </span>
    );
  return (
    <span className={styles['quiet']}>
      {state === 'expired' ? 'Ended' : 'Ends'} <ExactTime value={licenseExpiry} />
    </span>
  );
}
