/** Builds of other repositories must not be judged, and must not hide the distribution's own builds. */
import { expect, it } from 'vitest';
import { isOfOtherRepository } from './other-repositories.ts';
import { buildRecord, formatVerdict, verdict } from './testing/judged-machine.ts';

it.each([
  ['deb', '2.39.2-1.1~bpo11+1'],
  ['deb', '1:2.43.0-0ppa1~ubuntu22.04.1'],
  ['deb', '535.129.03-0ubuntu0~gpu22.04.1'],
  ['deb', '8.1.34-1+0~20250101.1+ubuntu22.04.1+deb.sury.org+1'],
  ['deb', '15.5-1.pgdg120+1'],
  ['deb', '1:10.11.6+maria~deb12'],
  ['deb', '18.19.0-1nodesource1'],
  ['deb', '7.88.1-10+rpt1'],
  ['deb', '252.12-pve1'],
  ['deb', '1.24.0-1~jammy'],
  ['deb', '8.0.35-27-1.bookworm'],
  ['deb', '3.11.6-1+jammy1'],
  ['deb', '8.0.35-1ubuntu22.04'],
  ['deb', '1:6.0.25-1+debian12'],
  ['rpm', '8.2.13-1.el8.remi'],
  ['rpm', '1.24.0-1.el8.ngx'],
  ['rpm', '15.5-1PGDG.rhel8'],
  ['rpm', '4.4.4-150500.1.pm.2'],
] as const)('knows the %s build %s for one of another repository', (format, version) => {
  expect(isOfOtherRepository({ format, version })).toBe(true);
});

it.each([
  ['deb', '1.1.1n-0+deb11u5'],
  ['deb', '5.10.46-4~deb10u1'],
  ['deb', '0.79.5+wheezy2'],
  ['deb', '3.13.0-36.63~precise1'],
  ['deb', '2:1.5.0-1~trusty1'],
  ['deb', '229-4ubuntu21.31'],
  ['deb', '8.0.35-0ubuntu0.22.04.1'],
  ['deb', '1.7.2-0ubuntu1~22.04.1'],
  ['deb', '2.13.6-10'],
  ['deb', '1.3.0.0debian1-4+etch2'],
  ['rpm', '1.1.1k-9.el8_7'],
  ['rpm', '91.8.0-1.el8_5.alma.plus'],
  ['rpm', '4.18.0-425.10.1.el8_7.cloud'],
  ['rpm', '5.3.18-150300.59.49.1'],
] as const)('knows the %s build %s for one of the distribution', (format, version) => {
  expect(isOfOtherRepository({ format, version })).toBe(false);
});

it('judges the distribution’s build beside a newer one of another repository', () => {
  const debian = [
    'ID=debian',
    'VERSION_ID="11"',
    'curl 7.88.1-9~bpo11+2 amd64 ii  curl 7.88.1-9~bpo11+2',
    'curl 7.74.0-1.3+deb11u1 amd64 ii  curl 7.74.0-1.3+deb11u1',
  ].join('\n');
  const fix = buildRecord([{ by: 'source', name: 'curl', version: '7.74.0-1.3+deb11u2' }]);
  expect(formatVerdict(verdict(debian, fix))).toBe(
    'missing: curl 7.74.0-1.3+deb11u1 → 7.74.0-1.3+deb11u2',
  );
  const alma = 'ID=almalinux\nVERSION_ID=8.9\nphp-8.2.13-1.el8.remi.x86_64';
  const php = buildRecord([{ name: 'php', version: '8.3.1-1.el8', architecture: 'x86_64' }]);
  expect(formatVerdict(verdict(alma, php))).toBe('notMissing');
});

it('reads the release of a build without the dot before it', () => {
  const inventory = 'ID=rocky\nVERSION_ID=9.3\nkernel-4.18.0-305.3.1.el9_4.x86_64';
  const cloud = buildRecord([
    { name: 'kernel', version: '4.18.0-425.10.1el8_7.cloud', architecture: 'x86_64' },
  ]);
  expect(formatVerdict(verdict(inventory, cloud))).toBe('notMissing');
  expect(formatVerdict(verdict(inventory.replaceAll('9', '8'), cloud))).toMatch(/^missing/);
});
