/** Sends the form it stands in. */
import { Button, type ButtonProps } from 'antd';
import { use } from 'react';
import { FormStanding } from './form-standing.ts';

interface SubmitButtonProps extends Pick<ButtonProps, 'block' | 'children'> {
  /** Only once something was changed. */
  readonly whenChanged?: boolean;
}

export function SubmitButton({ whenChanged = false, ...rest }: SubmitButtonProps) {
  const { busy, dirty } = use(FormStanding);
  return <Button {...rest} type="primary" htmlType="submit" loading={busy} disabled={whenChanged && !dirty && !busy} />;
}
