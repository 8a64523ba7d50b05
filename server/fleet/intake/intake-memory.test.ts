import type { InstalledPackage, Machine } from '@patch/catalogue/machines/machine.ts';
import { expect, test } from 'vitest';
import { IntakeMemory } from './intake-memory.ts';

const openssl: InstalledPackage = {
  format: 'deb',
  name: 'openssl',
  version: '3.0.11-1',
  epoch: null,
  architecture: 'amd64',
  module: { kind: 'none' },
  source: null,
  stateKnown: true,
};

const machineWith = (...packages: readonly InstalledPackage[]): Machine => ({
  platform: 'linux',
  distribution: 'debian',
  release: '12',
  architecture: 'amd64',
  kernel: null,
  build: null,
  packages,
  kbs: [],
  applications: [],
});

test('distinguishes a cut version from an equal complete one', () => {
  const memory = new IntakeMemory();
  const read = (one: InstalledPackage) => memory.hashedParts(machineWith(one))[0];
  const [complete, cut] = [read(openssl), read({ ...openssl, cut: true })];
  expect(complete?.part.machine.packages).toEqual([openssl]);
  expect(cut?.part.machine.packages).toEqual([{ ...openssl, cut: true }]);
  expect(cut?.hash).not.toBe(complete?.hash);
});

test('returns the same part for equal packages of several machines', () => {
  const memory = new IntakeMemory();
  const [first] = memory.hashedParts(machineWith({ ...openssl }));
  const [second] = memory.hashedParts(machineWith({ ...openssl }));
  expect(second).toBe(first);
});
