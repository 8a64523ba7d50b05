/** A password input: shows and hides the text, warns about Caps Lock, and can block autofill until it has the focus. */

import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons-svg';
import { type ComponentProps, type KeyboardEvent, useId, useState } from 'react';
import { Icon } from '../widgets/icon.tsx';
import { TextInput } from '../widgets/text-input.tsx';
import styles from './password-field.module.css';

export interface PasswordFieldProps
  extends Pick<
    ComponentProps<'input'>,
    'id' | 'name' | 'disabled' | 'aria-invalid' | 'aria-describedby' | 'aria-required'
  > {
  /** The initial text, for a form that reads its inputs itself. */
  readonly defaultValue?: string;
  readonly value?: string;
  readonly onChange?: (value: string) => void;
  readonly onBlur?: () => void;
  /** The hint that password managers use. */
  readonly autoComplete: 'current-password' | 'new-password';
  /** Makes the input read-only until focused, so that a browser does not fill it in. */
  readonly lockedUntilFocus?: boolean;
  readonly size?: 'middle' | 'large';
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
  const [isVisible, setVisible] = useState(false);
  const [isLocked, setLocked] = useState(lockedUntilFocus);
  const [capsLock, setCapsLock] = useState(false);
  const hint = useId();
  const updateCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  const described = [rest['aria-describedby'], capsLock ? hint : undefined]
    .filter((id) => id !== undefined)
    .join(' ');
  return (
    <>
      <TextInput
        {...rest}
        // A form's value is undefined before the first input and after a reset.
        {...(defaultValue === undefined ? { value: value ?? '' } : { defaultValue })}
        {...(described === '' ? {} : { 'aria-describedby': described })}
        type={isVisible ? 'text' : 'password'}
        size={size}
        readOnly={isLocked}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => onChange?.(event.target.value)}
        onFocus={() => setLocked(false)}
        onBlur={() => {
          setCapsLock(false);
          onBlur?.();
        }}
        onKeyDown={updateCapsLock}
        onKeyUp={updateCapsLock}
        suffix={
          <button
            type="button"
            className={styles['eye']}
            aria-label={isVisible ? 'Hide password' : 'Show password'}
            aria-pressed={isVisible}
            onClick={() => setVisible(!isVisible)}
          >
            {isVisible ? <Icon of={EyeInvisibleOutlined} /> : <Icon of={EyeOutlined} />}
          </button>
        }
      />
      <span id={hint} className={styles['hint']} role="status">
        {capsLock ? 'Caps Lock is on' : null}
      </span>
    </>
  );
}
