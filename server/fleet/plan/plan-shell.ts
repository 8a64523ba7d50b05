/** Writes a plan as a shell script for its Linux machines and Macs. Words of others are comments in it, never code. */
import type { Plan } from '@patch/contract/fleet/machine-plan-endpoints.ts';
import {
  commandOf,
  headOf,
  hostsByKey,
  isForWindows,
  noteOnKeys,
  notesOf,
  numberOf,
  releaseOf,
  type ScriptTask,
  scriptTasks,
  titleOf,
} from './plan-scripts.ts';

export function shellOfPlan(plan: Plan): string {
  const tasks = scriptTasks(plan, { tellsKeys: true }).filter((one) => !isForWindows(one));
  const has = (manager: string) => tasks.some(({ task }) => task.manager === manager);
  const installs = tasks.some((one) => one.hosts.length > 0 && commandOf(one) !== null);
  return `${[
    '#!/bin/sh',
    ...headOf(plan),
    '# Run it as root on each machine: it installs what the plan has for the machine of that name, and nothing else.',
    'set -eu',
    'host=$(uname -n)',
    "found=no failed=''",
    ...choiceByKey(plan),
    ...(installs ? installation : []),
    ...(has('apt') ? callOfApt : []),
    ...(has('zypper') ? callOfZypper : []),
    ...tasks.flatMap(shellTask),
    '',
    '[ "$found" = yes ] || echo "The plan has nothing for $host"',
    '[ -z "$failed" ] || {',
    '  echo "Tasks that failed:$failed" >&2',
    '  exit 1',
    '}',
  ].join('\n')}\n`;
}

const casePattern = (hosts: readonly string[]) =>
  `${hosts.map((host) => `'${host}'`).join(' | ')})`;

function choiceByKey(plan: Plan): readonly string[] {
  const { names, hosts } = hostsByKey(plan);
  if (names.length === 0) return [];
  return [
    '',
    noteOnKeys,
    'case $host in',
    casePattern(names),
    '  identifier=$(cat /etc/machine-id 2>/dev/null || cat /var/lib/dbus/machine-id 2>/dev/null || true)',
    `  host="$host $(printf 'patch-report %s' "$identifier" | sha256sum | cut -c 1-32)"`,
    ...(hosts.length === 0 ? [] : ['  case $host in', `  ${casePattern(hosts)} ;;`, '  *)']),
    '  echo "Several machines have this name, and the plan does not know which of them is $host" >&2',
    '  exit 1',
    ...(hosts.length === 0 ? [] : ['  ;;', '  esac']),
    '  ;;',
    'esac',
  ];
}

/** Tasks do not depend on each other. */
const installation = `
ID=$(uname -s) VERSION_ID=''
# shellcheck source=/dev/null
[ ! -r /etc/os-release ] || . /etc/os-release

# Goes on after a task that failed, and fails itself where the machine has another release than the plan knew.
install() {
  task=$1 id=$2 release=$3
  shift 3
  found=yes
  if has_release "$id" "$release" && "$@"; then return; fi
  echo "Task $task failed" >&2
  failed="$failed $task"
}

has_release() {
  [ "$ID" = "$1" ] && case $VERSION_ID in "$2" | "$2".*) return ;; esac
  echo "$host has $ID $VERSION_ID, the plan is for $1 $2" >&2
  return 1
}`.split('\n');

const callOfApt = `
export DEBIAN_FRONTEND=noninteractive
call_apt() {
  apt-get update || true # It says itself what it could not read.
  apt-get "$@"
}`.split('\n');

const callOfZypper = `
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
const shellTask = (one: ScriptTask): readonly string[] => [
  '',
  `# Task ${numberOf(one)}. ${titleOf(one)}`,
  ...notesOf(one),
  ...(one.hosts.length === 0
    ? []
    : [
        'case $host in',
        casePattern(one.hosts),
        ...installationOf(one).map((line) => `  ${line}`),
        '  ;;',
        'esac',
      ]),
];

function installationOf(one: ScriptTask): readonly string[] {
  const [command, known] = [commandOf(one), releaseOf(one)];
  if (command === null || known === null)
    return ['found=yes', "echo 'No command installs this; see the plan' >&2"];
  const called = command.replace(/^apt-get/, 'call_apt').replace(/^zypper/, 'call_zypper');
  return [`install ${numberOf(one)} ${known.distribution} ${known.release || "''"} ${called}`];
}
