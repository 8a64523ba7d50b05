import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { PackageIndex } from '@patch/catalogue/parsers/apt-suite.ts';
import { binaryPackages } from '@patch/catalogue/parsers/dpkg-packages.ts';
import { readUpdateinfo } from '@patch/catalogue/parsers/updateinfo.ts';
import { allOf } from '@patch/catalogue/testing/all-of.ts';
import { documentFrom } from '@patch/catalogue/testing/document-from.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { madeStanza } from './packages-generator.ts';
import { madeAdvisory, updateinfoHead, updateinfoTail } from './updateinfo-generator.ts';
import { gzipped, packagesFile, updateinfoFile } from './vendor-files.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vendor-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('advisories are well formed, each with an id of its own, packages, CVEs, and entities that are resolved', async () => {
  const xml =
    updateinfoHead +
    Array.from({ length: 300 }, (_, n) => madeAdvisory(n)).join('') +
    updateinfoTail;
  const readings = await allOf(
    readUpdateinfo(documentFrom('https://bench.example/updateinfo.xml', xml)),
  );
  const advisories = readings.flatMap((reading) => (reading.kind === 'advisory' ? [reading] : []));
  expect(readings).toHaveLength(300);
  expect(new Set(advisories.map(({ id }) => id)).size).toBe(300);
  expect(
    advisories.every(
      ({ packages, references, issued }) =>
        packages.length > 0 && references.length > 0 && issued !== null,
    ),
  ).toBe(true);
  expect(advisories.some(({ modules }) => modules.length > 0)).toBe(true);
  expect(
    advisories.some(({ packages }) => packages.some(({ checksum }) => checksum !== null)),
  ).toBe(true);
  const prose = advisories.map(({ description }) => description).join();
  expect(prose).toContain('Müller’s');
  expect(prose).toContain('"root"');
  expect(prose).not.toMatch(/&(?:amp|lt|quot|#\d+);/);
});

test('stanzas are packages, each of its own', async () => {
  const text = Array.from({ length: 300 }, (_, n) => madeStanza(n)).join('');
  const index = {
    document: documentFrom('https://bench.example/Packages', text),
    component: 'main',
  } as PackageIndex;
  const packages = (await allOf(binaryPackages(index)))
    .flat()
    .flatMap((read) => (read.kind === 'rejection' ? [] : [read]));
  expect(new Set(packages.map(({ name }) => name)).size).toBe(300);
  expect(packages.some(({ description }) => description?.includes('\n') === true)).toBe(true);
  expect(packages.some(({ version, sourceVersion }) => version !== sourceVersion)).toBe(true);
});

test('a record depends on its number alone', () => {
  expect(madeAdvisory(77)).toBe(madeAdvisory(77));
  expect(madeStanza(77)).toBe(madeStanza(77));
});

test('files say truly what is in them, packed or not', async () => {
  const updateinfo = await updateinfoFile(join(folder, 'updateinfo.xml'), 100_000);
  const xml = await readFile(updateinfo.path);
  expect(xml.length).toBe(updateinfo.bytes);
  expect(updateinfo.bytes).toBeGreaterThanOrEqual(100_000);
  expect(xml.toString().match(/<update /g)).toHaveLength(updateinfo.records);

  const packed = await gzipped(updateinfo);
  expect(gunzipSync(await readFile(packed.path)).equals(xml)).toBe(true);
  expect(packed).toEqual({ ...updateinfo, path: `${updateinfo.path}.gz` });

  const index = await packagesFile(join(folder, 'Packages'), 25);
  expect((await readFile(index.path, 'utf8')).match(/^Package: /gm)).toHaveLength(25);
});
