"""Which KBs WES-NG's rule finds missing on a Windows machine, as JSON: {"records": {KB: [[product, component, installed, superseded]]}}.

Usage: wes-updates.py INVENTORY_FOLDER FEED_MIRROR. The rule is that of wes.py (determine_missing_patches): all fixes of Microsoft's guide
whose product contains the machine's product, without those that are installed and those that another fix of the product supersedes,
directly or through others. It is written here over the documents of the mirror, because WES-NG's definitions cover other months.
"""
import glob
import json
import os
import re
import sys
import xml.etree.ElementTree as tree

PRODUCTS = {
    '7601': ('Windows 7 for x64-based Systems Service Pack 1', None),
    '9600': (None, 'Windows Server 2012 R2'),
    '17134': ('Windows 10 Version 1803 for x64-based Systems', None),
    '17763': ('Windows 10 Version 1809 for x64-based Systems', 'Windows Server 2019'),
    '19043': ('Windows 10 Version 21H1 for x64-based Systems', None),
    '19045': ('Windows 10 Version 22H2 for x64-based Systems', None),
    '20348': (None, 'Windows Server 2022'),
    '22621': ('Windows 11 Version 22H2 for x64-based Systems', None),
    '22631': ('Windows 11 Version 23H2 for x64-based Systems', None),
    '26100': ('Windows 11 Version 24H2 for x64-based Systems', 'Windows Server 2025'),
}


def text_of(folder):
    parts = []
    for name in ('systeminfo.txt', 'get-hotfix.txt', 'wmic-qfe.txt'):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path, 'rb') as file:
                data = file.read()
            wide = data[:2] in (b'\xff\xfe', b'\xfe\xff')
            parts.append(data.decode('utf-16' if wide else 'latin-1'))
    return '\n'.join(parts)


def local(element):
    return element.tag.rsplit('}', 1)[-1]


def child(element, name):
    return next((one.text or '' for one in element if local(one) == name), '').strip()


def fixes(mirror, product):
    """(KB, superseded KB or an empty text, product, component)"""
    for path in sorted(glob.glob(f'{mirror}/api.msrc.microsoft.com/cvrf/v3.0/cvrf/*')):
        root = tree.parse(path).getroot()
        names = {one.get('ProductID'): one.text or '' for one in root.iter() if local(one) == 'FullProductName'}
        for one in root.iter():
            if local(one) != 'Remediation' or one.get('Type') != 'Vendor Fix':
                continue
            kb = re.fullmatch(r'(?:KB)?(\d{6,7})', child(one, 'Description'))
            for item in one:
                name = names.get(item.text or '', '') if local(item) == 'ProductID' else ''
                if kb and product in name and f'{product} Service Pack' not in name:
                    for older in re.findall(r'\d{6,7}', child(one, 'Supercedence')) or ['']:
                        yield kb[1], older, name, child(one, 'SubType')


def needed(folder, mirror):
    text = text_of(folder)
    build = re.search(r'\b(?:10\.0|6\.[1-3])\.(\d{4,5})\b', text)[1]
    client, server = PRODUCTS[build]
    product = server if re.search(r"Windows\W{0,3}Server", text) and server else client or server
    rows = list(fixes(mirror, product))
    replaces = {}
    for kb, older, *_ in rows:
        replaces.setdefault(kb, set()).add(older)
    # Installed ones, and what any fix of the product replaces, directly or through others.
    marked, waiting = set(), [*re.findall(r'KB(\d{6,7})', text), *(older for _, older, *_ in rows if older)]
    while waiting:
        kb = waiting.pop()
        if kb not in marked:
            marked.add(kb)
            waiting.extend(older for older in replaces.get(kb, ()) if older)
    found = {}
    for kb, older, name, component in rows:
        row = [name, component, '', older]
        if kb not in marked and row not in found.setdefault(f'KB{kb}', []):
            found[f'KB{kb}'].append(row)
    return {'advisories': len({kb for kb, *_ in rows}), 'product': product, 'records': found}


if __name__ == '__main__':
    print(json.dumps(needed(sys.argv[1], sys.argv[2])))
