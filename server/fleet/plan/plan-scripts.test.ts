/** Runs the shell script of a plan for real, and reads its playbook and its PowerShell: what runs where, and that words of others never do. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plan } from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { playbookOfPlan } from './plan-playbook.ts';
import { powershellOfPlan } from './plan-powershell.ts';
import { shellOfPlan } from './plan-shell.ts';
import { buildPlan, hostilePlan, noHosts, oddHosts } from './testing/hostile-plan.ts';

const present = ({ program, option }: { readonly program: string; readonly option: string }) =>
  spawnSync(program, [option, 'exit 0']).error === undefined;
const shells = ['sh', 'dash', 'bash', 'busybox'].filter((program) =>
  present({ program, option: program === 'busybox' ? 'true' : '-c' }),
);

const installers = ['dnf', 'yum', 'apt-get', 'zypper', 'softwareupdate', 'owned', 'rm'];

let folder = '';
const inFolder = (name: string) => join(folder, name);

/** Each installer writes down how it was called, and ends with the code that CODES has for its call of that number. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plan-scripts-'));
  const bodies = installers.map((name): [string, string] => [
    name,
    `echo "${name} $*" >>"$CALLED"\nset -- $CODES\nat=$(grep -c '^${name} ' "$CALLED")\neval "exit \\\${$at:-0}"`,
  ]);
  const uname = `case $1 in -n) printf '%s\\n' "$NODE" ;; *) echo "$SYSTEM" ;; esac`;
  for (const [name, body] of [...bodies, ['uname', uname] as const]) {
    await writeFile(inFolder(name), `#!/bin/sh\n${body}\n`);
    await chmod(inFolder(name), 0o755);
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Machine {
  readonly host: string;
  /** Lines of os-release; null for a Mac. */
  readonly release: string | null;
  /** Exit codes of the calls of an installer, one after the other; afterwards 0. */
  readonly codes?: readonly number[];
  /** Of /etc/machine-id. */
  readonly identifier?: string;
}

/** Runs the script of the plan as the machine. */
async function run(
  { host, release, codes = [], identifier = '' }: Machine,
  shell = 'sh',
  plan = hostilePlan,
) {
  const [called, path, file] = [inFolder('called'), inFolder('os-release'), inFolder('plan.sh')];
  await writeFile(called, '');
  await rm(path, { force: true });
  if (release !== null) await writeFile(path, release);
  await writeFile(inFolder('machine-id'), `${identifier}\n`);
  const script = shellOfPlan(plan)
    .replaceAll('/etc/os-release', path)
    .replaceAll('/etc/machine-id', inFolder('machine-id'));
  await writeFile(file, script);
  const env = {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    NODE: host,
    SYSTEM: release === null ? 'Darwin' : 'Linux',
    CALLED: called,
    CODES: codes.join(' '),
  };
  const words = shell === 'busybox' ? ['sh', file] : [file];
  const { status, stdout, stderr } = spawnSync(shell, words, { env, encoding: 'utf8' });
  const calls = (await readFile(called, 'utf8')).split('\n').slice(0, -1);
  return { code: status, stdout, stderr, called: calls };
}

const alma = 'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="9.4"\n';
const many = Array.from({ length: 40 }, (_, at) => `--advisory=ALSA-2025:${1000 + at}`).join(' ');
const apt =
  'apt-get -y -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold install';
const zypper =
  'zypper --non-interactive --non-interactive-include-reboot-patches install --type patch openSUSE-SLE-15.6-2025-1';

/** The release of each host, and the commands that the script calls there. */
const machines: readonly (readonly [host: string, release: string | null, string[]])[] = [
  [
    'alma-1',
    alma,
    [`dnf -y --refresh upgrade ${many}`, 'dnf -y --refresh upgrade --advisory=ALSA-2025:7'],
  ],
  ['alma-2', alma, [`dnf -y --refresh upgrade ${many}`]],
  ['esac', alma, ['dnf -y --refresh upgrade --advisory=ALSA-2025:7']],
  ['oracle', 'ID="ol"\nVERSION_ID="7.9"\n', ['yum -y update --advisory=ELSA-2025-1']],
  [
    'debian.example.com',
    'ID=debian\nVERSION_ID="12"\n',
    ['apt-get update', `${apt} libc6=2.36-9+deb12u9 vim=2:9.0~1`],
  ],
  ['leap', 'ID="opensuse-leap"\nVERSION_ID="15.6"\n', [zypper]],
  ['mac.local', null, ['softwareupdate --fetch-full-installer --full-installer-version 15.6']],
];

test.each(shells)('%s installs what the plan has for the host, and nothing else', async (shell) => {
  for (const [host, release, expected] of machines) {
    const { called, code, stdout } = await run({ host, release }, shell);
    expect({ host, called, code, stdout }).toEqual({ host, called: expected, code: 0, stdout: '' });
  }
});

test.each(['alma-3', 'alma-4', 'alma-5', 'alma', 'ALMA-1', 'WIN-1', '*', ...noHosts])(
  'does nothing on the host %j, which has nothing left',
  async (name) => {
    // The environment cannot hold U+0000, and $(…) takes the last newlines.
    const host = name.replaceAll('\u0000', '').trimEnd();
    const ended = await run({ host, release: alma });
    expect(ended).toMatchObject({ code: 0, called: [], stderr: '' });
    expect(ended.stdout).toBe(`The plan has nothing for ${host}\n`);
  },
);

test.each([
  ['alma-1', 'ID="almalinux"\nVERSION_ID="8.9"\n'],
  ['alma-1', 'ID="almalinux"\nVERSION_ID="90"\n'],
  ['alma-1', 'ID="rocky"\nVERSION_ID="9.4"\n'],
  ['alma-1', 'ID="almalinux"\n'],
  ['alma-1', null],
  ['debian.example.com', 'ID=debian\nVERSION_ID="1"\n'],
  ['mac.local', alma],
  ['ubuntu', 'ID=ubuntu\nVERSION_ID="22.04"\n'],
])('installs nothing when %s has the release %j', async (host, release) => {
  const { code, called, stderr } = await run({ host, release });
  expect({ code, called }).toEqual({ code: 1, called: [] });
  expect(stderr).toMatch(`${host} has `);
});

test.each(shells)('%s goes on after a task that failed, and ends with an error', async (shell) => {
  for (const [codes, failed] of [
    [[3], '1'],
    [[0, 3], '2'],
    [[3, 4], '1 2'],
  ] as const) {
    const machine = { host: 'alma-1', release: alma, codes };
    const { code, called, stderr } = await run(machine, shell);
    expect({ code, calls: called.length }).toEqual({ code: 1, calls: 2 });
    expect(stderr.split('\n').at(-2)).toBe(`Tasks that failed: ${failed}`);
  }
});

test.each([
  [[102], 0, 1],
  [[103, 0], 0, 2],
  [[103, 104], 1, 2],
  [[103, 103], 0, 2],
  [[104], 1, 1],
])(
  'knows what zypper says about restarts: exit codes %j are %i after %i calls',
  async (codes, expected, calls) => {
    const release = 'ID="opensuse-leap"\nVERSION_ID="15.6"\n';
    const machine = { host: 'leap', release, codes };
    const { code, called } = await run(machine);
    expect({ code, calls: called.length }).toEqual({ code: expected, calls });
  },
);

test('installs with the indexes that apt has where some cannot be read', async () => {
  const release = 'ID=debian\nVERSION_ID="12"\n';
  const machine = { host: 'debian.example.com', release, codes: [100] };
  const { code, called } = await run(machine);
  expect({ code, calls: called.length }).toEqual({ code: 0, calls: 2 });
});

test('says on a host without a command that none installs it', async () => {
  const { code, called, stderr } = await run({
    host: 'slack',
    release: 'ID=slackware\nVERSION_ID="15.0"\n',
  });
  expect({ code, called, stderr }).toEqual({
    code: 0,
    called: [],
    stderr: 'No command installs this; see the plan\n',
  });
});

test.runIf(present({ program: 'shellcheck', option: '--version' }))(
  'has nothing that shellcheck warns of',
  async () => {
    for (const plan of [hostilePlan, buildPlan([]), planOfTwins('dnf', true)]) {
      const file = inFolder('plan.sh');
      await writeFile(file, shellOfPlan(plan));
      const { stdout } = spawnSync('shellcheck', ['-s', 'sh', file], { encoding: 'utf8' });
      expect(stdout).toBe('');
    }
  },
);

const Step = z.looseObject({ name: z.string() });
const Tried = z.strictObject({
  name: z.string(),
  block: z.array(Step),
  rescue: z.tuple([
    z.looseObject({
      'ansible.builtin.set_fact': z.strictObject({ patch_failed: z.literal(true) }),
    }),
  ]),
});
const Play = z.strictObject({
  name: z.string(),
  hosts: z.array(z.string()),
  gather_facts: z.literal(false),
  become: z.literal(true).optional(),
  vars: z.strictObject({ patch_hosts: z.array(z.string()) }),
  tasks: z.tuple([Step, z.union([Tried, Step])]),
});
const LastPlay = z.strictObject({
  name: z.literal('Say where the plan failed'),
  hosts: z.array(z.string()),
  gather_facts: z.literal(false),
  tasks: z.tuple([z.looseObject({ when: z.literal('patch_failed | default(false)') })]),
});

/** Returns the plays of the tasks. */
function playsOf(text: string): readonly z.infer<typeof Play>[] {
  const all = z.array(z.unknown()).parse(parse(text));
  const plays = z.array(Play).parse(all.slice(0, -1));
  const { hosts } = LastPlay.parse(all.at(-1));
  expect(hosts).toEqual([...new Set(plays.flatMap((play) => play.hosts))]);
  return plays;
}

/** Returns what is done after the machine was reached. */
function stepsOf({ tasks: [, tried] }: z.infer<typeof Play>): readonly z.infer<typeof Step>[] {
  const known = Tried.safeParse(tried);
  if (!known.success) return [Step.parse(tried)];
  const [reach, ...steps] = known.data.block;
  expect(reach).toMatchObject({ 'ansible.builtin.wait_for_connection': { timeout: 30 } });
  return steps;
}

test('has a play for each task, in the order of the plan, on its hosts alone', () => {
  const plays = playsOf(playbookOfPlan(hostilePlan));
  expect(plays.map(({ hosts }) => hosts)).toEqual([
    ['alma-1', 'alma-2'],
    ['alma-1', ...oddHosts],
    ['oracle'],
    ['debian.example.com'],
    ['leap'],
    ['mac.local'],
    ['WIN-1'],
    ['WIN-2'],
    ['WIN-1'],
    ['WIN-3'],
    ['alma-2'],
    ['slack'],
    ['ubuntu'],
  ]);
  for (const { hosts, vars, tasks } of plays) {
    expect(vars.patch_hosts).toEqual(hosts);
    expect(tasks[0]).toMatchObject({
      'ansible.builtin.meta': 'end_host',
      when: 'inventory_hostname not in patch_hosts or patch_failed | default(false)',
    });
  }
});

test('installs as the plan says, after a check of the release', () => {
  const plays = playsOf(playbookOfPlan(hostilePlan));
  const done = plays.map((play) =>
    stepsOf(play).map((task) => {
      const [module = ''] = Object.keys(task).filter((key) => key.includes('.'));
      return [module.split('.').at(-1), task[module]];
    }),
  );
  const check = (id: string, release: string) => [
    'shell',
    `. /etc/os-release\n[ "$ID" = ${id} ] || exit 1\ncase $VERSION_ID in ${release}) ;; ${release}.*) ;; *) exit 1 ;; esac\n`,
  ];
  const argv = (text: string) => ['command', { argv: text.split(' ') }];
  const aptStep = (...name: string[]) => ['apt', { name, update_cache: true }];
  const byHand = ['debug', { msg: 'Install it by hand' }];
  expect(done).toEqual([
    [check('almalinux', '9'), argv(`dnf -y --refresh upgrade ${many}`), ['reboot', null]],
    [check('almalinux', '9'), argv('dnf -y --refresh upgrade --advisory=ALSA-2025:7')],
    [check('ol', '7'), argv('yum -y update --advisory=ELSA-2025-1')],
    [check('debian', '12'), aptStep('libc6=2.36-9+deb12u9', 'vim=2:9.0~1'), ['reboot', null]],
    [check('opensuse-leap', '15.6'), argv(zypper)],
    [
      ['shell', '[ "$(uname -s)" = Darwin ]\n'],
      argv('softwareupdate --fetch-full-installer --full-installer-version 15.6'),
      ['reboot', null],
    ],
    [
      ['win_updates', { category_names: ['*'], accept_list: ['KB5034441', 'KB5034122'] }],
      ['win_reboot', null],
    ],
    [byHand],
    [
      [
        'win_powershell',
        {
          script:
            "$quiet = '--silent', '--accept-package-agreements', '--accept-source-agreements'\n" +
            "winget upgrade --id 'Mozilla.Firefox' --exact --version '140.0' @quiet\n" +
            "winget upgrade --id '7zip.7zip' --exact --version '24.9' @quiet\n",
        },
      ],
    ],
    [byHand],
    [byHand],
    [byHand],
    [check('ubuntu', 'unknown'), aptStep('vim=2')],
  ]);
});

test('has no template of Ansible, and hostile words in names of plays and steps alone', () => {
  const text = playbookOfPlan(hostilePlan);
  expect(text.split('\n').filter((line) => /\{[{%#]/.test(line) && !/^\s*#/.test(line))).toEqual(
    [],
  );
  const plays = playsOf(text);
  expect(plays[0]?.name).toMatch(/^Update AlmaLinux 9: /);
  const words = plays.map((play) => [
    play.hosts,
    play.vars,
    stepsOf(play).map(({ name: _name, ...rest }) => rest),
  ]);
  expect(JSON.stringify(words)).not.toMatch(/owned|lookup/);
});

test('has a play also when nothing is left, or no machine is a host', () => {
  const onNoHost = { system: 'Debian 12', manager: 'apt', command: 'apt-get install x=1' } as const;
  for (const tasks of [[], [{ ...onNoHost, on: { 'a b': 'open' as const } }]]) {
    const plays = parse(playbookOfPlan(buildPlan(tasks)));
    expect(plays).toMatchObject([{ tasks: [{ 'ansible.builtin.debug': expect.anything() }] }]);
  }
});

test('names machines that are no hosts in comments', () => {
  for (const write of [playbookOfPlan, shellOfPlan, powershellOfPlan])
    expect(write(hostilePlan).split(/\r?\n/)).toContain(
      "# Not included, its name is not that of a host: ';rm -rf /",
    );
});

const identifiers = ['0123456789abcdef0123456789abcdef', 'f'.repeat(32)];
/** As patch-report makes the key. */
const keyOf = (identifier = '') =>
  createHash('sha256').update(`patch-report ${identifier}`).digest('hex').slice(0, 32);

/** Two machines of each manager with one name: the key tells the first, and not the second when `isTold` is false. */
function planOfTwins(manager: 'dnf' | 'winget', isTold: boolean): Plan {
  const command = manager === 'dnf' ? 'dnf upgrade --advisory=A:' : "winget upgrade --id 'A.";
  const end = manager === 'dnf' ? '' : "'";
  const system = manager === 'dnf' ? 'AlmaLinux 9' : 'Applications';
  const plan = buildPlan(
    [0, 1].map((at) => ({
      system,
      manager,
      command: `${command}${at}${end}`,
      on: { [`web-${at}`]: 'open', [`other-${at}`]: 'open' },
    })),
    'Twins',
  );
  const twins = plan.names.filter(({ name }) => name.startsWith('web'));
  return {
    ...plan,
    names: plan.names.map((one) => (twins.includes(one) ? { ...one, name: 'web' } : one)),
    sameNames: twins.map(({ id }, at) => ({
      id,
      name: 'web',
      key: at === 0 || isTold ? keyOf(identifiers[at]) : null,
    })),
  };
}

test.each(shells)(
  '%s installs what the plan has for the machine of two with one name',
  async (shell) => {
    for (const isTold of [true, false]) {
      const plan = planOfTwins('dnf', isTold);
      const twin = (identifier: string) =>
        run({ host: 'web', release: alma, identifier }, shell, plan);
      const command = 'dnf -y --refresh upgrade --advisory=A:';
      const told = isTold ? identifiers : identifiers.slice(0, 1);
      for (const [at, identifier] of told.entries())
        expect(await twin(identifier)).toMatchObject({ code: 0, called: [`${command}${at}`] });
      for (const other of [...identifiers.slice(told.length), 'e'.repeat(32), '']) {
        const { code, called, stderr } = await twin(other);
        expect({ code, called }).toEqual({ code: 1, called: [] });
        expect(stderr).toMatch(/^Several machines have this name/);
      }
      const { called } = await run({ host: 'other-1', release: alma }, shell, plan);
      expect(called).toEqual([`${command}1`]);
    }
  },
);

test('has machines with one name in PowerShell under their keys, and in no playbook', () => {
  const lines = powershellOfPlan(planOfTwins('winget', false)).split('\r\n');
  const keyed = `'web ${keyOf(identifiers[0])}'`;
  expect(lines.filter((line) => line.includes("'web"))).toEqual([
    "if (@('web') -contains $machine) {",
    `  if (@(${keyed}) -notcontains $machine) {`,
    `if (@(${keyed}, 'other-0') -contains $machine) {`,
  ]);
  const why = 'another machine has its name, and its key is not one of patch-report';
  expect(lines).toContain(`# Not included, ${why}: web`);
  for (const manager of ['dnf', 'winget'] as const) {
    const text = playbookOfPlan(planOfTwins(manager, true));
    expect(playsOf(text).map(({ hosts }) => hosts)).toEqual([['other-0'], ['other-1']]);
    expect(text).toContain('# Not included, another machine has its name: web\n');
  }
});

test('has each task of Windows in PowerShell under its own machines, and no word of others outside of comments', () => {
  const lines = powershellOfPlan(hostilePlan).split('\r\n');
  const code = lines.filter((line) => !line.startsWith('#'));
  expect(code.join('\n')).not.toMatch(/owned|[\r\u0085\u2028\u2018-\u201B]/);
  const blocks = [
    ...code.join('\n').matchAll(/^if \(@\((.*)\) -contains \$machine\) \{\n([^]*?)\n\}$/gm),
  ].map(([, hosts, body]) => [hosts, body?.split('\n').map((line) => line.trim())]);
  expect(blocks).toEqual([
    ["'WIN-1'", ["Invoke-Task 7 { Install-Update 'KB5034441', 'KB5034122' }"]],
    ["'WIN-2'", ["Invoke-Task 8 { Write-Warning 'No KB; see the plan' }"]],
    [
      "'WIN-1'",
      [
        "Invoke-Task 9 { winget upgrade --id 'Mozilla.Firefox' --exact --version '140.0' @quiet }",
        "Invoke-Task 9 { winget upgrade --id '7zip.7zip' --exact --version '24.9' @quiet }",
      ],
    ],
    ["'WIN-3'", ["Invoke-Task 10 { Write-Warning 'No command installs this; see the plan' }"]],
  ]);
  expect(lines.slice(-5)).toEqual([
    'if ($failed) {',
    `  Write-Warning "Tasks that failed: $(@($failed | Sort-Object -Unique) -join ' ')"`,
    '  exit 1',
    '}',
    '',
  ]);
  for (const line of code) expect((line.match(/'/g) ?? []).length % 2).toBe(0);
  expect(code.filter((line) => line.includes('$quiet'))).toHaveLength(1);
});
