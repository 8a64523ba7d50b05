/** Writes a plan as a shell script for its Linux machines and Macs. Words of others are comments in it, never code. */
import type { Plan } from '@patch/contract/machine-plan-endpoints.ts';
import {
  commandOf,
  headOf,
  isForWindows,
  notesOf,
  releaseOf,
  type ScriptTask,
  scriptTasks,
  titleOf,
} from './plan-scripts.ts';

export function shellOfPlan(plan: Plan): string {
  const tasks = scriptTasks(plan).filter((one) => !isForWindows(one));
  const has = (manager: string) => tasks.some(({ task }) => task.manager === manager);
  return `${[
    '#!/bin/sh',
    ...headOf(plan),
    '# Run it as root on each machine: it installs what the plan has for the machine of that name, and nothing else.',
    'set -eu',
    'host=$(uname -n)',
    'found=no',
    "ID=$(uname -s) VERSION_ID=''",
    '# shellcheck source=/dev/null',
    '[ ! -r /etc/os-release ] || . /etc/os-release',
    ...expectation,
    ...(has('apt') ? updateOfApt : []),
    ...(has('zypper') ? installationOfZypper : []),
    ...tasks.flatMap(shellTask),
    '',
    '[ "$found" = yes ] || echo "The plan has nothing for $host"',
  ].join('\n')}\n`;
}

const expectation = `
# Ends where the machine has another release than the plan knew.
expect() {
  found=yes
  [ "$ID" = "$1" ] && case $VERSION_ID in "$2" | "$2".*) return ;; esac
  echo "$host has $ID $VERSION_ID, the plan is for $1 $2" >&2
  exit 1
}`.split('\n');

const updateOfApt = `
export DEBIAN_FRONTEND=noninteractive`.split('\n');

const installationOfZypper = `
# Zypper ends with 102 where a restart is needed, with 103 where it raised itself and has to be called again.
call_zypper() {
  for _ in 1 2; do
    code=0
    zypper "$@" || code=$?
    [ "$code" -eq 103 ] || break
  done
  case $code in 102 | 103) ;; *) return "$code" ;; esac
}`.split('\n');

/** Hosts are quoted: one may have the name of a word of the shell. */
function shellTask(one: ScriptTask): readonly string[] {
  const release = releaseOf(one);
  const hosts = one.hosts.map((host) => `'${host}'`).join(' | ');
  return [
    '',
    `# ${titleOf(one)}`,
    ...notesOf(one),
    ...(hosts === ''
      ? []
      : [
          'case $host in',
          `${hosts})`,
          release === null
            ? '  found=yes'
            : `  expect ${release.distribution} ${release.release || "''"}`,
          ...installation(one).map((line) => `  ${line}`),
          '  ;;',
          'esac',
        ]),
  ];
}

function installation(one: ScriptTask): readonly string[] {
  const command = commandOf(one);
  if (command === null) return ["echo 'No command installs this; see the plan' >&2"];
  switch (one.task.manager) {
    case 'apt':
      return ['apt-get update || true # It says itself what it could not read.', command];
    case 'zypper':
      return [command.replace('zypper', 'call_zypper')];
    default:
      return [command];
  }
}
