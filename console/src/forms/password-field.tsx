/** A password input: shows and hides what is typed, warns of Caps Lock, and can refuse autofill until it is focused. */

import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons-svg';
import { type KeyboardEvent, useId, useState } from 'react';
import { Icon } from '../widgets/icon.tsx';
import { TextInput } from '../widgets/text-input.tsx';
import styles from './password-field.module.css';

export interface PasswordFieldProps {
  readonly id?: string;
  readonly name?: string;
  /** For a form that reads its inputs itself. */
  readonly defaultValue?: string;
  readonly value?: string;
  readonly onChange?: (value: string) => void;
  readonly onBlur?: () => void;
  /** 'current-password' or 'new-password': what password managers go by. */
  readonly autoComplete: 'current-password' | 'new-password';
  /** Starts read-only, so that a browser fills in nothing before the person comes to it. */
  readonly lockedUntilFocus?: boolean;
  readonly size?: 'middle' | 'large';
  readonly disabled?: boolean;
  readonly 'aria-invalid'?: boolean;
  readonly 'aria-describedby'?: string;
  readonly 'aria-required'?: boolean | 'true' | 'false';
}

export function PasswordField({
  lockedUntilFocus = false,
  value,
  defaultValue,
  onChange,
  onBlur,
  size = 'middle',
  ...rest
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const [locked, setLocked] = useState(lockedUntilFocus);
  const [capsLock, setCapsLock] = useState(false);
  const hint = useId();
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  const described = [rest['aria-describedby'], capsLock ? hint : undefined]
    .filter((id) => id !== undefined)
    .join(' ');
  return (
    <>
      <TextInput
        {...rest}
        // A form's value is undefined before anything is entered, and again when the form is reset.
        {...(defaultValue === undefined ? { value: value ?? '' } : { defaultValue })}
        {...(described === '' ? {} : { 'aria-describedby': described })}
        type={shown ? 'text' : 'password'}
        size={size}
        readOnly={locked}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => onChange?.(event.target.value)}
        onFocus={() => setLocked(false)}
        onBlur={() => {
          setCapsLock(false);
          onBlur?.();
        }}
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
        suffix={
          <button
            type="button"
            className={styles['eye']}
            aria-label={shown ? 'Hide password' : 'Show password'}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? <Icon of={EyeInvisibleOutlined} /> : <Icon of={EyeOutlined} />}
          </button>
        }
      />
      <span id={hint} className={styles['hint']} role="status">
        {capsLock ? 'Caps Lock is on' : null}
      </span>
    </>
  );
}
