/** Asks for the own password and a code: who has found the screen unlocked has neither. */
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { Input } from 'antd';
import { PasswordField } from './password-field.tsx';
import { RuleField } from './rule-field.tsx';
import { RuleForm } from './rule-form.tsx';
import { SubmitButton } from './submit-button.tsx';
import { Button } from '../widgets/button.tsx';
import styles from './second-factor.module.css';

export interface Proof {
  readonly password: string;
  readonly otp: string;
}

interface ProofFormProps {
  readonly submitLabel: string;
  /** Of the field for the code. */
  readonly codeHint?: string;
  readonly onProof: (proof: Proof) => Promise<void>;
  readonly onCancel: () => void;
}

const refusedAt = { wrong_password: 'password', wrong_code: 'otp' } as const;

export function ProofForm({ submitLabel, codeHint = 'That your app shows now, or a backup code.', onProof, onCancel }: ProofFormProps) {
  return (
    <RuleForm<Proof>
      className={styles['form'] ?? ''}
      quiet
      refusedAt={refusedAt}
      onSubmit={({ password, otp }) => onProof({ password, otp: otp.trim() })}
    >
      <RuleField name="password" label="Current password" rules={[required]}>
        <PasswordField autoComplete="current-password" />
      </RuleField>
      <RuleField name="otp" label="Code" rules={[required]} extra={codeHint}>
        <Input autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} maxLength={16} className={styles['code'] ?? ''} />
      </RuleField>
      <div className={styles['buttons']}>
        <SubmitButton>{submitLabel}</SubmitButton>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </RuleForm>
  );
}
