/** Writes a plan as a PowerShell script for its Windows machines. Words of others are comments in it, never code. */
import type { Plan } from '@patch/contract/fleet/machine-plan-endpoints.ts';
import {
  commandOf,
  headOf,
  hostsByKey,
  isForWindows,
  kbsOf,
  noteOnKeys,
  notesOf,
  numberOf,
  quietOfWinget,
  type ScriptTask,
  scriptTasks,
  titleOf,
} from './plan-scripts.ts';

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');

export function powershellOfPlan(plan: Plan): string {
  const tasks = scriptTasks(plan, { tellsKeys: true }).filter(isForWindows);
  return `${[
    ...headOf(plan),
    '# Run it as administrator on each machine: it installs what the plan has for the machine of that name, and nothing else.',
    ...powershellFunctions,
    quietOfWinget,
    '$machine = $env:COMPUTERNAME',
    ...choiceByKey(plan),
    ...tasks.flatMap(powershellTask),
    '',
    'if (-not $found) { "The plan has nothing for $machine" }',
    'if ($failed) {',
    '  Write-Warning "Tasks that failed: $(@($failed | Sort-Object -Unique) -join \' \')"',
    '  exit 1',
    '}',
  ].join('\r\n')}\r\n`;
}

function choiceByKey(plan: Plan): readonly string[] {
  const { names, hosts } = hostsByKey(plan);
  if (names.length === 0) return [];
  return [
    '',
    noteOnKeys,
    `if (@(${quoted(names)}) -contains $machine) {`,
    "  $guid = (Get-Item 'HKLM:\\SOFTWARE\\Microsoft\\Cryptography').GetValue('MachineGuid')",
    '  $hash = [Security.Cryptography.SHA256]::Create().ComputeHash([Text.Encoding]::UTF8.GetBytes("patch-report $guid"))',
    `  $machine = "$machine $(([BitConverter]::ToString($hash) -replace '-', '').ToLowerInvariant().Substring(0, 32))"`,
    `  if (@(${quoted(hosts)}) -notcontains $machine) {`,
    '    throw "Several machines have this name, and the plan does not know which of them is $machine"',
    '  }',
    '}',
  ];
}

/** The agent of Windows itself searches, downloads and installs, from WSUS where the machine is configured so. */
const powershellFunctions = String.raw`$ErrorActionPreference = 'Stop'
$found = $false
$failed = @()

# Goes on after a task that failed. Winget ends with -1978335189 where the update is installed already.
function Invoke-Task([int]$Number, [scriptblock]$Install) {
  $script:found = $true
  $global:LASTEXITCODE = 0
  try {
    & $Install
    if ($LASTEXITCODE -notin 0, -1978335189) { throw "winget ended with $LASTEXITCODE" }
  } catch {
    Write-Warning "Task $Number failed: $_"
    $script:failed += $Number
  }
}

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
  if ($result.RebootRequired) { 'A restart is required' }
  if ($result.ResultCode -ne 2) { throw "not everything was installed: result $($result.ResultCode)" }
}`.split('\n');

/** Applications do not depend on each other either. */
function powershellTask(one: ScriptTask): readonly string[] {
  const kbs = kbsOf(one);
  const isWinget = one.task.manager === 'winget';
  const installs = isWinget
    ? (commandOf(one) ?? "Write-Warning 'No command installs this; see the plan'").split('\n')
    : [kbs.length === 0 ? "Write-Warning 'No KB; see the plan'" : `Install-Update ${quoted(kbs)}`];
  return [
    '',
    `# Task ${numberOf(one)}. ${titleOf(one)}`,
    ...notesOf(one),
    ...(one.hosts.length === 0
      ? []
      : [
          `if (@(${quoted(one.hosts)}) -contains $machine) {`,
          ...installs.map((line) => `  Invoke-Task ${numberOf(one)} { ${line} }`),
          '}',
        ]),
  ];
}
