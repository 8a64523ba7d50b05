/** Which machines have left the release of a task. */
import { expect, test } from 'vitest';
import { findMovedTo, type ReportedSystem } from './moved-release.ts';

const nothing: ReportedSystem = { platform: null, release: null, build: null, architecture: null };
const linux = (release: string): ReportedSystem => ({ ...nothing, platform: 'linux', release });
const mac = (release: string): ReportedSystem => ({ ...nothing, platform: 'macos', release });
const windows = (release: string, build: string, architecture = 'x86_64'): ReportedSystem => ({
  platform: 'windows',
  release,
  build,
  architecture,
});
const server2019 = windows('Microsoft Windows Server 2019 Standard', '10.0.17763.1');

test.each([
  ['AlmaLinux 8', linux('AlmaLinux 8.10')],
  ['Ubuntu 22.04', linux('Ubuntu 22.04')],
  ['Pardus 23', linux('Pardus 23.4')],
  ['Rocky Linux 9', { ...linux('Rocky Linux 9.4'), platform: null }],
  ['openSUSE Leap 15.6', linux('openSUSE Leap 15.6')],
  ['macOS 15', mac('macOS 15.6.1')],
  ['macOS 10.15', mac('macOS 10.15.7')],
  ['macOS', mac('macOS 15.6')],
  ['macOS 15', mac('macOS')],
  ['Applications', linux('AlmaLinux 9.4')],
  ['Applications', server2019],
  ['Windows Server 2019', server2019],
  ['Windows Server 2019  (Server Core installation)', server2019],
  ['windows server 2019 (any)', server2019],
  ['Microsoft .NET Framework 4.8 on Windows Server 2019', server2019],
  ['Windows 11 Version 23H2 for x64-based Systems', windows('Windows 11 Pro', '10.0.22631.9')],
  [
    'Windows 11 version 21H2 for ARM64-based Systems',
    windows('Windows 11 Pro', '10.0.22000.9', 'aarch64'),
  ],
  ['Something else', server2019],
  ['Windows Server 2019', windows('Microsoft Windows Server 2019', '10.0.99999.1')],
  ['AlmaLinux 8', nothing],
])('a task for %s is for the machine with %j', (system, machine) => {
  expect(findMovedTo(system, machine)).toBeNull();
});

test.each([
  ['AlmaLinux 8', linux('AlmaLinux 9.4'), 'AlmaLinux 9'],
  ['CentOS 7', linux('AlmaLinux 9.4'), 'AlmaLinux 9'],
  ['Ubuntu 22.04', linux('Ubuntu 24.04'), 'Ubuntu 24.04'],
  ['AlmaLinux 8', linux('slackware 15.0'), 'slackware 15.0'],
  ['macOS 14', mac('macOS 15.6'), 'macOS 15.6'],
  ['macOS 10.14', mac('macOS 10.15.7'), 'macOS 10.15.7'],
  [
    'Windows 10 Version 22H2 for x64-based Systems',
    windows('Windows 11 Pro', '10.0.26100.1'),
    'Windows 11 Pro, build 10.0.26100.1',
  ],
  [
    'Windows 10 for x64-based Systems',
    windows('Windows 10 Pro', '10.0.19045.1'),
    'Windows 10 Pro, build 10.0.19045.1',
  ],
  ['Windows Server 2022', server2019, 'Microsoft Windows Server 2019 Standard, build 10.0.17763.1'],
  ['Windows Server 2019', linux('Debian 12'), 'Debian 12'],
  ['Debian 12', server2019, 'Microsoft Windows Server 2019 Standard, build 10.0.17763.1'],
])('a task for %s is not for the machine with %j', (system, machine, now) => {
  expect(findMovedTo(system, machine)).toBe(now);
});
