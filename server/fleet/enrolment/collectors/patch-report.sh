#!/bin/sh
# Reports which packages this machine has to a Patch Repository. It reads; it installs and changes no package.
#
#   patch-report.sh print            shows what a report contains
#   patch-report.sh install ADDRESS  reports with the key in PATCH_KEY, and from then on every four hours
#   patch-report.sh                  reports once
#   patch-report.sh uninstall        removes script, settings and timer
#
# Needs curl or GNU wget. https_proxy and no_proxy are used, also by the timer when they are set at the installation.
# A private certificate authority: PATCH_CA=/path/of/ca.pem. Tags of the machine: PATCH_TAGS=production,dmz.
set -eu

settings=${PATCH_SETTINGS:-/etc/patch-report.conf}
program=/usr/local/sbin/patch-report
units=/etc/systemd/system
LC_ALL=C
export LC_ALL

fail() {
  echo "patch-report: $*" >&2
  exit 1
}

has() {
  command -v "$1" >/dev/null 2>&1
}

inventory() {
  cat /etc/os-release 2>/dev/null || cat /etc/redhat-release 2>/dev/null || true
  uname -r
  # Either tool may be installed on a system of the other one.
  if has dpkg-query && [ -s /var/lib/dpkg/status ]; then
    dpkg-query -W -f='${Package} ${Version} ${Architecture} ${db:Status-Abbrev} ${source:Package} ${source:Version}\n'
  elif has rpm; then
    module=' %{MODULARITYLABEL}' # Versions of rpm before 4.14 print nothing for an unknown tag.
    rpm --querytags | grep -qx MODULARITYLABEL || module=''
    rpm -qa --qf "%{NAME} %{EPOCH}:%{VERSION}-%{RELEASE} %{ARCH}$module\n"
  else
    fail 'found neither dpkg-query nor rpm'
  fi
  ! has snap || timeout 60 snap list 2>/dev/null || true
  if [ -e /run/reboot-required ] || [ -e /run/reboot-needed ]; then # Written by apt and zypper.
    echo '*** System restart required ***'
  elif has needs-restarting; then
    timeout 120 needs-restarting -r 2>/dev/null | grep '^Reboot ' || true
  elif has dnf; then
    timeout 120 dnf -qC needs-restarting -r 2>/dev/null | grep '^Reboot ' || true
  fi
}

# The machine's own identifier is not sent, only a hash of it.
machine_key() {
  for file in /etc/machine-id /var/lib/dbus/machine-id; do
    if grep -qE '^[0-9a-f]{32}$' "$file" 2>/dev/null; then
      printf 'patch-report %s' "$(cat "$file")" | sha256sum | cut -c 1-32
      return
    fi
  done
  fail 'found no /etc/machine-id; create it with systemd-machine-id-setup or dbus-uuidgen'
}

# Writes the reply to stdout. The key is in a file that only its owner reads, never in the list of processes.
send() {
  machine=$(machine_key)
  target="$PATCH_ADDRESS/api/machines/report?key=$machine&name=$(uname -n)&tags=${PATCH_TAGS:-}"
  if has curl; then
    printf 'header = "Authorization: Apikey %s"\n' "$PATCH_KEY" >"$work/request"
    code=$(curl -sS --max-time 120 ${PATCH_CA:+--cacert "$PATCH_CA"} -K "$work/request" -o "$work/reply" -w '%{http_code}' \
      -H 'Content-Type: text/plain; charset=utf-8' --data-binary "@$work/inventory" "$target" 2>"$work/log") || code=none
  elif wget --version 2>/dev/null | grep -q '^GNU'; then
    printf 'header = Authorization: Apikey %s\n' "$PATCH_KEY" >"$work/request"
    WGETRC="$work/request" wget -S -T 120 -t 1 ${PATCH_CA:+--ca-certificate="$PATCH_CA"} --max-redirect=0 --content-on-error \
      --header='Content-Type: text/plain; charset=utf-8' --post-file="$work/inventory" -O "$work/reply" "$target" 2>"$work/log" || true
    code=$(sed -n 's/^ *HTTP\/[0-9.]* \([0-9]*\).*/\1/p' "$work/log" | tail -n 1)
  else
    fail 'needs curl or GNU wget'
  fi
  case $code in
  200) cat "$work/reply" && echo ;;
  401 | 403) fail "$PATCH_ADDRESS refused the key ($code). It was revoked, has expired or is no enrolment key; run the line of a new one. $(cat "$work/reply")" ;;
  429) fail "$PATCH_ADDRESS takes no more reports at the moment (429). Try again in a minute" ;;
  [1-9]*) fail "$PATCH_ADDRESS refused the report ($code): $(head -c 1000 "$work/reply")" ;;
  *) fail "could not reach $PATCH_ADDRESS: $(grep -iE 'curl:|error|failed|unable|timed' "$work/log" | head -n 2) (https_proxy sets a proxy, PATCH_CA a private certificate authority)" ;;
  esac
}

fetch() {
  if has curl; then
    curl -fsSL --max-time 60 ${PATCH_CA:+--cacert "$PATCH_CA"} -o "$2" "$1"
  else
    wget -q -T 60 ${PATCH_CA:+--ca-certificate="$PATCH_CA"} -O "$2" "$1"
  fi
}

report() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  inventory >"$work/inventory"
  send
}

install_timer() {
  if [ -d /run/systemd/system ]; then
    printf '[Unit]\nDescription=Report to the Patch Repository\nWants=network-online.target\nAfter=network-online.target\n\n[Service]\nType=oneshot\nExecStart=%s\nTimeoutStartSec=15min\n' "$program" >"$units/patch-report.service"
    printf '[Unit]\nDescription=Report to the Patch Repository\n\n[Timer]\nOnCalendar=00/4:00\nRandomizedDelaySec=2h\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n' >"$units/patch-report.timer"
    systemctl daemon-reload
    systemctl enable --now patch-report.timer
  elif [ -d /etc/cron.d ]; then
    printf '%s */4 * * * root %s >/dev/null\n' "$(($$ % 60))" "$program" >/etc/cron.d/patch-report
  else
    echo "patch-report: found neither systemd nor cron; run $program regularly" >&2
  fi
}

case ${1:-report} in
print) inventory ;;
report)
  [ -r "$settings" ] || fail "cannot read $settings; run: PATCH_KEY=KEY patch-report.sh install ADDRESS"
  # shellcheck source=/dev/null
  . "$settings"
  report
  ;;
install)
  case ${PATCH_TAGS:-} in *[!A-Za-z0-9,._-]*) fail 'PATCH_TAGS may have letters, digits, dots, hyphens, underscores and commas' ;; esac
  case "$#${PATCH_KEY:+key}" in 2key) ;; *) fail 'usage: PATCH_KEY=KEY patch-report.sh install ADDRESS' ;; esac
  [ "$(id -u)" = 0 ] || fail 'install needs root'
  PATCH_ADDRESS=${2%/}
  report # Nothing is stored when it fails.
  fetch "$PATCH_ADDRESS/api/collectors/patch-report.sh" "$work/program"
  (
    umask 077
    for name in PATCH_ADDRESS PATCH_KEY PATCH_CA PATCH_TAGS https_proxy http_proxy no_proxy; do
      eval "value=\${$name:-}"
      [ -z "$value" ] || printf "%s='%s'\nexport %s\n" "$name" "$(printf %s "$value" | sed "s/'/'\\\\''/g")" "$name"
    done >"$settings"
  )
  chmod 600 "$settings"
  cp "$work/program" "$program"
  chmod 755 "$program"
  install_timer
  ;;
uninstall)
  [ ! -d /run/systemd/system ] || systemctl disable --now patch-report.timer 2>/dev/null || true
  rm -f "$settings" "$program" "$units/patch-report.service" "$units/patch-report.timer" /etc/cron.d/patch-report
  ;;
*) fail "unknown command '$1'; known are: print, report, install, uninstall" ;;
esac
