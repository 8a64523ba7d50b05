/** Writes a plan as a PowerShell script for its Windows machines. Words of others are comments in it, never code. */
import type { Plan } from '@patch/contract/machine-plan-endpoints.ts';
import {
  commandOf,
  headOf,
  isForWindows,
  kbsOf,
  notesOf,
  quietOfWinget,
  type ScriptTask,
  scriptTasks,
  titleOf,
} from './plan-scripts.ts';

export function powershellOfPlan(plan: Plan): string {
  const tasks = scriptTasks(plan).filter(isForWindows);
  return `${[
    ...headOf(plan),
    '# Run it as administrator on each machine: it installs what the plan has for the machine of that name, and nothing else.',
    ...powershellFunctions,
    quietOfWinget,
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
    ...notesOf(one),
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
