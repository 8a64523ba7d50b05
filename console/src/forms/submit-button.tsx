/** Submits the form around it. */

import { use } from 'react';
import { Button, type ButtonProps } from '../widgets/button.tsx';
import { FormStatus } from './form-status.ts';

interface SubmitButtonProps extends Pick<ButtonProps, 'block' | 'disabled' | 'children'> {
  /** Enables the button only after a change. */
  readonly whenChanged?: boolean;
}

export function SubmitButton({
  whenChanged = false,
  disabled = false,
  ...rest
}: SubmitButtonProps) {
  const { busy, dirty } = use(FormStatus);
  return (
    <Button
      {...rest}
      look="primary"
      type="submit"
      loading={busy}
      disabled={disabled || (whenChanged && !dirty && !busy)}
    />
  );
}
