/** What a licensed client's installation is for. */

export const environments = ['production', 'staging', 'UAT', 'training', 'test', 'internal'] as const;
export type Environment = (typeof environments)[number];

export const environmentLabels: Readonly<Record<Environment, string>> = {
  production: 'Production',
  staging: 'Staging',
  UAT: 'UAT',
  training: 'Training',
  test: 'Test',
  internal: 'Internal',
};
