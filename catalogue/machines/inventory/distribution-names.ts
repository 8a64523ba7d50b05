/** Distributions by the ID of their os-release, whatever another format calls them. */

const otherNames: Readonly<Record<string, string>> = {
  alma: 'almalinux',
  amazon: 'amzn',
  centoslinux: 'centos',
  opensuse: 'opensuse-leap',
  opensuseleap: 'opensuse-leap',
  'opensuse.leap': 'opensuse-leap',
  opensusetumbleweed: 'opensuse-tumbleweed',
  oracle: 'ol',
  oraclelinux: 'ol',
  oraclelinuxserver: 'ol',
  oracleserver: 'ol',
  redhat: 'rhel',
  redhatenterpriselinux: 'rhel',
  redhatenterpriselinuxserver: 'rhel',
  redhatenterprise: 'rhel',
  rockylinux: 'rocky',
  suse: 'sles',
};

/** `AlmaLinux`, `Rocky Linux`, `alma` as os-release has them. */
export function distributionId(name: string): string {
  const key = name.toLowerCase().replaceAll(' ', '');
  return Object.hasOwn(otherNames, key) ? (otherNames[key] ?? key) : key;
}
