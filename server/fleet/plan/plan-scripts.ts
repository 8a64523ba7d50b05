/** Parts that all scripts of plans share: the tasks that are left, their words as comments, and their commands without questions. */
import { machineOfRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import type { Plan, PlanTask, TaskState } from '@patch/contract/fleet/machine-plan-endpoints.ts';

/** Names in the form of hosts; others are listed as comments. */
const hostForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;
/** Every machine has these names; Ansible takes them for the one on which it runs. */
const ownNames = ['localhost', '127.0.0.1'];

const isHost = (name: string): boolean => hostForm.test(name) && !ownNames.includes(name);

const toInstall: readonly TaskState[] = ['open', 'scheduled', 'waiting', 'failed'];

/** A task and the hosts on which it is to be installed. */
export interface ScriptTask {
  readonly task: PlanTask;
  /** Names; with the key behind a space where another machine has the name. */
  readonly hosts: readonly string[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

type PlanOfScript = Pick<Plan, 'tasks' | 'names' | 'sameNames'>;

/**
 * Returns the tasks with machines on which something is left.
 * @param tellsKeys Whether the script finds out the key of the machine on which it runs.
 */
export function scriptTasks(
  { tasks, names, sameNames }: PlanOfScript,
  { tellsKeys }: { readonly tellsKeys: boolean },
): readonly ScriptTask[] {
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  const keyOf = new Map(sameNames.map(({ id, key }) => [id, key]));
  const hostOf = (id: number, name: string) => {
    if (!isHost(name)) return { name, why: 'its name is not that of a host' };
    const key = keyOf.get(id);
    if (key === undefined) return { host: name };
    if (!tellsKeys) return { name, why: 'another machine has its name' };
    return key === null
      ? { name, why: 'another machine has its name, and its key is not one of patch-report' }
      : { host: hostWithKey(name, key) };
  };
  return tasks.flatMap((task): ScriptTask[] => {
    const left = task.machines.filter(({ state }) => toInstall.includes(state));
    if (left.length === 0) return [];
    const found = left.map(({ id }) => hostOf(id, nameOf.get(id) ?? `#${id}`));
    return [
      {
        task,
        hosts: found.flatMap(({ host }) => host ?? []),
        leftOut: found.flatMap(({ name, why }) => (why === undefined ? [] : [{ name, why }])),
      },
    ];
  });
}

const hostWithKey = (name: string, key: string) => `${name} ${key}`;

/** Precedes the choice of a machine by the key that the collectors send. */
export const noteOnKeys =
  '# Several machines have these names. The key with which patch-report reports the machine tells which of them it is.';

/** Returns the hosts whose names several machines have, and each of their machines that its key tells. */
export function hostsByKey({ sameNames }: Pick<Plan, 'sameNames'>): {
  readonly names: readonly string[];
  readonly hosts: readonly string[];
} {
  const same = sameNames.filter(({ name }) => isHost(name));
  return {
    names: [...new Set(same.map(({ name }) => name))],
    hosts: same.flatMap(({ name, key }) => (key === null ? [] : hostWithKey(name, key))),
  };
}

/** Returns the text without characters that end a line, turn the order of others, or that YAML forbids. */
export const plainWords = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** Lines are shorter than the 160 characters of ansible-lint, words apart. */
const lineLength = 150;

/** Returns the text as comments, which it cannot end. */
function comments(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '#';
  for (const word of plainWords(text).split(/\s+/)) {
    if (line !== '#' && line.length + word.length >= lineLength) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

const titleLength = 110;

/** As the page of the plan numbers the tasks. */
export const numberOf = ({ task }: ScriptTask): number => task.position + 1;

export const titleOf = ({ task }: ScriptTask): string => {
  const named = task.updates.map(({ identifier, title }) => identifier ?? title ?? '');
  const shown = named.slice(0, 5).join(', ');
  const more = named.length > 5 ? ` and ${named.length - 5} more` : '';
  const characters = Array.from(plainWords(`${task.system}: ${shown}`));
  const cut = characters.length > titleLength ? '…' : '';
  return `Update ${characters.slice(0, titleLength).join('')}${cut}${more}`;
};

export const headOf = ({ name, createdAt }: Plan): readonly string[] => [
  ...comments(`Plan ${name}, made on ${new Date(createdAt).toISOString().slice(0, 10)}.`),
  '# Read it before you run it. Machines on which a task is done are left out.',
];

/** Returns what is to be known before a task: machines that it leaves out, and the restart. */
export const notesOf = ({ task: { restart }, leftOut }: ScriptTask): readonly string[] => [
  ...[...new Set(leftOut.map(({ name, why }) => `Not included, ${why}: ${name}`))].flatMap(
    comments,
  ),
  ...(restart === null ? [] : comments(`Afterwards: ${restart}`)),
];

/** Indexes are read anew, or the update is not found. */
const unattended: Readonly<
  Partial<Record<NonNullable<PlanTask['manager']>, readonly [asked: string, silent: string]>>
> = {
  apt: [
    'apt-get install',
    'apt-get -y -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold install',
  ],
  dnf: ['dnf upgrade', 'dnf -y --refresh upgrade'],
  yum: ['yum update', 'yum -y update'],
  zypper: [
    'zypper install',
    'zypper --non-interactive --non-interactive-include-reboot-patches install',
  ],
};

/** Returns the command of a task without questions, for Windows a line for each update; null without one. */
export function commandOf({ task: { command, manager } }: ScriptTask): string | null {
  if (command === null || manager === null) return null;
  if (manager === 'winget')
    return command
      .split('\n')
      .map((line) => `${line} @quiet`)
      .join('\n');
  const [asked, silent] = unattended[manager] ?? ['', ''];
  return asked === '' ? command : command.replace(asked, silent);
}

/** The array of PowerShell with which the commands of winget ask nothing. */
export const quietOfWinget =
  "$quiet = '--silent', '--accept-package-agreements', '--accept-source-agreements'";

export const kbsOf = ({ task: { updates } }: ScriptTask): readonly string[] =>
  updates.flatMap(({ identifier }) => /^KB\d{4,10}$/.exec(identifier ?? '')?.[0] ?? []);

export const isForWindows = ({ task: { manager } }: ScriptTask): boolean =>
  manager === 'windowsUpdate' || manager === 'winget';

/**
 * Returns ID and version of os-release of the task's machines: for macOS what uname prints and no version, null where nothing is known. A
 * version in another form is that of no machine.
 */
export function releaseOf({
  task: { system, manager },
}: ScriptTask): { readonly distribution: string; readonly release: string } | null {
  if (manager === 'softwareupdate') return { distribution: 'Darwin', release: '' };
  const known = machineOfRelease(system);
  if (known === null) return null;
  const { distribution, release } = known;
  return { distribution, release: /^\d+(?:\.\d+)*$/.test(release) ? release : 'unknown' };
}
