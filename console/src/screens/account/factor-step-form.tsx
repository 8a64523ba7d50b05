/** The form of one step: enable or disable the app, add a passkey, or renew the backup codes. */
import {
  disableTwoFactorEndpoint,
  renewBackupCodesEndpoint,
} from '@patch/contract/two-factor-endpoints.ts';
import { callApi } from '../../api/call-api.ts';
import { toast } from '../../api/toast.ts';
import { AddPasskey } from '../../forms/add-passkey.tsx';
import { ProofForm } from '../../forms/proof-form.tsx';
import { SetUpAuthenticator } from '../../forms/set-up-authenticator.tsx';

export type FactorStep = 'switch app on' | 'switch app off' | 'renew codes' | 'add passkey';

interface FactorStepFormProps {
  readonly step: FactorStep;
  /** `backupCodes` is null when the step created none. */
  readonly onDone: (backupCodes: readonly string[] | null) => Promise<void>;
  readonly onCancel: () => void;
}

export function FactorStepForm({ step, onDone, onCancel }: FactorStepFormProps) {
  switch (step) {
    case 'switch app on':
      return <SetUpAuthenticator onDone={onDone} onCancel={onCancel} />;
    case 'add passkey':
      return <AddPasskey onAdded={onDone} onCancel={onCancel} />;
    case 'renew codes':
      return (
        <ProofForm
          key={step}
          submitLabel="Create new codes"
          onCancel={onCancel}
          onProof={async (proof) =>
            onDone((await callApi(renewBackupCodesEndpoint, { body: proof })).backupCodes)
          }
        />
      );
    case 'switch app off':
      return (
        <ProofForm
          key={step}
          submitLabel="Disable"
          onCancel={onCancel}
          onProof={async (proof) => {
            toast.success((await callApi(disableTwoFactorEndpoint, { body: proof })).message);
            await onDone(null);
          }}
        />
      );
  }
}
