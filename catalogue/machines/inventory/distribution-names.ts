/** Maps the names of distributions in any format to the ID of their os-release, and IDs to display names. */

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

/** Converts `AlmaLinux`, `Rocky Linux` or `alma` to the ID in os-release. */
export function distributionId(name: string): string {
  const key = name.toLowerCase().replaceAll(' ', '');
  return Object.hasOwn(otherNames, key) ? (otherNames[key] ?? key) : key;
}

const shownNames: Readonly<Record<string, string>> = {
  almalinux: 'AlmaLinux',
  amzn: 'Amazon Linux',
  centos: 'CentOS',
  debian: 'Debian',
  fedora: 'Fedora',
  ol: 'Oracle Linux',
  'opensuse-leap': 'openSUSE Leap',
  'opensuse-tumbleweed': 'openSUSE Tumbleweed',
  pardus: 'Pardus',
  rhel: 'Red Hat Enterprise Linux',
  rocky: 'Rocky Linux',
  sles: 'SUSE Linux Enterprise Server',
  ubuntu: 'Ubuntu',
};

/** Returns the vendor's spelling; an unknown ID is returned unchanged. */
export const distributionName = (id: string): string =>
  Object.hasOwn(shownNames, id) ? (shownNames[id] ?? id) : id;
