# Reports which updates and applications this machine has to a Patch Repository. It reads; it installs and changes no update.
#
#   patch-report.ps1 -Print                 shows what a report contains
#   patch-report.ps1 -Install -Address URL  reports with the key in $env:PATCH_KEY, and from then on every four hours
#   patch-report.ps1                        reports once
#   patch-report.ps1 -Uninstall             removes script, settings and task
#
# Needs Windows PowerShell 5.1, and for the task Windows 8.1 or Server 2012 R2. The system's certificates are used, and the proxy
# of -Proxy URL, or else that of the person who installs. Tags of the machine: -Tags 'production,dmz'.
param([switch]$Print, [switch]$Install, [switch]$Uninstall, [string]$Address, [string]$Proxy, [string]$Tags)
Set-StrictMode -Version 2
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

# Only administrators can create it there, so nobody else can prepare what the system will run.
$folder = Join-Path $env:ProgramFiles 'PatchReport'
$program = Join-Path $folder 'patch-report.ps1'
$settings = Join-Path $folder 'settings.json'
$task = 'Patch Report'

function New-Application([string]$Name, [string]$Id, [string]$Version) {
  [pscustomobject]@{ Name = ($Name -replace '\s+', ' ').Trim(); Id = ($Id -replace '\s+', ' ').Trim(); Version = $Version.Trim() }
}

# Reads the two values alone, because Get-ItemProperty fails for a key with a malformed value.
function Get-RegistryApplications {
  foreach ($root in 'HKLM:\SOFTWARE', 'HKLM:\SOFTWARE\WOW6432Node', 'Registry::HKEY_USERS\*\SOFTWARE') {
    Get-Item "$root\Microsoft\Windows\CurrentVersion\Uninstall\*" -ErrorAction SilentlyContinue |
      ForEach-Object { New-Application ($_.GetValue('DisplayName')) ($_.PSChildName) ($_.GetValue('DisplayVersion')) }
  }
}

# winget knows applications by the identifiers of its catalogue. It is not in the PATH of the system's account.
function Get-WingetApplications {
  $winget = Get-Item "$env:ProgramFiles\WindowsApps\Microsoft.DesktopAppInstaller_*\winget.exe" -ErrorAction SilentlyContinue |
    Select-Object -Last 1
  if (-not $winget) { return }
  $file = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
  $words = "export -o `"$file`" --include-versions --accept-source-agreements --disable-interactivity"
  try {
    $process = Start-Process -FilePath $winget.FullName -ArgumentList $words -PassThru -WindowStyle Hidden
    if (-not $process.WaitForExit(120000)) { $process.Kill() }
    foreach ($source in (Get-Content -Raw -Encoding UTF8 $file | ConvertFrom-Json).Sources) {
      foreach ($one in $source.Packages) { New-Application $one.PackageIdentifier $one.PackageIdentifier $one.Version }
    }
  } catch {
    Write-Warning "winget named no applications: $_"
  } finally {
    Remove-Item $file -ErrorAction SilentlyContinue
  }
}

# Letters of East Asia take two columns.
function Get-Width([string]$Text) {
  $Text.Length + [regex]::Matches($Text, '[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]').Count
}

function Format-Cell([string]$Text, [int]$Width) { $Text + ' ' * ($Width - (Get-Width $Text)) }

# Prints what systeminfo, ver, Get-HotFix and winget list print, in English and without names of people or hardware.
function Get-Inventory {
  Get-HotFix | Where-Object { $_.HotFixID -match '^KB\d+$' } | ForEach-Object { "HotFixID : $($_.HotFixID)" } | Sort-Object -Unique
  $system = Get-CimInstance Win32_OperatingSystem
  $revision = (Get-Item 'HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion').GetValue('UBR')
  "Host Name:     $env:COMPUTERNAME"
  "OS Name:       $($system.Caption.Trim())"
  "OS Version:    $($system.Version) N/A Build $($system.BuildNumber)"
  "System Type:   $(@{ AMD64 = 'x64'; ARM64 = 'ARM64'; x86 = 'X86' }[$env:PROCESSOR_ARCHITECTURE])-based PC"
  if ($revision) { "Microsoft Windows [Version $($system.Version).$revision]" }
  $pending = 'Component Based Servicing\RebootPending', 'WindowsUpdate\Auto Update\RebootRequired' |
    Where-Object { Test-Path "HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\$_" }
  if ($pending) { '*** System restart required ***' } else { 'Reboot should not be necessary.' }
  $found = @(Get-RegistryApplications) + @(Get-WingetApplications) | Where-Object { $_.Name -and $_.Version }
  $applications = @($found | Sort-Object -Property 'Name', 'Version', 'Id' -Unique)
  if ($applications.Count -gt 0) {
    $name = 4 + ($applications | ForEach-Object { Get-Width $_.Name } | Measure-Object -Maximum).Maximum
    $id = 2 + ($applications | ForEach-Object { Get-Width $_.Id } | Measure-Object -Maximum).Maximum
    (Format-Cell 'Name' $name) + (Format-Cell 'Id' $id) + 'Version'
    '-' * ($name + $id + 20)
    $applications | ForEach-Object { (Format-Cell $_.Name $name) + (Format-Cell $_.Id $id) + $_.Version }
  }
  ''
}

# The machine's own identifier is not sent, only a hash of it.
function Get-MachineKey {
  $guid = (Get-Item 'HKLM:\SOFTWARE\Microsoft\Cryptography').GetValue('MachineGuid')
  $hash = [Security.Cryptography.SHA256]::Create().ComputeHash([Text.Encoding]::UTF8.GetBytes("patch-report $guid"))
  ([BitConverter]::ToString($hash) -replace '-', '').ToLowerInvariant().Substring(0, 32)
}

function Invoke-Repository([hashtable]$Target, [string]$Path, [hashtable]$More) {
  $through = if ($Target.proxy) { @{ Proxy = $Target.proxy; ProxyUseDefaultCredentials = $true } } else { @{} }
  Invoke-WebRequest -UseBasicParsing -TimeoutSec 120 -Uri "$($Target.address)$Path" @through @More
}

function Send-Report([hashtable]$Target) {
  $path = "/api/machines/report?key=$(Get-MachineKey)&name=$([uri]::EscapeDataString($env:COMPUTERNAME))&tags=$([uri]::EscapeDataString("$($Target.tags)"))"
  $body = [Text.Encoding]::UTF8.GetBytes((Get-Inventory) -join "`n")
  $headers = @{ Authorization = "Apikey $($Target.key)" }
  $to = $Target.address
  try {
    (Invoke-Repository $Target $path @{ Method = 'Post'; Headers = $headers; Body = $body; ContentType = 'text/plain; charset=utf-8' }).Content
  } catch [Net.WebException] {
    $detail = if ($_.ErrorDetails) { $_.ErrorDetails.Message } else { $_.Exception.Message }
    if (-not $_.Exception.Response) { throw "Could not reach $to (-Proxy URL sets a proxy): $detail" }
    $status = [int]$_.Exception.Response.StatusCode
    if ($status -eq 429) { throw "$to takes no more reports at the moment (429). Try again in a minute." }
    if ($status -ne 401 -and $status -ne 403) { throw "$to refused the report ($status): $detail" }
    throw "$to refused the key ($status). It was revoked, has expired or is no enrolment key; run the line of a new one. $detail"
  }
}

function Install-Report {
  if ($Address -notmatch '^https?://' -or -not $env:PATCH_KEY) { throw 'Usage: $env:PATCH_KEY = KEY; patch-report.ps1 -Install -Address URL' }
  $own = @{ address = $Address.TrimEnd('/'); key = $env:PATCH_KEY; proxy = $Proxy; tags = $Tags }
  $found = [Net.WebRequest]::GetSystemWebProxy().GetProxy([uri]$Address)
  if (-not $Proxy -and $found -and $found.Authority -ne ([uri]$Address).Authority) { $own.proxy = $found.AbsoluteUri }
  Send-Report $own # Nothing is stored when it fails.
  New-Item -ItemType Directory -Force $folder | Out-Null
  # Only the system and administrators (by their well-known SIDs) may read the key and change the script.
  & icacls.exe $folder /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' | Out-Null
  if ($LASTEXITCODE -ne 0) { throw "Could not restrict access to $folder. Run as administrator." }
  $own | ConvertTo-Json | Set-Content -Encoding UTF8 $settings
  Invoke-Repository $own '/api/collectors/patch-report.ps1' @{ OutFile = $program }
  $action = New-ScheduledTaskAction -Execute "$PSHOME\powershell.exe" -Argument "-NoProfile -ExecutionPolicy Bypass -File `"$program`""
  $trigger = New-ScheduledTaskTrigger -Once -At (Get-Date) -RandomDelay (New-TimeSpan -Hours 2) -RepetitionInterval (New-TimeSpan -Hours 4) -RepetitionDuration (New-TimeSpan -Days 3650)
  $options = New-ScheduledTaskSettingsSet -StartWhenAvailable -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries -ExecutionTimeLimit (New-TimeSpan -Minutes 15)
  $account = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -RunLevel Highest
  Register-ScheduledTask -Force -TaskName $task -Action $action -Trigger $trigger -Settings $options -Principal $account | Out-Null
}

if ($Print) { Get-Inventory }
elseif ($Install) { Install-Report }
elseif ($Uninstall) {
  Unregister-ScheduledTask -TaskName $task -Confirm:$false -ErrorAction SilentlyContinue
  if (Test-Path $folder) { Remove-Item -Recurse -Force $folder }
} else {
  if (-not (Test-Path $settings)) { throw "Found no $settings. Run: patch-report.ps1 -Install -Address URL" }
  $stored = Get-Content -Raw -Encoding UTF8 $settings | ConvertFrom-Json
  $tags = if ($stored.PSObject.Properties['tags']) { $stored.tags } # Settings of an older version have none.
  Send-Report @{ address = $stored.address; key = $stored.key; proxy = $stored.proxy; tags = $tags }
}
