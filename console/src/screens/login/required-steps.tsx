/** The sign-in steps that replace a temporary password and set up a required second factor. Nothing else opens before. */
import { passkeysEndpoint } from '@patch/contract/accounts/passkey-endpoints.ts';
import { meEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.ts';
import { browserHasPasskeys } from '../../api/browser-passkeys.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { refreshUser, signOut } from '../../api/session.ts';
import { AddPasskey } from '../../forms/add-passkey.tsx';
import { BackupCodes } from '../../forms/backup-codes.tsx';
import { ChangePasswordForm } from '../../forms/change-password-form.tsx';
import { SetUpAuthenticator } from '../../forms/set-up-authenticator.tsx';
import { Button } from '../../widgets/button.tsx';
import styles from './login-screen.module.css';

export function FirstPassword({ name }: { readonly name: string }) {
  return (
    <>
      <h1 className={styles['heading']}>Choose your password</h1>
      <p className={styles['under']}>
        You are signed in as {name} with a temporary password. Choose your own, then sign in with
        it.
      </p>
      <ChangePasswordForm
        submitLabel="Change password"
        cancel={<Button onClick={() => signOut('asked')}>Cancel</Button>}
      />
    </>
  );
}

export function FirstSecondFactor() {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [wantsPasskey, setWantsPasskey] = useState(false);
  const passkeys = useQuery(apiQuery(queryKeys.passkeys.all(), passkeysEndpoint));
  const canHavePasskey = browserHasPasskeys() && passkeys.data?.unavailable === null;
  const finishSetup = async () => refreshUser(await callApi(meEndpoint));
  return (
    <>
      <h1 className={styles['heading']}>Set up a second factor</h1>
      <p className={styles['under']}>
        It is required here. From now on you sign in with your password and a second factor.
      </p>
      {codes !== null ? (
        <BackupCodes codes={codes} onSaved={() => void finishSetup()} />
      ) : wantsPasskey ? (
        <AddPasskey
          onAdded={async (shown) => (shown === null ? finishSetup() : setCodes(shown))}
          onCancel={() => setWantsPasskey(false)}
        />
      ) : (
        <>
          {canHavePasskey ? (
            <Button look="link" block onClick={() => setWantsPasskey(true)}>
              Use a passkey instead of an app
            </Button>
          ) : null}
          <SetUpAuthenticator
            onDone={async (shown) => setCodes(shown)}
            onCancel={() => signOut('asked')}
          />
        </>
      )}
    </>
  );
}
