/** The facts that both lists of the offline scan file have in their details. */
import { number, prose, text } from '../../definition/fields.ts';

export const scanFacts = {
  vendorSeverity: text("Vendor's severity", { help: 'As Windows Update writes it.' }),
  uninstallNotes: prose('How to uninstall'),
  uninstallRestartBehaviour: text('Restart after uninstalling'),
  supersededUnnamed: number('Superseding updates not in the file', {
    help: 'Updates that replace this one and that the offline scan file does not hold, so that they cannot be named.',
    sparse: true,
  }),
} as const;
