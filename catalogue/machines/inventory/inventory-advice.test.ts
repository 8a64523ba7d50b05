/** Tests the advice about incomplete inventories. */
import { expect, test } from 'vitest';
import { dpkgQuery, inventoryAdvice, rpmQuery } from './inventory-advice.ts';
import { readInventory } from './read-inventory.ts';

const kindsFor = (text: string) => inventoryAdvice(readInventory(text)).map(({ kind }) => kind);

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
])('advises on %j with %j', (text, kinds) => {
  expect(kindsFor(text)).toEqual(kinds);
});

const machine = 'ID=almalinux\nVERSION_ID="8.9"\nbash 0:4.4.20-4.el8 x86_64 (none)\n';
const application = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components: [{ type: 'library', name: 'left-pad', purl: 'pkg:npm/left-pad@1.3.0' }],
});

/** Each text says what was read, and what to provide instead. */
test.each([
  ['an unknown format', 'lorem ipsum\n', 'Paste the output of rpm -qa or dpkg-query -W'],
  ['two machines', `${machine}ii  bash  5.1-2  amd64  shell\n`, 'Check one machine at a time.'],
  [
    'Linux and Windows',
    `${machine}Microsoft Windows [Version 10.0.20348.1]\n`,
    'Check one machine at a time.',
  ],
  ['two releases', `${machine}VERSION_ID="9.1"\n`, 'the first one was used'],
  ['a paste that was cut off', `${machine}openssl-li`, 'Provide the complete output'],
  ['JSON that was cut off', application.slice(0, -9), 'Provide the complete file.'],
  ['an SBOM of an application', application, 'describes an application and not a machine'],
  ['a wrong encoding', `${machine}b\uFFFDsh\n`, 'Save the output as UTF-8 or UTF-16'],
  [
    'hostile names',
    `${machine}$(reboot)-1-1.el8.x86_64\n`,
    'invalid package names or versions were left out',
  ],
  [
    'versions that are none',
    `${machine}curl-..-...x86_64\n`,
    'invalid package names or versions were left out',
  ],
  ['other text', `${machine}Dear administrator,\n`, '1 line was not read, the others were.'],
  ['noise', `${machine}${'x\n'.repeat(100_001)}`, 'Only the first 100,000 lines were read.'],
])('advises what to provide instead of %s', (_, text, words) => {
  const sentences = inventoryAdvice(readInventory(text)).map((one) => one.text);
  expect(sentences.join(' ')).toContain(words);
});

test('gives no such advice for a complete inventory', () => {
  expect(inventoryAdvice(readInventory(machine))).toEqual([]);
  expect(readInventory(machine).troubles).toEqual([]);
});

test('recommends commands whose output is complete', () => {
  expect(rpmQuery).toBe(
    "rpm -qa --qf '%{NAME} %{EPOCHNUM}:%{VERSION}-%{RELEASE} %{ARCH} %{MODULARITYLABEL}\\n'",
  );
  expect(dpkgQuery).toContain('${source:Package} ${source:Version}\\n');
  const printed = 'nodejs 1:16.20.2-3.module_el8.8.0 x86_64 nodejs:16:8080:63b3';
  expect(kindsFor(`ID=almalinux\nVERSION_ID=8.9\n${rpmQuery}\n${printed}`)).toEqual([]);
});
