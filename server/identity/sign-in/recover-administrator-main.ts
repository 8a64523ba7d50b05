/** `npm run recover-administrator -- <name>`: assigns a new password to an administrator who can no longer sign in. */
import { auditKey } from '../../platform/audit/audit-hash.ts';
import { migrate } from '../../platform/database/schema/migrate.ts';
import { StartupError } from '../../platform/errors/startup-error.ts';
import { printLine, runCommand } from '../../platform/maintenance/maintenance-command.ts';
import {
  maintenanceConfig,
  withMaintenanceDatabase,
} from '../../platform/maintenance/maintenance-database.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { secretKey } from '../../platform/secrets/secret-key.ts';
import { describeAdministrators, recoverAdministrator } from './administrators.ts';

const whenLost = () =>
  'The account may have a new password that was not shown. Run the command again when it responds: it assigns another one.';

await runCommand(async () => {
  const [login, ...more] = process.argv.slice(2);
  await withMaintenanceDatabase({ make: false, whenLost }, async ({ database }) => {
    await migrate(database);
    if (login === undefined || login.startsWith('-') || more.length > 0)
      throw new StartupError(
        `Give one name or address: npm run recover-administrator -- <name or address>. ${await describeAdministrators(database)}`,
      );
    const { name, password } = await recoverAdministrator(
      database,
      auditKey(secretBox(secretKey(maintenanceConfig()))),
      login,
      Date.now(),
    );
    printLine(
      `${name} signs in with the password ${password} (shown only once; must be changed at first sign-in).`,
    );
    printLine('The second factor has been removed, and all sessions of this user have ended.');
  });
});
