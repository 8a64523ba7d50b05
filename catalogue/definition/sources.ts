/** The eleven vendor publications, by the names the wire reports them under. A source is synced; it fills one or more lists. */
export const sourceKeys = [
  'wsus',
  'ubuntu',
  'centOs',
  'opensuse',
  'debian',
  'pardus',
  'mac',
  'oracleLinux',
  'thirdParty',
  'almaLinux',
  'rockyLinux',
] as const;

export type SourceKey = (typeof sourceKeys)[number];

export const sourceLabels: Record<SourceKey, string> = {
  wsus: 'Microsoft Windows',
  ubuntu: 'Ubuntu',
  centOs: 'CentOS',
  opensuse: 'openSUSE',
  debian: 'Debian',
  pardus: 'Pardus',
  mac: 'macOS',
  oracleLinux: 'Oracle Linux',
  thirdParty: 'Third-party applications',
  almaLinux: 'AlmaLinux',
  rockyLinux: 'Rocky Linux',
};
