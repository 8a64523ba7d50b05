/** Ansible itself reads, judges and runs the playbook of a plan. */
import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { playbookOfPlan } from './plan-playbook.ts';
import { buildPlan, hostilePlan } from './testing/hostile-plan.ts';

const missing = ['ansible-playbook', 'ansible-lint'].filter(
  (tool) => spawnSync(tool, ['--version']).error !== undefined,
);

let folder = '';
const inFolder = (name: string) => join(folder, name);

/** Programs that install write down how they were called. */
beforeAll(async () => {
  if (missing.length > 0)
    throw new Error(
      `This test needs ${missing.join(', ')}. Install them: apt-get install ansible ansible-lint`,
    );
  folder = await mkdtemp(join(tmpdir(), 'plan-playbook-'));
  for (const name of ['dnf', 'zypper', 'owned']) {
    const code = name === 'zypper' ? '[ "$(grep -c ^zypper "$CALLED")" -gt 1 ] || exit 103' : '';
    await writeFile(inFolder(name), `#!/bin/sh\necho "${name} $*" >>"$CALLED"\n${code}\n`);
    await chmod(inFolder(name), 0o755);
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns exit code and output. */
async function call(tool: string, args: readonly string[]) {
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    CALLED: inFolder('called'),
    ANSIBLE_NOCOLOR: '1',
    ANSIBLE_LOCALHOST_WARNING: 'false',
  };
  const options = { cwd: folder, env, timeout: 300_000 };
  const ended = await promisify(execFile)(tool, args, options).catch(
    (failure: { readonly code: number; readonly stdout: string; readonly stderr: string }) =>
      failure,
  );
  return { code: 'code' in ended ? ended.code : 0, output: `${ended.stdout}${ended.stderr}` };
}

const write = (text: string) => writeFile(inFolder('playbook.yml'), text);
const lint = () =>
  call('ansible-lint', ['--offline', '--nocolor', '-p', '--profile=production', 'playbook.yml']);

test.each([
  ['a task of every manager', hostilePlan],
  ['nothing', buildPlan([])],
])(
  'is clean for ansible-playbook and the strictest profile of ansible-lint with %s',
  async (_, plan) => {
    await write(playbookOfPlan(plan));
    const read = await call('ansible-playbook', [
      '--syntax-check',
      '-i',
      'alma-1,',
      'playbook.yml',
    ]);
    expect(read, read.output).toMatchObject({ code: 0 });
    expect(read.output).not.toContain('ERROR');
    const judged = await lint();
    expect(judged, judged.output).toMatchObject({ code: 0 });
  },
);

test('is not clean where the playbook has a fault', async () => {
  await write(playbookOfPlan(hostilePlan).replace('          changed_when: false\n', ''));
  expect((await lint()).output).toContain('no-changed-when');
});

/** Machines that are this one, with a group of the name of a host. */
const inventory = `[all:vars]
ansible_connection=local
ansible_become=false
[machines]
alma-1
alma-2
alma-3
leap
away ansible_connection=ssh ansible_host=127.0.0.1 ansible_port=1
[esac]
victim
`;

/** Runs the playbook for all machines of the inventory, on a machine of this release. */
async function run(release: string, plan = hostilePlan) {
  await writeFile(inFolder('called'), '');
  await writeFile(inFolder('inventory'), inventory);
  await writeFile(inFolder('os-release'), release);
  await write(playbookOfPlan(plan).replaceAll('/etc/os-release', inFolder('os-release')));
  const ended = await call('ansible-playbook', ['-i', 'inventory', 'playbook.yml']);
  return {
    ...ended,
    called: (await readFile(inFolder('called'), 'utf8')).split('\n').slice(0, -1),
  };
}

const many = Array.from({ length: 40 }, (_, at) => `--advisory=ALSA-2025:${1000 + at}`).join(' ');

test('installs on each host what the plan has for it, in the order of the plan', async () => {
  const { called, output } = await run('ID="almalinux"\nVERSION_ID="9.4"\n');
  expect(called, output).toEqual([
    `dnf -y --refresh upgrade ${many}`,
    `dnf -y --refresh upgrade ${many}`,
    'dnf -y --refresh upgrade --advisory=ALSA-2025:7',
  ]);
});

test('goes on where no host of a play has the release, and calls zypper again where it raised itself', async () => {
  const { called, code, output } = await run('ID="opensuse-leap"\nVERSION_ID="15.6"\n');
  const zypper =
    'zypper --non-interactive --non-interactive-include-reboot-patches install --type patch openSUSE-SLE-15.6-2025-1';
  expect(called, output).toEqual([zypper, zypper]);
  expect(code).toBe(2);
  expect(output).toMatch(/^alma-1 .*failed=1/m);
  expect(output).toMatch(/^leap .*failed=0/m);
});

test('goes on where no host of a play is reached', async () => {
  const dnf = { system: 'AlmaLinux 9', manager: 'dnf' } as const;
  const [away, here] = ['dnf upgrade --advisory=A-1', 'dnf upgrade --advisory=A-2'];
  const plan = buildPlan([
    { ...dnf, command: away, on: { away: 'open' } },
    { ...dnf, command: here, on: { 'alma-1': 'open' } },
  ]);
  const { called, code, output } = await run('ID="almalinux"\nVERSION_ID="9.4"\n', plan);
  expect(called, output).toEqual(['dnf -y --refresh upgrade --advisory=A-2']);
  expect(code).toBe(2);
  expect(output).toMatch(/^away .*failed=1/m);
});

test('installs nothing where the machines have another release', async () => {
  const { called, code, output } = await run('ID="almalinux"\nVERSION_ID="8.9"\n');
  expect({ called, code }, output).toEqual({ called: [], code: 2 });
  expect(output).toMatch(/^alma-1 .*failed=1/m);
});
