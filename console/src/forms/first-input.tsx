/** The first input of a form that the user has just opened: it takes the focus as soon as it is there. */
import { Input } from 'antd';
import type { ComponentProps } from 'react';

interface FirstInputProps extends Omit<ComponentProps<typeof Input>, 'autoFocus'> {
  /** False: the focus stays where it is. */
  readonly focused?: boolean;
}

export function FirstInput({ focused = true, ...rest }: FirstInputProps) {
  // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form was just opened, so the focus moves to where the user goes on
  return <Input {...rest} autoFocus={focused} />;
}
