import { expect, test } from 'vitest';
import { ubuntuReleaseName } from './ubuntu-releases.ts';

test.each([
  ['jammy', '22.04', 'Ubuntu 22.04 LTS'],
  ['questing', '25.10', 'Ubuntu 25.10'],
  ['plucky', '25.04', 'Ubuntu 25.04'],
  ['dapper', '6.06', 'Ubuntu 6.06 LTS'],
  ['dapper', null, 'Ubuntu 6.06 LTS'],
  ['hardy', '8.04', 'Ubuntu 8.04 LTS'],
  ['warty', null, 'Ubuntu 4.10'],
  ['resolute', null, 'Ubuntu 26.04 LTS'],
  ['brand-new', '30.04', 'Ubuntu 30.04 LTS'],
  ['brand-new', null, 'Ubuntu brand-new'],
  ['constructor', null, 'Ubuntu constructor'],
])('%s %s is %s', (codename, version, name) => {
  expect(ubuntuReleaseName(codename, version)).toBe(name);
});
