/** A sign-in where a second factor is required and none is switched on: nothing else opens until it is. */
import { meCall } from '@patch/contract/sign-in-calls.ts';
import { useState } from 'react';
import { makeCall } from '../../api/make-call.ts';
import { refreshUser, signOut } from '../../api/session.ts';
import { BackupCodes } from '../../forms/backup-codes.tsx';
import { SwitchOn } from '../../forms/switch-on.tsx';
import styles from './login-screen.module.css';

export function FirstSecondFactor() {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <>
      <h1 className={styles['heading']}>Set up a second factor</h1>
      <p className={styles['under']}>It is required here. From now on, signing in asks for your password and a code.</p>
      {codes === null ? (
        <SwitchOn onDone={async (shown) => setCodes(shown)} onCancel={() => signOut('asked')} />
      ) : (
        <BackupCodes codes={codes} onKept={() => void makeCall(meCall).then(refreshUser)} />
      )}
    </>
  );
}
