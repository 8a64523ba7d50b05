/** The days on which vendors stop publishing fixes for everyone, by release. */
import type { Machine } from '../machine.ts';
import { windowsEndOfSupport } from './windows-support.ts';

/**
 * Days by the ID of os-release and the release. Ubuntu and Debian: columns eol and eol-lts of distro-info-data, which the
 * catalogue's feeds read too (https://debian.pages.debian.net/distro-info-data/); for Debian the end of LTS, which its security
 * tracker also covers, for Ubuntu the end of standard support, after which fixes need Ubuntu Pro. AlmaLinux and Rocky Linux:
 * SUPPORT_END of their os-release. Oracle Linux: the end of Premier Support. Amazon Linux, CentOS Linux and Stream, openSUSE Leap: the end that
 * the vendor announced. Apple announces none for macOS, and no end is known for Pardus or any release that is missing here.
 */
const ends: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  almalinux: { '8': '2029-06-01', '9': '2032-06-01', '10': '2035-06-01' },
  amzn: { '2': '2026-06-30', '2018.03': '2023-12-31' },
  centos: { '5': '2017-03-31', '6': '2020-11-30', '7': '2024-06-30', '8': '2021-12-31' },
  'centos-stream': { '8': '2024-05-31', '9': '2027-05-31' },
  debian: {
    '4.0': '2010-02-15',
    '5.0': '2012-02-06',
    '6.0': '2016-02-29',
    '7': '2018-05-31',
    '8': '2020-06-30',
    '9': '2022-06-30',
    '10': '2024-06-30',
    '11': '2026-08-31',
    '12': '2028-06-30',
    '13': '2030-06-30',
  },
  ol: {
    '5': '2017-06-30',
    '6': '2021-03-31',
    '7': '2024-12-31',
    '8': '2029-07-31',
    '9': '2032-06-30',
  },
  'opensuse-leap': {
    '15.0': '2019-12-03',
    '15.1': '2021-02-02',
    '15.2': '2022-01-04',
    '15.3': '2022-12-31',
    '15.4': '2023-12-07',
    '15.5': '2024-12-31',
    '15.6': '2026-04-30',
  },
  rocky: { '8': '2029-05-31', '9': '2032-05-31', '10': '2035-05-31' },
  ubuntu: {
    '12.04': '2017-04-28',
    '12.10': '2014-05-16',
    '13.04': '2014-01-27',
    '13.10': '2014-07-17',
    '14.04': '2019-04-25',
    '14.10': '2015-07-23',
    '15.04': '2016-02-04',
    '15.10': '2016-07-28',
    '16.04': '2021-04-30',
    '16.10': '2017-07-20',
    '17.04': '2018-01-13',
    '17.10': '2018-07-19',
    '18.04': '2023-05-31',
    '18.10': '2019-07-18',
    '19.04': '2020-01-23',
    '19.10': '2020-07-17',
    '20.04': '2025-05-29',
    '20.10': '2021-07-22',
    '21.04': '2022-01-20',
    '21.10': '2022-07-14',
    '22.04': '2027-06-01',
    '22.10': '2023-07-20',
    '23.04': '2024-01-25',
    '23.10': '2024-07-11',
    '24.04': '2029-05-31',
    '24.10': '2025-07-10',
    '25.04': '2026-01-15',
    '25.10': '2026-07-09',
    '26.04': '2031-05-29',
    '26.10': '2027-07-15',
  },
};

/**
 * Returns the last day of support at midnight UTC, epoch milliseconds; null when unknown. Releases with a further number count as
 * the one without it.
 */
export function endOfLife(machine: Machine): number | null {
  const day = machine.platform === 'windows' ? windowsEndOfSupport(machine) : endOfRelease(machine);
  return day === null ? null : Date.parse(day);
}

function endOfRelease({ distribution, release }: Machine): string | null {
  const table =
    distribution !== null && Object.hasOwn(ends, distribution) ? ends[distribution] : undefined;
  if (table === undefined || release === null) return null;
  const parts = release.split('.');
  const name = parts
    .map((_, index) => parts.slice(0, parts.length - index).join('.'))
    .find((one) => Object.hasOwn(table, one));
  return (name === undefined ? undefined : table[name]) ?? null;
}
