"""What libsolv (the library of dnf and zypper) says that an RPM machine needs, as JSON: {"records": {id: [[name, arch, installed, fixed]]}}.

Usage: rpm-updates.py INVENTORY_FOLDER FEED_MIRROR. Needs python3-solv. The advisories are those of the vendor's documents: updateinfo
where the vendor publishes it, and AlmaLinux's, Rocky's and CEFS's documents written as updateinfo. libsolv turns each package of an
update into a conflict with lower versions of the same name and architecture; an update is needed where an installed package has it.
"""
import bz2
import glob
import gzip
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
from xml.sax.saxutils import quoteattr

import solv


def os_release(folder):
    with open(os.path.join(folder, 'os-release')) as file:
        return dict(re.findall(r'^([A-Z_]+)="?([^"\n]*)"?$', file.read(), re.M))


def installed(folder):
    with open(os.path.join(folder, 'rpm-qa-qf.txt')) as file:
        for line in file:
            name, evr, arch, *_ = line.split()
            if name != 'gpg-pubkey':
                yield name, evr, arch


def updateinfo(updates):
    """updates: (id, [(name, epoch, version, release, arch)])"""
    lines = ['<?xml version="1.0" encoding="UTF-8"?><updates>']
    for key, packages in updates:
        lines.append(f'<update type="security" version="1"><id>{key}</id><title>{key}</title><pkglist><collection>')
        for fields in packages:
            given = zip(('name', 'epoch', 'version', 'release', 'arch'), fields)
            lines.append('<package ' + ' '.join(f'{name}={quoteattr(value)}' for name, value in given) + '/>')
        lines.append('</collection></pkglist></update>')
    return '\n'.join([*lines, '</updates>']).encode()


def nevra(text):
    """bash-0:4.4.20-5.el8.x86_64, with or without an epoch and .rpm"""
    text = re.sub(r'\.rpm$', '', text)
    name, version, rest = text.rsplit('-', 2)
    release, arch = rest.rsplit('.', 1)
    epoch, _, plain = version.rpartition(':')
    return name, epoch or '0', plain, release, arch


def alma(mirror, release):
    with open(f'{mirror}/errata.almalinux.org/{release}/errata.full.json') as file:
        for one in json.load(file)['data']:
            yield one['id'], [(p['name'], p['epoch'], p['version'], p['release'], p['arch']) for p in one['packages']]


def rocky(mirror, release):
    for path in glob.glob(f'{mirror}/apollo.build.resf.org/api/v3/advisories/index.json@page=*'):
        with open(path) as file:
            for one in json.load(file)['advisories']:
                # The Cloud SIG publishes its kernels (RXSA) for machines of the distribution.
                products = [f'Rocky Linux {release} x86_64', f'Rocky Linux SIG Cloud {release} x86_64']
                yield one['name'], [nevra(p['nevra']) for p in one['packages'] if p['product_name'] in products]


def centos(mirror, release):
    with bz2.open(f'{mirror}/cefs.steve-meier.de/errata.latest.xml.bz2') as file:
        for one in tree.parse(file).getroot():
            if release in [item.text for item in one.findall('os_release')]:
                packages = [nevra(item.text) for item in one.findall('packages')]
                # A few of them are for another release than their item.
                yield one.tag.replace('--', ':'), [p for p in packages if f'.el{release}' in p[3] or '.el' not in p[3]]


def opened(path):
    with open(path, 'rb') as file:
        data = file.read()
    if path.endswith('.gz'):
        return gzip.decompress(data)
    if path.endswith('.xz'):
        return lzma.decompress(data)
    if path.endswith('.zst'):
        return subprocess.run(['zstd', '-dc', path], capture_output=True, check=True).stdout
    return data


def vendor_updateinfo(pattern):
    for path in glob.glob(pattern, recursive=True):
        yield opened(path)


def documents(mirror, system):
    distribution, release = system['ID'], system['VERSION_ID']
    major = release.split('.')[0]
    if distribution == 'almalinux':
        path = f'{mirror}/errata.almalinux.org/{major}/errata.full.json'
        return [updateinfo(alma(mirror, major))] if os.path.exists(path) else []
    if distribution == 'rocky':
        return [updateinfo(rocky(mirror, major))]
    if distribution == 'centos':
        return [updateinfo(centos(mirror, major))]
    if distribution == 'ol':
        return list(vendor_updateinfo(f'{mirror}/yum.oracle.com/repo/OracleLinux/OL{major}/**/*updateinfo.xml*'))
    if distribution == 'opensuse-leap':
        return list(vendor_updateinfo(f'{mirror}/download.opensuse.org/update/leap/{release}/*/repodata/*updateinfo.xml*'))
    return []


def needed(folder, mirror):
    pool = solv.Pool()
    pool.setdisttype(solv.Pool.DISTTYPE_RPM)
    pool.setarch('x86_64')
    system = pool.add_repo('@System')
    pool.installed = system
    for name, evr, arch in installed(folder):
        one = system.add_solvable()
        one.name, one.evr, one.arch = name, re.sub(r'^0:', '', evr), arch
        one.add_deparray(solv.SOLVABLE_PROVIDES, pool.rel2id(one.nameid, one.evrid, solv.REL_EQ))
    system.internalize()
    updates = pool.add_repo('updates')
    scratch = tempfile.mkdtemp()
    for number, text in enumerate(documents(mirror, os_release(folder))):
        path = os.path.join(scratch, f'{number}-updateinfo.xml')
        with open(path, 'wb') as file:
            file.write(text)
        updates.add_updateinfoxml(solv.xfopen(path))
    shutil.rmtree(scratch)
    updates.internalize()
    pool.addfileprovides()
    pool.createwhatprovides()
    found = {}
    for update in updates.solvables:
        for dependency in update.lookup_deparray(solv.SOLVABLE_CONFLICTS):
            for one in pool.whatprovides(dependency):
                if one.isinstalled():
                    fixed = str(dependency).split(' < ')[1]
                    found.setdefault(update.name.replace('patch:', ''), []).append([one.name, one.arch, one.evr, fixed])
    return {'advisories': len(updates.solvables), 'records': found}


if __name__ == '__main__':
    print(json.dumps(needed(sys.argv[1], sys.argv[2])))
