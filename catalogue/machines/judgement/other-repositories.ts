/** Recognizes builds of repositories other than the distribution's own, whose versions are unrelated to its fixes. */
import type { InstalledPackage } from '../machine.ts';

const codenames =
  'jessie|stretch|buster|bullseye|bookworm|trixie|xenial|bionic|focal|jammy|noble|oracular|plucky';

/** Marks of other repositories in the versions of Debian and Ubuntu builds. */
const deb = new RegExp(
  [
    // Backports, personal archives, graphics drivers.
    String.raw`~bpo\d`,
    String.raw`(?:^|[^a-z])ppa\d*`,
    String.raw`~gpu\d`,
    // sury.org, PostgreSQL, MariaDB, NodeSource, Raspberry Pi OS, Proxmox.
    String.raw`deb\.sury\.org`,
    String.raw`\.pgdg\d`,
    String.raw`\+maria~`,
    'nodesource',
    String.raw`\+rp[it]\d`,
    String.raw`[-+~.]pve\d`,
    // nginx.org, Percona, deadsnakes: 1.24.0-1~jammy, 8.0.35-27-1.jammy, 3.11.6-1+jammy1.
    String.raw`[~.](?:${codenames})$`,
    String.raw`\+(?:${codenames})\d`,
    // MySQL, Zabbix: 8.0.35-1ubuntu22.04, 1:6.0.25-1+debian12.
    String.raw`-\d+\+?(?:ubuntu[12][02468]\.04|debian\d{1,2})$`,
  ].join('|'),
);

/** Marks of Remi, ELRepo, nginx.org, PostgreSQL, IUS, RPMforge, Nux, Atomicorp and Packman. */
const rpm = /\.(?:remi|elrepo|ngx|ius|rf|rpmforge|nux|art)(?:$|\.)|\.pm\.\d|PGDG|\.rhel\d/;

export const isOfOtherRepository = ({
  format,
  version,
}: Pick<InstalledPackage, 'format' | 'version'>): boolean =>
  (format === 'deb' ? deb : rpm).test(version);
