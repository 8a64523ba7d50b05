/** The change-password drawer. A click outside does not close it, so that no input is lost. */

import { Drawer } from 'antd';
import { ChangePasswordForm } from '../forms/change-password-form.tsx';
import { sizes } from '../theme/tokens.ts';
import { Button } from '../widgets/button.tsx';

export function ChangePasswordDrawer({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Drawer
      title="Change password"
      open={open}
      onClose={onClose}
      size={sizes.drawer}
      mask={{ closable: false }}
      destroyOnHidden
    >
      <ChangePasswordForm
        lockedUntilFocus
        onChanged={onClose}
        cancel={<Button onClick={onClose}>Cancel</Button>}
      />
    </Drawer>
  );
}
