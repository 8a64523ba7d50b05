/** What people are told to give instead. */
import { expect, test } from 'vitest';
import { dpkgQuery, inventoryAdvice, rpmQuery } from './inventory-advice.ts';
import { readInventory } from './read-inventory.ts';

const kindsFor = (text: string) =>
  inventoryAdvice(readInventory(text).machine).map(({ kind }) => kind);

test.each([
  ['Dear administrator,\nsee attachment', ['nothingRecognised']],
  ['ID=debian\nVERSION_ID="11"', ['noPackages']],
  ['bash 0:4.4-1.el8 x86_64 (none)', ['noRelease']],
  ['ID=rocky\nVERSION_ID=8\nbash-4.4-1.el8.x86_64', ['noEpochs']],
  ['ID=rocky\nVERSION_ID=8\nnodejs-16-3.module_el8.x86_64', ['noModuleLabels', 'noEpochs']],
  ['ID=rocky\nVERSION_ID=8\nkernel-core 0:4.18-1.el8 x86_64 (none)', ['noKernel']],
  ['ID=debian\nVERSION_ID=11\nbash\t5.1-2', ['noSourcePackages', 'removedPackagesListed']],
  ['ID=debian\nVERSION_ID=11\nbash 5.1-2 amd64 ii  bash 5.1-2', []],
  ['Microsoft Windows [Version 10.0.19045.6456]', ['noProduct', 'noUpdates']],
  ['KB5034441', ['noProduct', 'noRevision']],
  ['ProductName: macOS\nProductVersion: 15.7.5', ['noRelease']],
  ['ProductName: macOS\nProductVersion: 15.7.5\nBuildVersion: 24G624', []],
])('of %j tells %j', (text, kinds) => {
  expect(kindsFor(text)).toEqual(kinds);
});

test('names commands whose output lacks nothing', () => {
  expect(rpmQuery).toBe(
    "rpm -qa --qf '%{NAME} %{EPOCHNUM}:%{VERSION}-%{RELEASE} %{ARCH} %{MODULARITYLABEL}\\n'",
  );
  expect(dpkgQuery).toContain('${source:Package} ${source:Version}\\n');
  const printed = 'nodejs 1:16.20.2-3.module_el8.8.0 x86_64 nodejs:16:8080:63b3';
  expect(kindsFor(`ID=almalinux\nVERSION_ID=8.9\n${rpmQuery}\n${printed}`)).toEqual([]);
});
