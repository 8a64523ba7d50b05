/** A made-up catalogue in AlmaLinux's shape, of any size and always the same: entry n depends on n and nothing else. */
import type { Fields } from '@patch/catalogue/definition/fields.ts';
import type { NewRow } from '@patch/catalogue/definition/list-definition.ts';
import { createChance } from '@patch/catalogue/testing/chance.ts';

export interface MadeEntry {
  readonly key: string;
  readonly row: NewRow<Fields>;
  readonly detail: Readonly<Record<string, unknown>>;
}

export const madeSources: readonly string[] = (
  'kernel glibc openssl openssh systemd bash sudo curl krb5 nss gnutls bind dhcp dnsmasq httpd nginx php mariadb postgresql mysql redis ' +
  'nodejs python3 python39 perl ruby golang rust java-1.8.0-openjdk java-11-openjdk java-17-openjdk java-21-openjdk tomcat maven ' +
  'firefox thunderbird webkit2gtk3 gnome-shell gtk3 libreoffice ghostscript cups poppler libtiff libpng libjpeg-turbo libwebp freetype ' +
  'xorg-x11-server mesa wayland qemu-kvm libvirt podman buildah skopeo runc containerd cri-o kubernetes docker-distribution ' +
  'samba sssd freeipa 389-ds-base openldap cyrus-sasl postfix dovecot sendmail squid haproxy varnish keepalived pacemaker corosync ' +
  'grub2 shim dracut lvm2 device-mapper-multipath e2fsprogs xfsprogs btrfs-progs nfs-utils autofs iscsi-initiator-utils ' +
  'vim emacs git subversion mercurial gcc gdb binutils cmake make autoconf libtool elfutils valgrind strace ' +
  'libxml2 libxslt expat sqlite zlib bzip2 xz zstd lz4 libarchive tar cpio rsync wget grafana prometheus ansible-core pcs ' +
  'NetworkManager firewalld nftables iptables ipset chrony ntp tzdata ca-certificates selinux-policy audit rsyslog logrotate ' +
  'libreswan strongswan openvpn wireguard-tools wpa_supplicant bluez avahi pulseaudio pipewire gstreamer1-plugins-base ffmpeg ' +
  'texlive fontconfig harfbuzz cairo pango librsvg2 ImageMagick GraphicsMagick gimp inkscape evolution evince'
).split(' ');
const suffixes =
  ' -libs -devel -doc -tools -common -debuginfo -debugsource -minimal -headers -utils -client'.split(
    ' ',
  );
const outer =
  'acl amber aria atlas beacon cedar cobalt delta ember fable garnet harbor indigo juniper kestrel lumen maple nectar onyx pepper quartz raven saffron tundra umber velvet willow xenon yarrow zephyr'.split(
    ' ',
  );
const inner =
  'adapter agent archive bridge broker buffer cache client codec console daemon driver engine filter gateway helper index kit loader monitor parser plugin proxy runner server shell store stream toolkit viewer'.split(
    ' ',
  );
const severities = ['Low', 'Moderate', 'Important', 'Critical'];
const kinds = [
  { prefix: 'ALSA', category: 'security', words: 'security update' },
  { prefix: 'ALSA', category: 'security', words: 'security, bug fix, and enhancement update' },
  { prefix: 'ALBA', category: 'bugfix', words: 'bug fix and enhancement update' },
  { prefix: 'ALEA', category: 'enhancement', words: 'enhancement update' },
] as const;
const firstRelease = Date.UTC(2015, 0, 1);
const lastRelease = Date.UTC(2026, 0, 1);

export function madeEntry(n: number): MadeEntry {
  const random = createChance(Math.imul(n, 2_654_435_761));
  const pick = <T>(words: readonly T[]): T => words[Math.floor(random() * words.length)] as T;
  // Every twentieth is of openssl: the common word of the measurements.
  const source =
    n % 20 === 7
      ? 'openssl'
      : random() < 0.5
        ? pick(madeSources)
        : `${pick(outer)}-${pick(inner)}${random() < 0.3 ? '-ng' : ''}`;
  const kind = kinds[Math.floor(random() ** 2 * kinds.length)] ?? kinds[0];
  const release =
    firstRelease + Math.floor(((lastRelease - firstRelease) * random()) / 60_000) * 60_000;
  const year = new Date(release).getUTCFullYear();
  const bulletinId = `${kind.prefix}-${year}:${String(n + 1000).padStart(4, '0')}`;
  const security = kind.category === 'security';
  const severity = security
    ? (severities[random() < 0.02 ? 3 : Math.floor(random() * 3)] as string)
    : 'None';
  const stream = random() < 0.1 ? `:${8 + Math.floor(random() * 14)}` : '';
  // One in a hundred thousand titles has a word that no other has: the rare word of the measurements.
  const rare = n % 100_000 === 4321 ? ' for the zanzibar appliance' : '';
  const title = `${security ? `${severity}: ` : ''}${source}${stream} ${kind.words}${rare}`;
  const names = suffixes
    .slice(0, 1 + Math.floor(random() ** 2 * suffixes.length))
    .map((suffix) => source + suffix);
  const cve = security
    ? Array.from(
        { length: 1 + Math.floor(random() ** 3 * 6) },
        () => `CVE-${year}-${1000 + Math.floor(random() * 60_000)}`,
      )
    : [];
  return {
    key: bulletinId,
    row: {
      title,
      releaseDate: release,
      bulletinId,
      severity,
      binaryPkgName: names,
      category: kind.category,
      osVersion: [`AlmaLinux ${8 + Math.floor(random() * 3)}`],
    },
    detail: {
      description: `${title}. The ${source} packages were updated.`,
      status: 'final',
      referenceLink: `https://errata.almalinux.org/9/${bulletinId.replace(':', '-')}.html`,
      cve,
      packages: [
        {
          name: source,
          version: `${1 + Math.floor(random() * 9)}.${Math.floor(random() * 30)}-1.el9`,
          architecture: 'x86_64',
        },
      ],
    },
  };
}
