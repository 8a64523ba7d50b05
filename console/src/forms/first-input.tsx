/** The first input of a newly opened form. It receives the focus when it is mounted. */
import { Input } from 'antd';
import type { ComponentProps } from 'react';

interface FirstInputProps extends Omit<ComponentProps<typeof Input>, 'autoFocus'> {
  /** False leaves the focus where it is. */
  readonly focused?: boolean;
}

export function FirstInput({ focused = true, ...rest }: FirstInputProps) {
  // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form was just opened, so the focus moves to where the user goes on
  return <Input {...rest} autoFocus={focused} />;
}
