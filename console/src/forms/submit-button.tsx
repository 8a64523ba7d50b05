/** Sends the form it stands in. */

import { use } from 'react';
import { Button, type ButtonProps } from '../widgets/button.tsx';
import { FormStanding } from './form-standing.ts';

interface SubmitButtonProps extends Pick<ButtonProps, 'block' | 'disabled' | 'children'> {
  /** Only once something was changed. */
  readonly whenChanged?: boolean;
}

export function SubmitButton({
  whenChanged = false,
  disabled = false,
  ...rest
}: SubmitButtonProps) {
  const { busy, dirty } = use(FormStanding);
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
