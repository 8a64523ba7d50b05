/**
 * Writes plans as scripts: an Ansible playbook, a shell script and a PowerShell script. They install on each machine what is left of the
 * plan there, after a check that it has the release of the task. Vendors' and machines' words are data in them, never code.
 */
import { machineOfRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import type { Plan, PlanTask, TaskState } from '@patch/contract/machine-plan-endpoints.ts';

/** Names in the form of hosts; others are listed as comments. */
const hostForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

const toInstall: readonly TaskState[] = ['open', 'scheduled', 'waiting', 'failed'];

/** A task and the hosts on which it is to be installed. */
export interface ScriptTask {
  readonly task: PlanTask;
  readonly hosts: readonly string[];
  /** Machines whose names cannot be hosts. */
  readonly others: readonly string[];
}

/** Returns the tasks with machines on which something is left. */
export function scriptTasks({
  tasks,
  names,
}: Pick<Plan, 'tasks' | 'names'>): readonly ScriptTask[] {
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return tasks.flatMap((task): ScriptTask[] => {
    const left = task.machines.filter(({ state }) => toInstall.includes(state));
    const all = [...new Set(left.map(({ id }) => nameOf.get(id) ?? `#${id}`))];
    if (all.length === 0) return [];
    const hosts = all.filter((name) => hostForm.test(name));
    return [{ task, hosts, others: all.filter((name) => !hostForm.test(name)) }];
  });
}

/** A line of words that cannot end a comment. */
export const commentLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

const titleOf = ({ task }: ScriptTask): string => {
  const named = task.updates.map(({ identifier, title }) => identifier ?? title ?? '');
  const shown = named.slice(0, 5).join(', ');
  return commentLine(
    `${task.system}: ${shown}${named.length > 5 ? ` and ${named.length - 5} more` : ''}`,
  );
};

const headOf = ({ name, createdAt }: Plan): readonly string[] => [
  `# Plan ${commentLine(name)}, made on ${new Date(createdAt).toISOString().slice(0, 10)}. Read it before you run it.`,
  '# Machines on which a task is done are left out.',
];

const othersOf = ({ others }: ScriptTask, indent = ''): readonly string[] =>
  others.map(
    (name) => `${indent}# Not included, its name is not that of a host: ${commentLine(name)}`,
  );

const restartOf = ({ task: { restart } }: ScriptTask): readonly string[] =>
  restart === null ? [] : [`# Afterwards: ${commentLine(restart)}`];

/** JSON strings are YAML strings. Braces would be a template of Ansible. */
const yamlText = (text: string): string =>
  JSON.stringify(text.replaceAll('{{', '{ {').replaceAll('{%', '{ %'));

const unattended: Readonly<
  Partial<Record<NonNullable<PlanTask['manager']>, readonly [string, string]>>
> = {
  apt: ['apt-get install', 'apt-get -y install'],
  dnf: ['dnf upgrade', 'dnf -y upgrade'],
  yum: ['yum update', 'yum -y update'],
  zypper: ['zypper install', 'zypper --non-interactive install'],
};

/** Returns the command of a task without questions; null without one. */
function commandOf({ task: { command, manager } }: ScriptTask): string | null {
  if (command === null || manager === null) return null;
  const [asked, silent] = unattended[manager] ?? ['', ''];
  return asked === '' ? command : command.replace(asked, silent);
}

const kbsOf = ({ task: { updates } }: ScriptTask): readonly string[] =>
  updates.flatMap(({ identifier }) => /^KB\d{4,10}$/.exec(identifier ?? '')?.[0] ?? []);

/** Returns ID and version of os-release of the task's machines; null for other systems than Linux. */
const releaseOf = ({ task: { system } }: ScriptTask) => machineOfRelease(system);

const versionPattern = (release: string) => `${release}|${release}.*`;

export function playbookOfPlan(plan: Plan): string {
  const plays = scriptTasks(plan).flatMap((one) =>
    one.hosts.length === 0 ? othersOf(one) : playOf(one),
  );
  return `${['---', ...headOf(plan), ...playbookNotes, ...(plays.length === 0 ? ['[]'] : plays)].join('\n')}\n`;
}

const playbookNotes = [
  '# Restarts: ansible-playbook -e patch_restart=true playbook.yml. Windows needs the collection ansible.windows.',
];

function playOf(one: ScriptTask): readonly string[] {
  const isWindows = ['windowsUpdate', 'winget'].includes(one.task.manager ?? '');
  const steps = isWindows ? windowsSteps(one) : [...checkStep(one), ...unixSteps(one)];
  return [
    '',
    ...othersOf(one),
    ...restartOf(one),
    `- name: ${yamlText(titleOf(one))}`,
    '  hosts:',
    ...one.hosts.map((host) => `    - ${yamlText(host)}`),
    '  gather_facts: false',
    ...(isWindows ? [] : ['  become: true']),
    ...(steps.length === 0
      ? [
          '  tasks:',
          '    - name: Say that no command installs it',
          '      ansible.builtin.debug:',
          '        msg: Install it by hand',
        ]
      : ['  tasks:', ...steps]),
  ];
}

function checkStep(one: ScriptTask): readonly string[] {
  const release = releaseOf(one);
  if (release === null) return [];
  const test = `. /etc/os-release && [ "$ID" = ${release.distribution} ] && case $VERSION_ID in ${versionPattern(release.release)}) ;; *) exit 1 ;; esac`;
  return [
    `    - name: ${yamlText(`Check that the machine has ${one.task.system}`)}`,
    `      ansible.builtin.shell: ${yamlText(test)}`,
    '      changed_when: false',
  ];
}

function unixSteps(one: ScriptTask): readonly string[] {
  const command = commandOf(one);
  if (command === null) return [];
  const isApt = one.task.manager === 'apt';
  const install = isApt
    ? [
        '      ansible.builtin.apt:',
        '        name:',
        ...aptPackages(one).map((word) => `          - ${yamlText(word)}`),
        '        update_cache: true',
      ]
    : [
        '      ansible.builtin.command:',
        `        cmd: ${yamlText(command)}`,
        '      register: patch_result',
        `      changed_when: "'Nothing to do' not in patch_result.stdout"`,
      ];
  const noqa = one.task.manager === 'yum' ? ' # noqa: command-instead-of-module' : '';
  return [
    `    - name: Install the updates${noqa}`,
    ...install,
    ...restartStep(one, 'ansible.builtin.reboot'),
  ];
}

/** The packages of the command, each once. */
const aptPackages = ({ task: { command } }: ScriptTask): readonly string[] =>
  (command ?? '')
    .replace('apt-get install', '')
    .split(' ')
    .map((word) => word.replaceAll("'", ''))
    .filter((word) => word !== '');

function windowsSteps(one: ScriptTask): readonly string[] {
  const command = commandOf(one);
  if (one.task.manager === 'winget')
    return command === null
      ? []
      : [
          '    - name: Install the updates',
          '      ansible.windows.win_powershell:',
          `        script: ${yamlText(command)}`,
        ];
  const kbs = kbsOf(one);
  if (kbs.length === 0) return [];
  return [
    '    - name: Install the updates',
    '      ansible.windows.win_updates:',
    "        category_names: ['*']",
    '        accept_list:',
    ...kbs.map((kb) => `          - ${kb}`),
    ...restartStep(one, 'ansible.windows.win_reboot'),
  ];
}

const restartStep = ({ task: { restart } }: ScriptTask, module: string): readonly string[] =>
  restart === null || !/required|reboot|restart|may/i.test(restart)
    ? []
    : [
        '    - name: Restart',
        `      ${module}:`,
        '      when: patch_restart | default(false) | bool',
      ];

export function shellOfPlan(plan: Plan): string {
  const tasks = scriptTasks(plan).filter(
    ({ task: { manager } }) => !['windowsUpdate', 'winget'].includes(manager ?? ''),
  );
  return `${[
    '#!/bin/sh',
    ...headOf(plan),
    '# Run it as root on each machine: it installs what the plan has for the machine of that name, and nothing else.',
    'set -eu',
    'host=$(uname -n)',
    'found=no',
    "ID=$(uname -s) VERSION_ID=''",
    '[ ! -r /etc/os-release ] || . /etc/os-release',
    '',
    '# Ends where the machine has another release than the plan knew.',
    'expect() {',
    '  found=yes',
    '  [ "$ID" = "$1" ] && case $VERSION_ID in "$2" | "$2".*) return ;; esac',
    '  echo "$host has $ID $VERSION_ID, the plan is for $1 $2" >&2',
    '  exit 1',
    '}',
    ...tasks.flatMap(shellTask),
    '',
    '[ "$found" = yes ] || echo "The plan has nothing for $host"',
  ].join('\n')}\n`;
}

function shellTask(one: ScriptTask): readonly string[] {
  const command = commandOf(one);
  const release = releaseOf(one);
  const lines = [
    release === null ? '  found=yes' : `  expect ${release.distribution} ${release.release}`,
    ...(command === null
      ? ["  echo 'No command installs this; see the plan' >&2"]
      : command.split('\n').map((line) => `  ${line}`)),
  ];
  return [
    '',
    `# ${titleOf(one)}`,
    ...restartOf(one),
    ...othersOf(one),
    ...(one.hosts.length === 0
      ? []
      : ['case $host in', `${one.hosts.join(' | ')})`, ...lines, '  ;;', 'esac']),
  ];
}

export function powershellOfPlan(plan: Plan): string {
  const tasks = scriptTasks(plan).filter(({ task: { manager } }) =>
    ['windowsUpdate', 'winget'].includes(manager ?? ''),
  );
  return `${[
    ...headOf(plan),
    '# Run it as administrator on each machine: it installs what the plan has for the machine of that name, and nothing else.',
    ...powershellFunctions,
    ...tasks.flatMap(powershellTask),
    '',
    'if (-not $found) { "The plan has nothing for $env:COMPUTERNAME" }',
  ].join('\r\n')}\r\n`;
}

/** The agent of Windows itself searches, downloads and installs, from WSUS where the machine is configured so. */
const powershellFunctions = String.raw`$ErrorActionPreference = 'Stop'
$found = $false

function Install-Update([string[]]$Kbs) {
  $session = New-Object -ComObject Microsoft.Update.Session
  $offered = $session.CreateUpdateSearcher().Search('IsInstalled=0').Updates
  $wanted = New-Object -ComObject Microsoft.Update.UpdateColl
  foreach ($update in $offered) {
    if (-not ($update.KBArticleIDs | Where-Object { $Kbs -contains "KB$_" })) { continue }
    if (-not $update.EulaAccepted) { $update.AcceptEula() }
    [void]$wanted.Add($update)
  }
  foreach ($kb in $Kbs) {
    if (-not ($wanted | Where-Object { $_.KBArticleIDs -contains $kb.Substring(2) })) { Write-Warning "$kb is not offered to this machine" }
  }
  if ($wanted.Count -eq 0) { return }
  $downloader = $session.CreateUpdateDownloader()
  $downloader.Updates = $wanted
  [void]$downloader.Download()
  $installer = $session.CreateUpdateInstaller()
  $installer.Updates = $wanted
  $result = $installer.Install()
  if ($result.ResultCode -ne 2) { Write-Warning "Not everything was installed: result $($result.ResultCode)" }
  if ($result.RebootRequired) { 'A restart is required' }
}`.split('\n');

function powershellTask(one: ScriptTask): readonly string[] {
  const command = commandOf(one);
  const kbs = kbsOf(one);
  const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');
  const install =
    one.task.manager === 'winget'
      ? (command ?? "Write-Warning 'No command installs this; see the plan'").split('\n')
      : [
          kbs.length === 0
            ? "Write-Warning 'No KB; see the plan'"
            : `Install-Update ${quoted(kbs)}`,
        ];
  return [
    '',
    `# ${titleOf(one)}`,
    ...restartOf(one),
    ...othersOf(one),
    ...(one.hosts.length === 0
      ? []
      : [
          `if (@(${quoted(one.hosts)}) -contains $env:COMPUTERNAME) {`,
          '  $found = $true',
          ...install.map((line) => `  ${line}`),
          '}',
        ]),
  ];
}
