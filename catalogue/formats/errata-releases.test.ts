import { describe, expect, test } from 'vitest';
import { findErrataRelease, toErrataRelease } from './errata-releases.ts';

describe('findErrataRelease', () => {
  test.each([
    ['centos', '7', 'CentOS 7', 'centos/7'],
    ['centos', '8-stream', 'CentOS 8', 'centos/8'],
    ['rocky', '9.4', 'Rocky Linux 9', 'rocky/9'],
    ['rocky-sig-cloud', '8.10', 'Rocky Linux SIG Cloud 8', 'rocky-sig-cloud/8'],
    ['ol', '8.10', 'Oracle Linux 8', 'ol/8'],
    ['amzn', '2023.4.20240611', 'Amazon Linux 2023', 'amzn/2023'],
    ['opensuse-leap', '15.6', 'openSUSE Leap 15.6', 'opensuse-leap/15.6'],
  ])('finds %s %s', (distribution, version, release, path) => {
    expect(findErrataRelease(distribution, version)).toMatchObject({ release, path });
  });

  test.each([
    ['debian', '12'],
    ['fedora', '40'],
    ['toString', '8'],
    ['almalinux', ''],
    ['almalinux', '../8'],
    ['almalinux', 'nine'],
  ])('returns null for %s %s', (distribution, version) => {
    expect(findErrataRelease(distribution, version)).toBeNull();
  });
});

describe('toErrataRelease', () => {
  test.each([
    ['AlmaLinux 10', 'almalinux/10'],
    ['Rocky Linux 8', 'rocky/8'],
    ['Rocky Linux SIG Cloud 8', 'rocky-sig-cloud/8'],
    ['openSUSE Leap 15.6', 'opensuse-leap/15.6'],
  ])('names the repository of %s', (release, path) => {
    expect(toErrataRelease(release)?.path).toBe(path);
  });

  test.each(['Debian 12', 'openSUSE Tumbleweed', 'Rocky Linux SIG Other 8', 'AlmaLinux'])(
    'returns null for %s',
    (release) => {
      expect(toErrataRelease(release)).toBeNull();
    },
  );
});
