/** The products that a CSAF document names for records of macOS, Windows and live patches. */
import { expect, test } from 'vitest';
import { getList, type ListKey } from '../lists.ts';
import type { StoredValues } from '../machines/judgement/stored-values.ts';
import { readAdvisoryFixes } from './advisory-fixes.ts';
import { recordFixes } from './csaf-fixes.ts';
import { CsafProducts } from './csaf-products.ts';
import type { CsafBranch } from './csaf-types.ts';

const describeBranch = ({ category, name, branches = [] }: CsafBranch): readonly string[] =>
  branches.length === 0
    ? [`${category} ${name}`]
    : branches.flatMap((below) => describeBranch(below).map((text) => `${name}: ${text}`));

/** Returns the leaves of the product tree, without the vendor. */
function productsOf(list: ListKey, row: StoredValues, detail: StoredValues = {}) {
  const products = new CsafProducts('Vendor');
  recordFixes(getList(list), 'ID-1', { row, detail, withdrawn: null }, products);
  const [vendor] = products.tree().branches;
  return (vendor?.branches ?? []).flatMap(describeBranch);
}

const version = (product: string, number: string) => [
  `${product}: product_version_range <${number}`,
  `${product}: product_version ${number}`,
];
const patch = (product: string, name: string) => [
  `product_name ${product}`,
  `${product}: patch_level ${name}`,
];

test.each([
  ['macOS Sonoma 14.4', '14.4', ['14'], version('macOS 14', '14.4')],
  // No release before 26 is affected by what 26.3 fixes.
  ['macOS 26.3', '26.3', ['26'], version('macOS 26', '26.3')],
  ['macOS Catalina 10.15.7', '10.15.7', ['10.15'], version('macOS 10.15', '10.15.7')],
  // Versions of background security improvements do not compare.
  ['macOS 26.3.1 (a)', '26.3.1 (a)', ['26'], patch('macOS 26', 'macOS 26.3.1 (a) (ID-1)')],
  [
    'SecUpd2021-003Mojave 10.14.6',
    '10.14.6',
    ['10.14'],
    patch('macOS 10.14', 'SecUpd2021-003Mojave 10.14.6 (ID-1)'),
  ],
  ['macOSUpd10.15.7', '10.15.7', ['10.15'], patch('macOS 10.15', 'macOSUpd10.15.7 (ID-1)')],
  ['Safari 17.1', '17.1', ['12'], version('Safari', '17.1')],
  ['iWork Update 5 9.0.5', '9.0.5', [], patch('macOS', 'iWork Update 5 9.0.5 (ID-1)')],
  ['DVDPlayerUpdate_2005_06', null, [], patch('macOS', 'DVDPlayerUpdate_2005_06 (ID-1)')],
])('names the system of %s', (title, stated, osVersion, expected) => {
  expect(productsOf('macos_patch', { title, version: stated, osVersion })).toEqual(expected);
});

test.each([
  ['Windows Server 2022', '10.0.20348.5139', version('Windows Server 2022', '10.0.20348.5139')],
  [
    'Windows 11 Version 24H2 for x64-based Systems',
    '0.0.26100.4652',
    version('Windows 11 Version 24H2 for x64-based Systems', '10.0.26100.4652'),
  ],
  // Updates of Internet Explorer have the version of their package.
  ['Windows Server 2012 R2', '1.000', patch('Windows Server 2012 R2', 'ID-1')],
  [
    'Windows 10 Version 1809 for 32-bit Systems',
    '1.0.0.3',
    patch('Windows 10 Version 1809 for 32-bit Systems', 'ID-1'),
  ],
  [
    'Internet Explorer 11 on Windows Server 2012',
    '1.002',
    patch('Internet Explorer 11 on Windows Server 2012', 'ID-1'),
  ],
  [
    'Microsoft Office 2016 (64-bit edition)',
    '16.0.5495.1002',
    version('Microsoft Office 2016 (64-bit edition)', '16.0.5495.1002'),
  ],
])(
  'compares %s with the build %s only where it is one of the product',
  (productName, build, expected) => {
    const detail = { fixedBuild: [build] };
    expect(productsOf('patch_repository', { productName }, detail)).toEqual(expected);
  },
);

test('names a live patch by itself, without the versions of the kernels that it is for', () => {
  const kernel = {
    name: 'linux',
    osVersion: 'Ubuntu 22.04 LTS',
    is_source: true,
    pocket: 'livepatch',
    version: '104.1',
  };
  const row = { noticeId: 'LSN-0104-1', type: 'LSN' };
  const detail = { releasePackages: [kernel] };
  expect(productsOf('linux_notice', row, detail)).toEqual(patch('Ubuntu 22.04 LTS', 'ID-1'));
  expect(readAdvisoryFixes({ row, detail, withdrawn: null })).toEqual([]);
});
