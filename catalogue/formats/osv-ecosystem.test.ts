import { expect, test } from 'vitest';
import { findUrlTarget, osvEcosystem } from './osv-ecosystem.ts';

test.each([
  ['debian', 'bookworm', '12'],
  ['ubuntu', 'lunar', '23.04'],
  ['ubuntu', 'noble', '24.04'],
  ['ubuntu', 'ubuntu-22.04', '22.04'],
])('reads the release of a package URL of %s with the distro %s', (namespace, distro, release) => {
  expect(findUrlTarget(namespace, distro)).toMatchObject({ distribution: namespace, release });
});

test.each(['debian-12', 'bookworm', 'no-such-name'])(
  'reads no release of Ubuntu from %s',
  (distro) => {
    expect(findUrlTarget('ubuntu', distro)).toBeNull();
  },
);

test.each([
  ['Ubuntu 6.06', 'Ubuntu:6.06:LTS'],
  ['Ubuntu 22.04', 'Ubuntu:22.04:LTS'],
  ['Ubuntu 23.04', 'Ubuntu:23.04'],
  ['Ubuntu 24.10', 'Ubuntu:24.10'],
  ['openSUSE Leap 15.6', 'openSUSE:Leap 15.6'],
  ['Rocky Linux 8', 'Rocky Linux:8'],
  ['Rocky Linux SIG Cloud 8', 'Rocky Linux:8:SIG Cloud'],
  // A group that the catalogue does not know is none of the distribution's either.
  ['Rocky Linux SIG Kernel 9', 'Rocky Linux:9:SIG Kernel'],
])('gives %s the ecosystem %s', (release, ecosystem) => {
  expect(osvEcosystem(release, { pocket: null, version: '1-1' })).toBe(ecosystem);
});
