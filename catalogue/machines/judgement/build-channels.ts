/** Channels: builds of one package name that a vendor maintains side by side, so that their versions are never compared. */
import { parseRpmVersion } from '../../schemas/rpm-version.ts';
import type { InstalledPackage } from '../machine.ts';
import type { PackageFix } from './machine-fixes.ts';

interface Channel {
  readonly key: string;
  /** Marks the versions of the channel's builds. */
  readonly version: RegExp;
  /** Packages that exist in the channel alone, whatever their version; null without any. */
  readonly own: RegExp | null;
  /** Packages that the channel shares with the distribution; null where a shared package reveals itself by its version. */
  readonly shared: RegExp | null;
  /** True for kernels, whose lines (5.15.0, 6.12.0) are maintained side by side within the channel. */
  readonly hasLines: boolean;
}

/**
 * The channels of RPM distributions. Not among them, because their numbers continue those of the distribution: Oracle's rebuilds
 * (`.0.1`), CentOS Plus (`.centos.plus`) and Rocky's cloud builds. Streams of modules and pockets of Ubuntu are stated by the records.
 */
const rpmChannels: readonly Channel[] = [
  {
    // Ksplice patches user space in memory; its builds carry epoch 2.
    key: 'ksplice',
    version: /\.ksplice\d/,
    own: null,
    shared: /^(?:compat-libpthread-nonshared|glibc|libnsl|nscd|nss_\w+|openssl)(?:$|-)/,
    hasLines: false,
  },
  {
    // Certified modules carry epoch 10 and stay at the certified version.
    key: 'fips',
    version: /_fips(?:$|[._])/,
    own: null,
    shared: /^(?:gnutls|libgcrypt|libkcapi|nettle|nss|openssh|openssl)(?:$|-)/,
    hasLines: false,
  },
  {
    // Oracle's Unbreakable Enterprise Kernel, from repositories of its own; early containers of it omit the mark.
    key: 'uek',
    version: /\.el\d+uek(?:$|[._])/,
    own: /^kernel-uek/,
    shared:
      /^(?:bpftool|perf|libperf|rtla|rv|python\d?-perf|kernel-(?:tools|headers|devel|doc|abi))(?:$|-)/,
    hasLines: true,
  },
];

type Build = Pick<InstalledPackage, 'name' | 'version'>;

/** Returns `uek 5.15.0` or `fips`; the empty text for the distribution's own builds. */
function rpmChannel({ name, version }: Build): string {
  const channel = rpmChannels.find(
    (one) => one.version.test(version) || one.own?.test(name) === true,
  );
  if (channel === undefined) return '';
  return channel.hasLines ? `${channel.key} ${parseRpmVersion(version).version}` : channel.key;
}

/** Ubuntu's certified builds: `3.0.2-0ubuntu1.10+Fips1`; Ubuntu Pro pins them, so that no other build replaces them. */
const debChannel = (version: string): string => (/fips/i.test(version) ? 'fips' : '');

const debChannelOfFix = ({ pocket, version }: PackageFix): string =>
  pocket?.startsWith('fips') === true ? 'fips' : debChannel(version);

export const channelOfFix = (fix: PackageFix, family: 'rpm' | 'deb'): string =>
  family === 'rpm' ? rpmChannel(fix) : debChannelOfFix(fix);

export const channelOf = (installed: Pick<InstalledPackage, 'format'> & Build): string =>
  installed.format === 'rpm' ? rpmChannel(installed) : debChannel(installed.version);

/** Returns whether the fixes of a package may all belong to channels other than the installed build's. */
export const mayLackChannel = (installed: Pick<InstalledPackage, 'format'> & Build): boolean =>
  channelOf(installed) !== '' ||
  (installed.format === 'rpm' &&
    rpmChannels.some(({ shared }) => shared?.test(installed.name) === true));
