/** Distributions by the ID of their os-release, whatever another format calls them, and their names for people. */

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

/** As its vendor writes it; an ID without a known name stays as it is. */
export const distributionName = (id: string): string =>
  Object.hasOwn(shownNames, id) ? (shownNames[id] ?? id) : id;
