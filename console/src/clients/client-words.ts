/** What the choices of a licence are called. */
import type { ClientState, deploymentModes, LicenceType, technicianLicences } from '@patch/contract/licensed-client-calls.ts';

export const licenceWords: Readonly<Record<LicenceType, string>> = {
  trial: 'Trial',
  subscription: 'Subscription',
  perpetual: 'Perpetual',
};

export const deploymentWords: Readonly<Record<(typeof deploymentModes)[number], string>> = {
  standalone: 'Standalone',
  HA: 'High availability',
  master: 'Master',
  slave: 'Slave',
};

export const technicianWords: Readonly<Record<(typeof technicianLicences)[number], string>> = {
  named: 'Named',
  concurrent: 'Concurrent',
};

export const stateWords: Readonly<Record<ClientState, { readonly words: string; readonly tone: 'good' | 'quiet' | 'warning' | 'bad' }>> = {
  waiting: { words: 'Not activated yet', tone: 'quiet' },
  active: { words: 'Active', tone: 'good' },
  expired: { words: 'Expired', tone: 'warning' },
  revoked: { words: 'Revoked', tone: 'bad' },
};

export const optionsOf = <Value extends string>(words: Readonly<Record<Value, string>>): { value: Value; label: string }[] =>
  (Object.keys(words) as Value[]).map((value) => ({ value, label: words[value] }));
