/** Asks for the user's own password and second factor, which nobody else at an unlocked screen has. */

import { proofFactorsEndpoint } from '@patch/contract/accounts/second-factor-endpoints.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { callApi } from '../api/call-api.ts';
import { Button } from '../widgets/button.tsx';
import { Skeleton } from '../widgets/skeleton.tsx';
import { FactorField } from './factor-field.tsx';
import { PasswordField } from './password-field.tsx';
import { RuleField } from './rule-field.tsx';
import { RuleForm, type RuleFormProps } from './rule-form.tsx';
import styles from './second-factor.module.css';
import { SubmitButton } from './submit-button.tsx';
import { type Factor, type FactorProof, useFactor } from './use-factor.ts';

export type Proof = FactorProof & { readonly password: string };

interface ProofActions {
  readonly submitLabel: string;
  readonly onCancel: () => void;
}

export function ProofForm({
  onProof,
  ...actions
}: ProofActions & { readonly onProof: (proof: Proof) => Promise<void> }) {
  const factor = useFactor('proof', (signal) => callApi(proofFactorsEndpoint, { signal }));
  if (factor.pending) return <Skeleton rows={3} />;
  return (
    <ProofInputs
      {...actions}
      className={styles['form']}
      factor={factor}
      onSubmit={async ({ password, otp }) => onProof({ password, ...(await factor.getProof(otp)) })}
    />
  );
}

export interface ProofInput {
  readonly password: string;
  readonly otp?: string;
}

interface ProofInputsProps extends ProofActions, Pick<RuleFormProps<ProofInput>, 'onSubmit'> {
  readonly className?: string | undefined;
  /** Undefined asks for the password alone. */
  readonly factor: Factor | undefined;
  readonly passwordNote?: string;
  /** Whether the code field receives the focus. */
  readonly focused?: boolean;
}

const passwordErrors = { wrong_password: 'password' } as const;
/** A refused passkey has no field. */
const codeErrors = { ...passwordErrors, wrong_code: 'otp', otp_wrong: 'otp' } as const;

export function ProofInputs(props: ProofInputsProps) {
  const { submitLabel, onCancel, className = '', factor, passwordNote, focused = false } = props;
  return (
    <RuleForm<ProofInput>
      className={className}
      quiet
      fieldErrors={factor?.method === 'passkey' ? passwordErrors : codeErrors}
      onSubmit={props.onSubmit}
    >
      <RuleField name="password" label="Current password" rules={[required]} extra={passwordNote}>
        <PasswordField autoComplete="current-password" />
      </RuleField>
      {factor === undefined ? null : <FactorField factor={factor} focused={focused} />}
      <div className={styles['buttons']}>
        <SubmitButton>{submitLabel}</SubmitButton>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </RuleForm>
  );
}
