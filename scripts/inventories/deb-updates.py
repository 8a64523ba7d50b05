"""What apt's own library says that a Debian or Ubuntu machine needs, as JSON: {"records": {id: [[name, arch, installed, fixed]]}}.

Usage: deb-updates.py INVENTORY_FOLDER FEED_MIRROR. Needs python3-apt, whose apt_pkg.version_compare is that of apt. Debian's advisories
are read from the lists of the security tracker and compared with source packages, Ubuntu's from the pages of notices and from the
database of notices, and compared with the binary and the source packages that they name.
"""
import bz2
import glob
import json
import os
import re
import sys

import apt_pkg

apt_pkg.init_system()


def os_release(folder):
    with open(os.path.join(folder, 'os-release')) as file:
        return dict(re.findall(r'^([A-Z_]+)="?([^"\n]*)"?$', file.read(), re.M))


def installed(folder):
    """(name, version, architecture, source, source version), without removed packages"""
    with open(os.path.join(folder, 'dpkg-query-source.txt')) as file:
        for line in file:
            state, name, version, arch, source, source_version = line.rstrip('\n').split('\t')
            if state.strip() == 'ii':
                yield name.split(':')[0], version, arch, source, source_version


def codename(mirror, system):
    family, release = system['ID'], system['VERSION_ID']
    with open(f'{mirror}/debian.pages.debian.net/distro-info-data/{family}.csv') as file:
        for line in file:
            version, _, series = line.split(',')[:3]
            if version.replace(' LTS', '') == release:
                return series
    raise SystemExit(f'{family} {release} is no release of distro-info-data')


def debian(mirror, series):
    for kind in ('DSA', 'DLA'):
        path = f'{mirror}/salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/{kind}/list'
        with open(path) as file:
            current = None
            for line in file:
                header = re.match(r'^\[[^]]+\]\s+((?:DSA|DLA)-\d+(?:-\d+)?)\b', line)
                fix = re.match(r'^\s+\[(\w+)\]\s+-\s+(\S+)\s+([^<\s]\S*)', line)
                if header:
                    current = header[1]
                elif fix and current and fix[1] == series:
                    yield current, [('source', fix[2], fix[3])]


def ubuntu(mirror, series):
    notices = {}
    with bz2.open(f'{mirror}/usn.ubuntu.com/usn-db/database.json.bz2') as file:
        for key, notice in json.load(file).items():
            release = notice['releases'].get(series)
            if release:
                binaries = release.get('allbinaries') or release.get('binaries') or {}
                named = [('binary', name, one.get('version', '')) for name, one in binaries.items()]
                sources = [('source', name, one.get('version', '')) for name, one in release.get('sources', {}).items()]
                notices[f'USN-{re.sub("^USN-", "", key)}'] = named + sources
    for path in glob.glob(f'{mirror}/ubuntu.com/security/notices.json@*'):
        with open(path) as file:
            for notice in json.load(file)['notices']:
                rows = notice['release_packages'].get(series, [])
                binaries = [('binary', row['name'], row['version']) for row in rows if not row['is_source']]
                sources = [('source', row['name'], row['version']) for row in rows if row['is_source']]
                if rows and notice['type'] == 'USN':
                    notices[notice['id']] = binaries + sources
    return notices.items()


def needed(folder, mirror):
    system = os_release(folder)
    series = codename(mirror, system)
    by_name, by_source = {}, {}
    for one in installed(folder):
        by_name.setdefault(one[0], []).append(one)
        by_source.setdefault(one[3], []).append(one)
    advisories = list((debian if system['ID'] == 'debian' else ubuntu)(mirror, series))
    found = {}
    for key, fixes in advisories:
        for kind, name, fixed in fixes:
            for binary, version, arch, _, source_version in (by_name if kind == 'binary' else by_source).get(name, []):
                held = version if kind == 'binary' else source_version
                if fixed and apt_pkg.version_compare(held, fixed) < 0:
                    found.setdefault(key, []).append([binary, arch, held, fixed])
    return {'advisories': len(advisories), 'records': found}


if __name__ == '__main__':
    print(json.dumps(needed(sys.argv[1], sys.argv[2])))
