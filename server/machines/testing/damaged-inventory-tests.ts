/** Sends damaged inventories: each gets a reply or a refusal with a message, and none stops the service. */
import { randomBytes } from 'node:crypto';
import { getList } from '@patch/catalogue/lists.ts';
import { type Chance, createChance, pick } from '@patch/catalogue/testing/chance.ts';
import { applyMutation } from '@patch/catalogue/testing/mutations.ts';
import { Assessment, maxInventoryBytes } from '@patch/contract/fleet/assessment-endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { send } from '../../testing/caller.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import {
  erratum,
  machineApp,
  server2022,
  serverUpdate,
  writeKernelAdvisory,
} from './machine-catalogue.ts';

const machines = [
  'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\n4.18.0-513.5.1.el8_9.x86_64\nbash-4.4.20-4.el8.x86_64\nkernel-core-4.18.0-513.5.1.el8_9.x86_64\nnodejs-16.13.1-3.module_el8.5.0+2605+45d748af.x86_64\n',
  'ID=almalinux\nVERSION_ID="9.1"\nbash 0:5.1.8-6.el9 x86_64 (none)\nnodejs 1:16-3.module_el9 x86_64 nodejs:16:9:1\n',
  'ID=debian\nVERSION_ID="11"\nlinux-image-5.10.0-8-amd64 5.10.46-4 amd64 ii  linux-signed-amd64 5.10.46+4\nbash 5.1-2 amd64 ii  bash 5.1-2\n',
  'ID=ubuntu\nVERSION_ID="22.04"\nDesired=Unknown/Install/Remove\nii  libxml2:amd64  2.9.13+dfsg-1ubuntu0.1  amd64  GNOME XML library\nrc  apache2  2.4-1  amd64  server\n',
  server2022,
  'ProductName: macOS\nProductVersion: 14.7.1\nBuildVersion: 23H222\n',
  'Name               Id        Version Source\n-------------------------------------------\n7-Zip 23.01 (x64)  7zip.7zip 23.01   winget\n',
  '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"type":"library","purl":"pkg:rpm/almalinux/bash@4.4.20-4.el8?arch=x86_64&distro=almalinux-8.9"}]}',
  '{"bomFormat":"CycloneDX","specVersion":"1.5","components":[{"type":"library","name":"left-pad","purl":"pkg:npm/left-pad@1.3.0"}]}',
  '[{"HotFixID":"KB5012170","InstalledOn":{"DateTime":"x"}}]',
] as const;

/** Attacks on a shell, a database, a page, a prototype and a terminal. */
const hostile = [
  '$(reboot)',
  '`id`',
  "'; drop table record; --",
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  '\u001B[2J\u0007',
  '\u0000\u202E',
  '../../etc/passwd',
  '%s%n{0}',
  '9'.repeat(400),
  '-'.repeat(300),
] as const;

type Damage = (text: string, chance: Chance) => Buffer;

const damages: readonly Damage[] = [
  (text, chance) => Buffer.from(applyMutation(text, chance).content),
  (text, chance) => Buffer.from(text.slice(0, Math.floor(chance() * text.length))),
  (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  (text, chance) => {
    const wide = Buffer.from(text, 'utf16le');
    return wide.subarray(Math.floor(chance() * 3), wide.length - Math.floor(chance() * 5));
  },
  (text, chance) => Buffer.from(`${text}${pick(machines, chance)}`),
  (text, chance) =>
    Buffer.concat([Buffer.from(text, 'utf16le'), Buffer.from(pick(machines, chance))]),
  (text, chance) =>
    Buffer.from(text.replaceAll(/bash|nodejs|libxml2|7zip/g, () => pick(hostile, chance))),
  (text, chance) => Buffer.from(text.replaceAll(/\d+(?:\.\d+)+/g, () => pick(hostile, chance))),
  (text, chance) =>
    Buffer.from(
      text
        .split('\n')
        .toSorted(() => chance() - 0.5)
        .join(pick(['\n', '\r', '\r\n', '\t', ''], chance)),
    ),
  (text, chance) => {
    const once = Buffer.from(applyMutation(text, chance).content).toString('latin1');
    return Buffer.from(applyMutation(once, chance).content);
  },
];

/** Number of concurrent requests, so that database and reader work at the same time. */
const concurrency = 10;

/** @param count - Number of inventories, a multiple of ten. */
export const testDamagedInventories = (count: number) =>
  describeWithDatabase('damaged inventories', (open) => {
    let app: FastifyInstance;

    beforeAll(async () => {
      const database: Database = await open();
      await writeRecords(database, getList('almalinux_patch'), [
        erratum('ALSA-2024:1', 'Important', [['bash', '6-1']], {
          releases: ['AlmaLinux 8', 'AlmaLinux 9'],
        }),
      ]);
      await writeKernelAdvisory(database);
      await writeRecords(database, getList('patch_repository'), [
        serverUpdate('KB5036909', '10.0.20348.2402'),
      ]);
      app = await machineApp(database);
    });

    const post = (body: Buffer | object) =>
      send(app, 'POST', '/assessments', {
        headers: {
          authorization: 'Apikey test',
          'content-type': Buffer.isBuffer(body) ? 'text/plain' : 'application/json',
        },
        body,
      });

    /** Returns a description of a wrong reply; null for a right one. */
    async function findComplaint(seed: number): Promise<string | null> {
      const chance = createChance(seed);
      const bytes = pick(damages, chance)(pick(machines, chance), chance);
      const files = [{ name: 'machine', text: bytes.toString('latin1') }];
      const { status, json } = await post(seed % 7 === 0 ? { files } : bytes);
      const description = `seed ${seed}: ${status} ${JSON.stringify(json).slice(0, 300)}`;
      if (status === 422) return json['userMessage'] === '' ? description : null;
      if (status !== 200) return description;
      const answer = Assessment.parse(json);
      const commands = [answer.installCommand, ...answer.install.map(({ command }) => command)];
      // A root shell will run the commands: outside quotes, they contain no special characters.
      const safe = /^[\w .+~^:=/-]*(?:'[\w .+~^:=/-]*'[\w .+~^:=/-]*)*$/;
      const isUnsafe = commands.some((command) => command !== null && !safe.test(command));
      const isSilent =
        answer.missing.length + answer.notJudged.length + answer.advice.length === 0 &&
        answer.unreadableLines > 0;
      return isUnsafe || isSilent ? description : null;
    }

    test('get a reply that reports unreadable lines', async () => {
      const complaints: string[] = [];
      for (let seed = 0; seed < count; seed += concurrency) {
        const found = await Promise.all(
          Array.from({ length: concurrency }, (_, offset) => findComplaint(seed + offset)),
        );
        complaints.push(...found.filter((complaint) => complaint !== null));
      }
      expect(complaints).toEqual([]);
    });

    test.each([
      ['letters', () => Buffer.alloc(maxInventoryBytes - 1, 'x')],
      ['lines of one letter', () => Buffer.alloc(maxInventoryBytes - 1, 'x\n')],
      ['opening brackets', () => Buffer.alloc(maxInventoryBytes - 1, '[')],
      ['random bytes', () => randomBytes(maxInventoryBytes - 1)],
      ['packages', () => Buffer.alloc(maxInventoryBytes - 1, 'bash-4.4.20-4.el8.x86_64\n')],
    ])('get a reply to 5 MB of %s', async (_, noise) => {
      const { status, json } = await post(noise());
      expect([200, 413, 422], JSON.stringify(json).slice(0, 300)).toContain(status);
      const isSilent = status === 200 && Assessment.parse(json).advice.length === 0;
      expect(isSilent).toBe(false);
    });
  });
