/** A plan with a task of every manager, and words that are code in some language wherever the product does not make them. */
import type { Plan, PlanTask, TaskState } from '@patch/contract/fleet/machine-plan-endpoints.ts';

/** Words that run the program `owned` where they are code, break a line, a quotation, a template or a document. */
export const hostileWords = [
  '$(owned)',
  '`owned`',
  "';owned;'",
  '";owned;"',
  '\nowned\n',
  '\r\nowned',
  '\u0085owned',
  '\u2028owned',
  "{{ lookup('pipe', 'owned') }}",
  '{{{ owned }}}',
  '{% for x in y %}',
  '{# owned',
  '#{owned}',
  '<# owned #>',
  '*) owned ;; esac',
  '- hosts: all',
  ': [ & * ! | > %',
  '\u202Edenwo',
  '\uFFFF\u0000\u0080',
  'é 漢 \u{1F600}',
] as const;

/** Names of machines that are no hosts. */
export const noHosts = [
  ...hostileWords,
  'a b',
  "';rm -rf /",
  '-rf',
  'web*',
  'a,b',
  'a:b',
  '~web',
  '!web',
  'localhost',
  '127.0.0.1',
  '',
] as const;

/** Names in the form of hosts that mean something to a shell or to Ansible. */
export const oddHosts = ['esac', 'all', 'in', 'true', '1e3', '0x10', 'null'] as const;

interface TaskToBuild {
  readonly system: string;
  readonly manager: PlanTask['manager'];
  readonly command?: string;
  readonly restart?: string;
  readonly identifiers?: readonly string[];
  /** States by the name of the machine. */
  readonly on: Readonly<Record<string, TaskState>>;
}

const noStates = {
  open: 0,
  scheduled: 0,
  waiting: 0,
  failed: 0,
  moved: 0,
  done: 0,
  notNeeded: 0,
  unknown: 0,
};

/** Builds a plan whose machines have their index as id. */
export function buildPlan(tasks: readonly TaskToBuild[], name = hostileWords.join(' ')): Plan {
  const all = [...new Set(tasks.flatMap(({ on }) => Object.keys(on)))];
  return {
    id: 1,
    name,
    criteria: '',
    choice: 'all',
    records: [],
    createdAt: Date.UTC(2026, 0, 2),
    createdBy: 'x',
    machines: all.length,
    unjudged: 0,
    unclosed: 0,
    mayMiss: 0,
    states: noStates,
    nothingToDo: 0,
    notJudged: [],
    beingJudged: [],
    notClosed: [],
    heldBack: [],
    leftOut: 0,
    names: all.map((one, id) => ({ id, name: one })),
    sameNames: [],
    tasks: tasks.map(({ system, manager, command, restart, identifiers = ['X-1'], on }, at) => ({
      position: at,
      system,
      manager,
      command: command ?? null,
      restart: restart ?? null,
      window: null,
      states: noStates,
      updates: identifiers.map((identifier, index) => ({
        list: 'almalinux_patch',
        recordId: index,
        identifier: index % 2 === 0 ? identifier : null,
        title: identifier,
        severity: null,
        exploited: false,
        restart: null,
        closes: [],
        due: null,
        knownIssues: null,
      })),
      machines: Object.entries(on).map(([machine, state]) => ({ id: all.indexOf(machine), state })),
    })),
  };
}

const onOpen = (names: readonly string[]): Record<string, TaskState> =>
  Object.fromEntries(names.map((name): [string, TaskState] => [name, 'open']));

const manyAdvisories = Array.from({ length: 40 }, (_, at) => `--advisory=ALSA-2025:${1000 + at}`);

/** A task of every manager with hostile words around it. */
export const hostilePlan = buildPlan([
  {
    system: 'AlmaLinux 9',
    manager: 'dnf',
    command: `dnf upgrade ${manyAdvisories.join(' ')}`,
    restart: `Required ${hostileWords.join(' ')}`,
    identifiers: hostileWords,
    on: { 'alma-1': 'open', 'alma-2': 'scheduled', ...onOpen(noHosts) },
  },
  {
    system: 'AlmaLinux 9',
    manager: 'dnf',
    command: 'dnf upgrade --advisory=ALSA-2025:7',
    on: {
      'alma-1': 'failed',
      'alma-2': 'done',
      'alma-3': 'notNeeded',
      'alma-4': 'unknown',
      'alma-5': 'moved',
      ...onOpen(oddHosts),
    },
  },
  {
    system: 'Oracle Linux 7',
    manager: 'yum',
    command: 'yum update --advisory=ELSA-2025-1',
    on: { oracle: 'waiting' },
  },
  {
    system: 'Debian 12',
    manager: 'apt',
    command: "apt-get install libc6=2.36-9+deb12u9 'vim=2:9.0~1'",
    restart: 'Reboot',
    on: { 'debian.example.com': 'open' },
  },
  {
    system: 'openSUSE Leap 15.6',
    manager: 'zypper',
    command: 'zypper install --type patch openSUSE-SLE-15.6-2025-1',
    on: { leap: 'open' },
  },
  {
    system: 'macOS',
    manager: 'softwareupdate',
    command: 'softwareupdate --fetch-full-installer --full-installer-version 15.6',
    restart: 'Reboot',
    on: { 'mac.local': 'open' },
  },
  {
    system: 'Windows Server 2022',
    manager: 'windowsUpdate',
    restart: 'Required',
    identifiers: ['KB5034441', 'kb', 'KB5034122', '', "KB1'; owned"],
    on: { 'WIN-1': 'open' },
  },
  {
    system: 'Windows Server 2022',
    manager: 'windowsUpdate',
    identifiers: ["KB50'; owned"],
    on: { 'WIN-2': 'open' },
  },
  {
    system: 'Applications',
    manager: 'winget',
    command:
      "winget upgrade --id 'Mozilla.Firefox' --exact --version '140.0'\nwinget upgrade --id '7zip.7zip' --exact --version '24.9'",
    identifiers: hostileWords,
    on: { 'WIN-1': 'open', ...onOpen(noHosts) },
  },
  { system: 'Applications', manager: 'winget', on: { 'WIN-3': 'open' } },
  { system: 'AlmaLinux 9', manager: 'dnf', on: { 'alma-2': 'open' } },
  { system: 'Slackware 15 {{ x }}', manager: null, on: { slack: 'open' } },
  {
    system: 'Ubuntu 22.04;owned',
    manager: 'apt',
    command: 'apt-get install vim=2',
    on: { ubuntu: 'open' },
  },
  { system: 'Debian 11', manager: 'apt', command: 'apt-get install x=1', on: onOpen(noHosts) },
]);
