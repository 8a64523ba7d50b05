/** The choices of a licence, by what they are on the wire, and what each is called. */

/** A perpetual licence has no expiry; every other has one. */
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

/** `named`: each technician has a seat. `concurrent`: that many at once. */
export const technicianLabels = { named: 'Named', concurrent: 'Concurrent' } as const;

/** What a licensed client's installation is for. */
export const environmentLabels = {
  production: 'Production',
  staging: 'Staging',
  UAT: 'UAT',
  training: 'Training',
  test: 'Test',
  internal: 'Internal',
} as const;
