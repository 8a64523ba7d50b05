/** Asks whether the user's API keys end with the old password, and lists their names so that none is forgotten. */
import { CheckBox } from '../widgets/check-box.tsx';
import { RuleField } from './rule-field.tsx';

export function EndKeysField({ names }: { readonly names: readonly string[] }) {
  return (
    <RuleField
      name="endApiKeys"
      label="API keys"
      isChoice
      extra={`${names.length === 1 ? 'Key' : 'Keys'}: ${names.join(', ')}`}
    >
      <EndKeys count={names.length} />
    </RuleField>
  );
}

interface EndKeysProps {
  readonly count: number;
  readonly value?: boolean;
  readonly onChange?: (checked: boolean) => void;
}

function EndKeys({ count, value = false, onChange }: EndKeysProps) {
  return (
    <CheckBox checked={value} onChange={(checked) => onChange?.(checked)}>
      {count === 1 ? 'End my API key as well' : `End my ${count} API keys as well`}
    </CheckBox>
  );
}
