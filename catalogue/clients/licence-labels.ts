/** Labels for the choices of a licence, by their values on the wire. */

/** Only a perpetual licence has no expiry. */
export const licenceLabels = {
  trial: 'Trial',
  subscription: 'Subscription',
  perpetual: 'Perpetual',
} as const;

export const deploymentLabels = {
  standalone: 'Standalone',
  HA: 'High availability',
  master: 'Master',
  slave: 'Slave',
} as const;

/** `named` assigns a seat to each technician; `concurrent` limits how many work at once. */
export const technicianLabels = { named: 'Named', concurrent: 'Concurrent' } as const;

/** The purpose of a licensed client's installation. */
export const environmentLabels = {
  production: 'Production',
  staging: 'Staging',
  UAT: 'UAT',
  training: 'Training',
  test: 'Test',
  internal: 'Internal',
} as const;
