/** Facts in the details of both lists of the offline scan file. */
import { date, number, prose, text } from '../../../definition/fields.ts';

/** In all three lists: the state of a KB follows from the guide, which may be unavailable while the scan file is read. */
export const stateReadAt = date('State and risk as of', {
  lastReadOf: 'msrc',
  help: 'When the security update guide was last read. State, risk and date of the KB are those of that time.',
});

export const scanFacts = {
  stateReadAt,
  vendorSeverity: text("Vendor's severity", { help: 'As Windows Update writes it.' }),
  uninstallNotes: prose('How to uninstall'),
  uninstallRestartBehaviour: text('Restart after uninstalling'),
  supersededUnnamed: number('Superseding updates not in the file', {
    help: 'Updates that replace this one and that the offline scan file does not hold, so that they cannot be named.',
    sparse: true,
  }),
} as const;
