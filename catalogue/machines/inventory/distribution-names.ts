/** Maps the names of distributions in any format to the ID of their os-release, and IDs to display names. */

const otherNames: Readonly<Record<string, string>> = {
  alma: 'almalinux',
  almalinuxkitten: 'almalinux',
  centoslinux: 'centos',
  // Its os-release has the ID centos; nameRelease tells them apart.
  centosstream: 'centos',
  opensuse: 'opensuse-leap',
  opensuseleap: 'opensuse-leap',
  'opensuse.leap': 'opensuse-leap',
  opensusetumbleweed: 'opensuse-tumbleweed',
  oracle: 'ol',
  // Oracle Linux 5.
  enterpriselinuxenterpriselinuxserver: 'ol',
  oraclelinux: 'ol',
  oraclelinuxserver: 'ol',
  oracleserver: 'ol',
  redhat: 'rhel',
  rockylinux: 'rocky',
  suse: 'sles',
  suselinuxenterprisedesktop: 'sled',
  suselinuxenterpriseserver: 'sles',
};

/** Names that editions follow: `Amazon Linux AMI`, `Red Hat Enterprise Linux Workstation`. */
const beginnings: Readonly<Record<string, string>> = {
  amazon: 'amzn',
  redhatenterprise: 'rhel',
};

/** Converts `AlmaLinux`, `Rocky Linux` or `alma` to the ID in os-release. */
export function distributionId(name: string): string {
  const key = name.toLowerCase().replaceAll(' ', '');
  const beginning = Object.keys(beginnings).find((one) => key.startsWith(one));
  if (beginning !== undefined) return beginnings[beginning] ?? key;
  return Object.hasOwn(otherNames, key) ? (otherNames[key] ?? key) : key;
}

const shownNames: Readonly<Record<string, string>> = {
  almalinux: 'AlmaLinux',
  'almalinux-kitten': 'AlmaLinux Kitten',
  alpine: 'Alpine Linux',
  amzn: 'Amazon Linux',
  arch: 'Arch Linux',
  azurelinux: 'Azure Linux',
  centos: 'CentOS',
  'centos-stream': 'CentOS Stream',
  debian: 'Debian',
  devuan: 'Devuan',
  elementary: 'elementary OS',
  fedora: 'Fedora',
  gentoo: 'Gentoo',
  kali: 'Kali Linux',
  linuxmint: 'Linux Mint',
  manjaro: 'Manjaro Linux',
  neon: 'KDE neon',
  nixos: 'NixOS',
  ol: 'Oracle Linux',
  'opensuse-leap': 'openSUSE Leap',
  'opensuse-microos': 'openSUSE MicroOS',
  'opensuse-slowroll': 'openSUSE Slowroll',
  'opensuse-tumbleweed': 'openSUSE Tumbleweed',
  pardus: 'Pardus',
  pop: 'Pop!_OS',
  raspbian: 'Raspbian',
  rhel: 'Red Hat Enterprise Linux',
  rocky: 'Rocky Linux',
  sled: 'SUSE Linux Enterprise Desktop',
  sles: 'SUSE Linux Enterprise Server',
  ubuntu: 'Ubuntu',
  void: 'Void Linux',
  zorin: 'Zorin OS',
};

/** Returns the vendor's spelling; an unknown ID is returned unchanged. */
export const distributionName = (id: string): string =>
  Object.hasOwn(shownNames, id) ? (shownNames[id] ?? id) : id;
