/** The account screen with its sections: second factor, alerts and, for administrators, the daily summary. */
import { useMay } from '../api/session.ts';
import { TwoFactorSection } from '../screens/account/two-factor-section.tsx';
import { OwnAlerts } from '../screens/alerts/own-alerts.tsx';
import { SummarySwitch } from '../screens/alerts/summary-switch.tsx';
import { type AccountPart, AccountScreen } from '../screens/users/account-screen.tsx';
import { Button } from '../widgets/button.tsx';
import { ChangePasswordDrawer } from './change-password-drawer.tsx';
import { useDelayedOpen } from './use-delayed-open.ts';

const password: AccountPart = { title: 'Password', content: <PasswordPart /> };
const secondFactor: AccountPart = { title: 'Second factor', content: <TwoFactorSection /> };
const alerts: AccountPart = { title: 'Alerts', content: <OwnAlerts /> };
const summary: AccountPart = { title: 'Daily summary', content: <SummarySwitch /> };

export function AccountPage() {
  const isAdmin = useMay('admin');
  return <AccountScreen parts={[password, secondFactor, alerts, ...(isAdmin ? [summary] : [])]} />;
}

/** A button that opens the same change-password drawer as the header. */
function PasswordPart() {
  const { open, openSoon, close } = useDelayedOpen();
  return (
    <>
      <p>A new password signs you out everywhere.</p>
      <Button onClick={openSoon}>Change password…</Button>
      <ChangePasswordDrawer open={open} onClose={close} />
    </>
  );
}
