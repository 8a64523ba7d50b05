# Reports which updates and applications this machine has to a Patch Repository. It reads; it installs and changes no update.
#
#   patch-report.ps1 -Print                          shows what a report contains
#   patch-report.ps1 -Install -Address URL -Key KEY  stores both, reports, and reports every four hours (scheduled task)
#   patch-report.ps1                                 reports once
#   patch-report.ps1 -Uninstall                      removes script, settings and task
#
# Needs Windows PowerShell 5.1. The system's proxy and certificates are used.
param([switch]$Print, [switch]$Install, [switch]$Uninstall, [string]$Address, [string]$Key)
Set-StrictMode -Version 2
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$folder = Join-Path $env:ProgramData 'PatchReport'
$program = Join-Path $folder 'patch-report.ps1'
$settings = Join-Path $folder 'settings.json'
$task = 'Patch Report'

function Get-Applications {
  $keys = 'HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall\*',
    'HKLM:\SOFTWARE\WOW6432Node\Microsoft\Windows\CurrentVersion\Uninstall\*'
  Get-ItemProperty $keys -ErrorAction SilentlyContinue | ForEach-Object {
    $name = $_.PSObject.Properties['DisplayName']
    $version = $_.PSObject.Properties['DisplayVersion']
    if ($name -and $name.Value -and $version -and $version.Value) {
      [pscustomobject]@{ Name = "$($name.Value)" -replace '\s+', ' '; Id = $_.PSChildName -replace '\s+', '_'; Version = "$($version.Value)".Trim() }
    }
  } | Sort-Object Name, Version -Unique
}

# Prints what systeminfo, ver, Get-HotFix and winget list print, in English and without names of people or hardware.
function Get-Inventory {
  $system = Get-CimInstance Win32_OperatingSystem
  $current = Get-ItemProperty 'HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion'
  $revision = $current.PSObject.Properties['UBR']
  "Host Name:     $env:COMPUTERNAME"
  "OS Name:       $($system.Caption.Trim())"
  "OS Version:    $($system.Version) N/A Build $($system.BuildNumber)"
  "System Type:   $(if ($env:PROCESSOR_ARCHITECTURE -eq 'ARM64') { 'ARM64' } else { 'x64' })-based PC"
  ''
  if ($revision) { "Microsoft Windows [Version $($system.Version).$($revision.Value)]" }
  ''
  Get-HotFix | Where-Object { $_.HotFixID -match '^KB\d+$' } | ForEach-Object { "HotFixID : $($_.HotFixID)" }
  ''
  $applications = @(Get-Applications)
  if ($applications.Count -gt 0) {
    $name = ($applications | ForEach-Object { $_.Name.Length } | Measure-Object -Maximum).Maximum + 2
    $id = ($applications | ForEach-Object { $_.Id.Length } | Measure-Object -Maximum).Maximum + 2
    'Name'.PadRight($name) + 'Id'.PadRight($id) + 'Version'
    '-' * ($name + $id + 20)
    $applications | ForEach-Object { $_.Name.PadRight($name) + $_.Id.PadRight($id) + $_.Version }
  }
}

# The machine's own identifier is not sent, only a hash of it.
function Get-MachineKey {
  $guid = (Get-ItemProperty 'HKLM:\SOFTWARE\Microsoft\Cryptography').MachineGuid
  $hash = [Security.Cryptography.SHA256]::Create().ComputeHash([Text.Encoding]::UTF8.GetBytes("patch-report $guid"))
  ([BitConverter]::ToString($hash) -replace '-', '').ToLowerInvariant().Substring(0, 32)
}

function Send-Report([string]$To, [string]$With) {
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
  $body = [Text.Encoding]::UTF8.GetBytes((Get-Inventory) -join "`n")
  $uri = "$To/api/machines/report?key=$(Get-MachineKey)&name=$([uri]::EscapeDataString($env:COMPUTERNAME))"
  $headers = @{ Authorization = "Apikey $With" }
  try {
    (Invoke-WebRequest -UseBasicParsing -Method Post -Uri $uri -Headers $headers -Body $body -TimeoutSec 120 `
        -ContentType 'text/plain; charset=utf-8').Content
  } catch {
    $detail = if ($_.ErrorDetails) { $_.ErrorDetails.Message } else { $_.Exception.Message }
    throw "The report was refused, or $To could not be reached: $detail"
  }
}

function Install-Report {
  if (-not $Address -or -not $Key) { throw 'Usage: patch-report.ps1 -Install -Address URL -Key KEY' }
  $to = $Address.TrimEnd('/')
  New-Item -ItemType Directory -Force $folder | Out-Null
  # Only the system and administrators (by their well-known SIDs) may read the key and change the script.
  & icacls.exe $folder /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' | Out-Null
  if ($LASTEXITCODE -ne 0) { throw "Could not restrict access to $folder. Run as administrator." }
  @{ address = $to; key = $Key } | ConvertTo-Json | Set-Content -Encoding UTF8 $settings
  Invoke-WebRequest -UseBasicParsing -Uri "$to/api/collectors/patch-report.ps1" -OutFile $program
  Send-Report $to $Key
  $action = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument "-NoProfile -ExecutionPolicy Bypass -File `"$program`""
  $trigger = New-ScheduledTaskTrigger -Once -At (Get-Date) -RandomDelay (New-TimeSpan -Hours 2) -RepetitionInterval (New-TimeSpan -Hours 4)
  $options = New-ScheduledTaskSettingsSet -StartWhenAvailable -ExecutionTimeLimit (New-TimeSpan -Minutes 15)
  $account = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -RunLevel Highest
  Register-ScheduledTask -Force -TaskName $task -Action $action -Trigger $trigger -Settings $options -Principal $account | Out-Null
}

if ($Print) { Get-Inventory }
elseif ($Install) { Install-Report }
elseif ($Uninstall) {
  Unregister-ScheduledTask -TaskName $task -Confirm:$false -ErrorAction SilentlyContinue
  if (Test-Path $folder) { Remove-Item -Recurse -Force $folder }
} else {
  if (-not (Test-Path $settings)) { throw "Found no $settings. Run: patch-report.ps1 -Install -Address URL -Key KEY" }
  $stored = Get-Content -Raw -Encoding UTF8 $settings | ConvertFrom-Json
  Send-Report $stored.address $stored.key
}
