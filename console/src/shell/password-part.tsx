/** A button on the account screen that opens the same change-password drawer as the header. */
import { Button } from '../widgets/button.tsx';
import { ChangePasswordDrawer } from './change-password-drawer.tsx';
import { useDelayedOpen } from './use-delayed-open.ts';

export function PasswordPart() {
  const { open, openSoon, close } = useDelayedOpen();
  return (
    <>
      <p>A new password signs you out everywhere.</p>
      <Button onClick={openSoon}>Change password…</Button>
      <ChangePasswordDrawer open={open} onClose={close} />
    </>
  );
}
