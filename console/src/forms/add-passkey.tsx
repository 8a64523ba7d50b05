/** Adds a passkey: the user names it, then the browser creates it. */

import {
  addPasskeyEndpoint,
  beginPasskeyEndpoint,
  passkeyNameLength,
} from '@patch/contract/accounts/passkey-endpoints.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { makePasskey } from '../api/browser-passkeys.ts';
import { callApi } from '../api/call-api.ts';
import { userAgentText } from '../values/user-agent-text.ts';
import { Button } from '../widgets/button.tsx';
import { FirstInput } from './first-input.tsx';
import { RuleField } from './rule-field.tsx';
import { RuleForm } from './rule-form.tsx';
import styles from './second-factor.module.css';
import { SubmitButton } from './submit-button.tsx';

interface AddPasskeyProps {
  /** `backupCodes` is null when the account already had backup codes. */
  readonly onAdded: (backupCodes: readonly string[] | null) => Promise<void>;
  readonly onCancel: () => void;
}

interface PasskeyName {
  readonly name: string;
}

const fieldErrors = { invalid_input: 'name' } as const;

export function AddPasskey({ onAdded, onCancel }: AddPasskeyProps) {
  async function add({ name }: PasskeyName): Promise<void> {
    const { options } = await callApi(beginPasskeyEndpoint);
    const registration = await makePasskey(options);
    const { backupCodes } = await callApi(addPasskeyEndpoint, {
      body: { name: name.trim(), registration },
    });
    await onAdded(backupCodes);
  }
  return (
    <RuleForm<PasskeyName>
      className={styles['form'] ?? ''}
      quiet
      initialValues={{ name: userAgentText(navigator.userAgent).slice(0, passkeyNameLength) }}
      fieldErrors={fieldErrors}
      onSubmit={add}
    >
      <RuleField
        name="name"
        label="Name"
        rules={[required]}
        extra="A name to recognise it by. Your browser asks for the passkey next."
      >
        <FirstInput autoComplete="off" maxLength={passkeyNameLength} />
      </RuleField>
      <div className={styles['buttons']}>
        <SubmitButton>Add passkey</SubmitButton>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </RuleForm>
  );
}
