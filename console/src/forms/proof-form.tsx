/** Asks for the user's own password and second factor, which nobody else at an unlocked screen has. */
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { proofFactorsEndpoint } from '@patch/contract/second-factor-endpoints.ts';
import { callApi } from '../api/call-api.ts';
import { Button } from '../widgets/button.tsx';
import { Skeleton } from '../widgets/skeleton.tsx';
import { FactorField } from './factor-field.tsx';
import { PasswordField } from './password-field.tsx';
import { RuleField } from './rule-field.tsx';
import { RuleForm } from './rule-form.tsx';
import styles from './second-factor.module.css';
import { SubmitButton } from './submit-button.tsx';
import { type FactorProof, useFactor } from './use-factor.ts';

export type Proof = FactorProof & { readonly password: string };

interface ProofFormProps {
  readonly submitLabel: string;
  readonly onProof: (proof: Proof) => Promise<void>;
  readonly onCancel: () => void;
}

interface ProofInput {
  readonly password: string;
  readonly otp?: string;
}

const fieldErrors = { wrong_password: 'password', wrong_code: 'otp' } as const;

export function ProofForm({ submitLabel, onProof, onCancel }: ProofFormProps) {
  const factor = useFactor('proof', (signal) => callApi(proofFactorsEndpoint, { signal }));
  if (factor.pending) return <Skeleton rows={3} />;
  return (
    <RuleForm<ProofInput>
      className={styles['form'] ?? ''}
      quiet
      // A refused passkey has no field.
      fieldErrors={factor.method === 'code' ? fieldErrors : { wrong_password: 'password' }}
      onSubmit={async ({ password, otp }) => onProof({ password, ...(await factor.getProof(otp)) })}
    >
      <RuleField name="password" label="Current password" rules={[required]}>
        <PasswordField autoComplete="current-password" />
      </RuleField>
      <FactorField factor={factor} />
      <div className={styles['buttons']}>
        <SubmitButton>{submitLabel}</SubmitButton>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </RuleForm>
  );
}
