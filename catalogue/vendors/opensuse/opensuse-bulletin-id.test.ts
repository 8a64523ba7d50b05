import { expect, test } from 'vitest';
import { deriveBulletinId } from './opensuse-feed.ts';

test.each([
  ['openSUSE-2024-137', 'security', 'openSUSE-SU-2024:0137-1'],
  ['openSUSE-2022-10016', 'security', 'openSUSE-SU-2022:10016-1'],
  ['openSUSE-SLE-15.5-2024-91', 'security', 'SUSE-SU-2024:0091-1'],
  ['SUSE-2024-91', 'recommended', 'SUSE-RU-2024:0091-1'],
  ['SUSE-2024-91', 'optional', 'SUSE-OU-2024:0091-1'],
  ['SUSE-2024-91', 'feature', 'SUSE-FU-2024:0091-1'],
  ['SUSE-2024-91', 'anything', 'SUSE-OU-2024:0091-1'],
  ['xorg-x11-Xvnc', 'security', 'xorg-x11-Xvnc'],
  ['Update-ID', null, 'Update-ID'],
])('derives the bulletin id of %s of type %s', (patch, type, id) => {
  expect(deriveBulletinId(patch, type)).toBe(id);
});
