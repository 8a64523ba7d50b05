#!/bin/sh
# Reports which packages this machine has to a Patch Repository. It reads; it installs and changes no package.
#
#   patch-report.sh print                shows what a report contains
#   patch-report.sh install ADDRESS KEY  stores both, reports, and reports every four hours
#   patch-report.sh                      reports once
#   patch-report.sh uninstall            removes script, settings and timer
#
# Needs curl or wget. https_proxy and no_proxy are used, also by the timer when they are set at the installation.
# A private certificate authority: PATCH_CA=/path/of/ca.pem.
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
  if has dpkg-query; then
    dpkg-query -W -f='${Package} ${Version} ${Architecture} ${db:Status-Abbrev} ${source:Package} ${source:Version}\n'
  elif has rpm; then
    # Old versions of rpm know neither tag and print nothing with them.
    rpm -qa --qf '%{NAME} %{EPOCHNUM}:%{VERSION}-%{RELEASE} %{ARCH} %{MODULARITYLABEL}\n' 2>/dev/null ||
      rpm -qa --qf '%{NAME} %{EPOCH}:%{VERSION}-%{RELEASE} %{ARCH}\n' | sed 's/ (none):/ 0:/'
  else
    fail 'found neither dpkg-query nor rpm'
  fi
}

# The machine's own identifier is not sent, only a hash of it.
machine_key() {
  for file in /etc/machine-id /var/lib/dbus/machine-id; do
    if [ -s "$file" ]; then
      printf 'patch-report %s' "$(cat "$file")" | sha256sum | cut -c 1-32
      return
    fi
  done
  fail 'found no /etc/machine-id; create it with systemd-machine-id-setup or dbus-uuidgen'
}

# Writes the reply to stdout. The key is in a file that only its owner reads, never in the list of processes.
send() {
  target="$1/api/machines/report?key=$(machine_key)&name=$(uname -n)"
  if has curl; then
    printf 'header = "Authorization: Apikey %s"\n' "$2" >"$work/request"
    code=$(curl -sS --max-time 120 ${PATCH_CA:+--cacert "$PATCH_CA"} -K "$work/request" -o "$work/reply" \
      -w '%{http_code}' -H 'Content-Type: text/plain; charset=utf-8' --data-binary "@$work/inventory" "$target") ||
      fail "could not reach $1"
    [ "$code" = 200 ] || fail "the report was refused ($code): $(cat "$work/reply")"
  elif has wget; then
    printf 'header = Authorization: Apikey %s\n' "$2" >"$work/request"
    WGETRC="$work/request" wget -nv -T 120 -t 1 ${PATCH_CA:+--ca-certificate="$PATCH_CA"} -O "$work/reply" -o "$work/log" \
      --content-on-error --header='Content-Type: text/plain; charset=utf-8' --post-file="$work/inventory" "$target" ||
      fail "the report was refused, or $1 could not be reached: $(cat "$work/log" "$work/reply" 2>/dev/null)"
  else
    fail 'needs curl or wget'
  fi
  cat "$work/reply"
  echo
}

fetch() {
  if has curl; then
    curl -fsSL --max-time 60 ${PATCH_CA:+--cacert "$PATCH_CA"} -o "$2" "$1"
  else
    wget -q -T 60 ${PATCH_CA:+--ca-certificate="$PATCH_CA"} -O "$2" "$1"
  fi
}

report() {
  [ -r "$settings" ] || fail "cannot read $settings; run: patch-report.sh install ADDRESS KEY"
  # shellcheck source=/dev/null
  . "$settings"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  chmod 700 "$work"
  inventory >"$work/inventory"
  send "$PATCH_ADDRESS" "$PATCH_KEY"
}

quoted() {
  printf "%s='%s'\nexport %s\n" "$1" "$(printf %s "$2" | sed "s/'/'\\\\''/g")" "$1"
}

install_timer() {
  if [ -d /run/systemd/system ]; then
    printf '[Unit]\nDescription=Report to the Patch Repository\nWants=network-online.target\nAfter=network-online.target\n\n[Service]\nType=oneshot\nExecStart=%s\n' "$program" >"$units/patch-report.service"
    printf '[Unit]\nDescription=Report to the Patch Repository\n\n[Timer]\nOnCalendar=00/4:00\nRandomizedDelaySec=2h\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n' >"$units/patch-report.timer"
    systemctl daemon-reload
    systemctl enable --now patch-report.timer
  elif [ -d /etc/cron.d ]; then
    printf '%s */4 * * * root %s >/dev/null\n' "$(($$ % 60))" "$program" >/etc/cron.d/patch-report
  else
    echo "patch-report: found neither systemd nor cron; run $program regularly" >&2
  fi
}

case "${1:-report}" in
print) inventory ;;
report) report ;;
install)
  [ $# -eq 3 ] || fail 'usage: patch-report.sh install ADDRESS KEY'
  [ "$(id -u)" = 0 ] || fail 'install needs root'
  (
    umask 077
    quoted PATCH_ADDRESS "${2%/}"
    quoted PATCH_KEY "$3"
    for name in PATCH_CA https_proxy http_proxy no_proxy; do
      eval "value=\${$name:-}"
      [ -z "$value" ] || quoted "$name" "$value"
    done
  ) >"$settings"
  chmod 600 "$settings"
  fetch "${2%/}/api/collectors/patch-report.sh" "$program"
  chmod 755 "$program"
  "$program"
  install_timer
  ;;
uninstall)
  [ ! -d /run/systemd/system ] || systemctl disable --now patch-report.timer 2>/dev/null || true
  rm -f "$settings" "$program" "$units/patch-report.service" "$units/patch-report.timer" /etc/cron.d/patch-report
  ;;
*) fail "unknown command '$1'; known are: print, report, install, uninstall" ;;
esac
