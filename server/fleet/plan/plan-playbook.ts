/**
 * Writes a plan as an Ansible playbook: one play for each task, which checks the release first, and one that fails where another did.
 * Words of others are data in it, never code.
 */
import type { Plan } from '@patch/contract/fleet/machine-plan-endpoints.ts';
import {
  commandOf,
  headOf,
  isForWindows,
  kbsOf,
  notesOf,
  plainWords,
  quietOfWinget,
  releaseOf,
  type ScriptTask,
  scriptTasks,
  titleOf,
} from './plan-scripts.ts';

/** JSON strings are YAML strings. Braces would be a template of Ansible. */
const yamlText = (text: string): string =>
  JSON.stringify(plainWords(text).replaceAll(/\{(?=[{%#])/g, '{ '));

export function playbookOfPlan(plan: Plan): string {
  const tasks = scriptTasks(plan, { tellsKeys: false });
  const plays = tasks.flatMap((one, at) =>
    one.hosts.length === 0 ? notesOf(one) : playOf(one, at + 1),
  );
  return `${[
    '---',
    ...headOf(plan),
    '# Restarts: ansible-playbook -e patch_restart=true playbook.yml. Windows needs the collection ansible.windows.',
    ...plays,
    '',
    ...lastPlay([...new Set(tasks.flatMap(({ hosts }) => hosts))]),
  ].join('\n')}\n`;
}

const hostLines = (hosts: readonly string[]) => hosts.map((host) => `    - ${yamlText(host)}`);

/** Ansible ends the whole run where all hosts of a play fail or are not reached: each failure is remembered instead, up to the last play. */
function playOf(one: ScriptTask, number: number): readonly string[] {
  const isWindows = isForWindows(one);
  const steps = isWindows ? windowsSteps(one) : unixSteps(one);
  return [
    '',
    ...notesOf(one),
    `- name: ${yamlText(titleOf(one))}`,
    `  hosts: &hosts_${number}`,
    ...hostLines(one.hosts),
    '  gather_facts: false',
    ...(isWindows ? [] : ['  become: true']),
    '  vars:',
    `    patch_hosts: *hosts_${number}`,
    '  tasks:',
    '    - name: Leave out machines of a group with the name of a host, and those where the plan failed',
    '      ansible.builtin.meta: end_host',
    '      when: inventory_hostname not in patch_hosts or patch_failed | default(false)',
    ...(steps.length === 0 ? byHand : triedSteps(steps)),
  ];
}

const byHand = [
  '    - name: Say that no command installs it',
  '      ansible.builtin.debug:',
  '        msg: Install it by hand',
];

const triedSteps = (steps: readonly string[]): readonly string[] => [
  '    - name: Install the updates, or remember the failure',
  '      block:',
  '        - name: Reach the machine',
  '          ansible.builtin.wait_for_connection:',
  '            timeout: 30',
  ...steps.map((line) => `    ${line}`),
  '      rescue:',
  '        - name: Remember the failure',
  '          ansible.builtin.set_fact:',
  '            patch_failed: true',
];

function lastPlay(hosts: readonly string[]): readonly string[] {
  return hosts.length === 0
    ? [
        '- name: Say that nothing is left',
        '  hosts: localhost',
        '  gather_facts: false',
        '  tasks:',
        '    - name: Say that nothing is left',
        '      ansible.builtin.debug:',
        '        msg: The plan has nothing for a host',
      ]
    : [
        '- name: Say where the plan failed',
        '  hosts:',
        ...hostLines(hosts),
        '  gather_facts: false',
        '  tasks:',
        '    - name: Fail where the plan failed',
        '      ansible.builtin.fail:',
        '        msg: The plan failed on this machine, see above',
        '      when: patch_failed | default(false)',
      ];
}

function checkStep(one: ScriptTask): readonly string[] {
  const known = releaseOf(one);
  if (known === null) return [];
  const { distribution, release } = known;
  const test =
    distribution === 'Darwin'
      ? ['[ "$(uname -s)" = Darwin ]']
      : [
          '. /etc/os-release',
          `[ "$ID" = ${distribution} ] || exit 1`,
          `case $VERSION_ID in ${release}) ;; ${release}.*) ;; *) exit 1 ;; esac`,
        ];
  return [
    `    - name: ${yamlText(`Check that the machine has ${one.task.system}`)}`,
    '      ansible.builtin.shell: |',
    ...test.map((line) => `        ${line}`),
    '      changed_when: false',
  ];
}

function unixSteps(one: ScriptTask): readonly string[] {
  const words = wordsOf(commandOf(one));
  if (words.length === 0) return [];
  return [
    ...checkStep(one),
    `    - name: Install the updates${one.task.manager === 'yum' ? ' # noqa: command-instead-of-module' : ''}`,
    ...(one.task.manager === 'apt' ? aptStep(words) : commandStep(one, words)),
    ...restartStep(one, 'ansible.builtin.reboot'),
  ];
}

/** Quotes surround whole words, which contain none. */
const wordsOf = (command: string | null): readonly string[] =>
  command === null ? [] : command.split(' ').map((word) => word.replaceAll("'", ''));

const aptStep = (words: readonly string[]): readonly string[] => [
  '      ansible.builtin.apt:',
  '        name:',
  ...words.slice(words.indexOf('install') + 1).map((word) => `          - ${yamlText(word)}`),
  '        update_cache: true',
];

/** Zypper ends with 102 where a restart is needed, with 103 where it raised itself and has to be called again. */
const zypperEnds = [
  '      failed_when: patch_result.rc not in [0, 102, 103]',
  '      until: patch_result.rc != 103',
  '      retries: 1',
  '      delay: 1',
];

const commandStep = ({ task: { manager } }: ScriptTask, words: readonly string[]) => [
  '      ansible.builtin.command:',
  '        argv:',
  ...words.map((word) => `          - ${yamlText(word)}`),
  '      register: patch_result',
  `      changed_when: "'Nothing to do' not in patch_result.stdout"`,
  ...(manager === 'zypper' ? zypperEnds : []),
];

function windowsSteps(one: ScriptTask): readonly string[] {
  if (one.task.manager === 'winget') {
    const command = commandOf(one);
    return command === null
      ? []
      : [
          '    - name: Install the updates',
          '      ansible.windows.win_powershell:',
          '        script: |',
          ...[quietOfWinget, ...command.split('\n')].map((line) => `          ${line}`),
        ];
  }
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
