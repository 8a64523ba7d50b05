/** The second factor in a form: the code field or the passkey note, and a button to switch between them. */
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { Button } from '../widgets/button.tsx';
import { FirstInput } from './first-input.tsx';
import { RuleField } from './rule-field.tsx';
import styles from './second-factor.module.css';
import type { Factor } from './use-factor.ts';

interface FactorFieldProps {
  readonly factor: Factor;
  /** Whether the code field receives the focus. */
  readonly focused?: boolean;
}

export function FactorField({
  factor: { method, hasApp, switchMethod },
  focused = false,
}: FactorFieldProps) {
  return (
    <>
      {method === 'passkey' ? (
        <p className={styles['quiet']}>Your browser asks for your passkey next.</p>
      ) : (
        <RuleField
          name="otp"
          label="Code"
          rules={[required]}
          extra={
            hasApp ? 'The code your app shows now, or a backup code.' : 'One of your backup codes.'
          }
        >
          <FirstInput
            focused={focused}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={16}
            className={styles['code'] ?? ''}
          />
        </RuleField>
      )}
      {switchMethod === null ? null : (
        <p>
          <Button look="link" onClick={switchMethod}>
            {method === 'passkey' ? 'Use a code instead' : 'Use a passkey instead'}
          </Button>
        </p>
      )}
    </>
  );
}
