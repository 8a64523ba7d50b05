import { expect, test } from 'vitest';
import {
  decodeReferences,
  findUnknownMsrcWords,
  findUnknownRestarts,
  formatUpdateType,
  isBrokenKb,
  normaliseUpdateType,
  parseKb,
  parseSupersededKbs,
  toRestartBehaviour,
} from './msrc-words.ts';

test.each([
  ['5034441', 'KB5034441', false],
  [' KB5034441\n', 'KB5034441', false],
  ['kb 982018', 'KB982018', false],
  ['KB31909343', null, true],
  ['50185', null, true],
  ['Release Notes', null, false],
  ['Click to Run', null, false],
  ['python3', null, false],
  ['2.4.46-2', null, false],
  ['KB-Mariner', null, false],
  [null, null, false],
])('reads %j as the KB %j', (description, kb, broken) => {
  expect(parseKb(description)).toBe(kb);
  expect(isBrokenKb(description)).toBe(broken);
});

test.each([
  ['5034122', ['KB5034122']],
  ['KB5034122', ['KB5034122']],
  ['5020690, 5018549', ['KB5020690', 'KB5018549']],
  ['4345592;4346082', ['KB4345592', 'KB4346082']],
  ['4534251\n', ['KB4534251']],
  ['4534251<br><br>4534273<br>', ['KB4534251', 'KB4534273']],
  ['MS16-016, 3124280; MS16-097, 3178034', ['KB3124280', 'KB3178034']],
  ['MS16-099', []],
  ['5034122, 5034122', ['KB5034122']],
  ['None', []],
  ['50185', []],
  ['2.41.0', []],
  ['12345678', []],
  [undefined, []],
])('reads %j as a replacement of %j', (supercedence, kbs) => {
  expect(parseSupersededKbs(supercedence)).toEqual(kbs);
});

test('unifies the spellings of an update type', () => {
  for (const spelling of [
    'SecurityHotpatchUpdate',
    'Security Hotpatch Update',
    'Security HotPatch Update',
    'AzureHotpatch',
  ]) {
    expect(normaliseUpdateType(spelling)).toBe('Security Hotpatch Update');
  }
  expect(normaliseUpdateType('Monthly  Rollup\n')).toBe('Monthly Rollup');
  expect(normaliseUpdateType(' ')).toBeNull();
  expect(normaliseUpdateType(undefined)).toBeNull();
  expect(['Security Only', 'Monthly Rollup', null].map(formatUpdateType)).toEqual([
    'Security Only Update',
    'Monthly Rollup',
    'Security Update',
  ]);
});

test('takes the strictest of contradictory restart words', () => {
  expect(toRestartBehaviour(new Set(['no', 'maybe', 'yes']))).toBe('Required');
  expect(toRestartBehaviour(new Set(['no', 'maybe']))).toBe('Can request restart');
  expect(toRestartBehaviour(new Set(['no']))).toBe('Not required');
  expect(toRestartBehaviour(new Set())).toBeNull();
});

test('shows and reports an unknown restart word', () => {
  expect(toRestartBehaviour(new Set(['Twice', 'No']))).toBe('Not required');
  expect(toRestartBehaviour(new Set(['Twice', 'Once']))).toBe('Once');
  const unknown = (word: string) => ({ vocabulary: 'restart behaviour', word, shownAs: null });
  expect(findUnknownRestarts(new Set(['YES', 'Twice', 'maybe', 'Once']))).toEqual([
    unknown('Once'),
    unknown('Twice'),
  ]);
});

test('reports unknown severities and types', () => {
  const threat = (type: string, description: string) => ({ type, description, products: [] });
  const remediation = (type: string) => ({ type, description: null, products: [], words: {} });
  expect(
    findUnknownMsrcWords({
      threats: [
        threat('Severity', 'Urgent'),
        threat('Severity', 'Low'),
        threat('Impact', 'Spoofing'),
        threat('Impact', 'Novelty'),
        threat('Exploit', 'x'),
      ],
      remediations: [
        remediation('Vendor Fix'),
        remediation('Known Issues'),
        remediation('Known Issues'),
      ],
    }),
  ).toEqual([
    { vocabulary: 'severity', word: 'Urgent', shownAs: 'Unspecified' },
    { vocabulary: 'impact', word: 'Novelty', shownAs: null },
    { vocabulary: 'remediation type', word: 'Known Issues', shownAs: 'nothing' },
    { vocabulary: 'threat type', word: 'Exploit', shownAs: 'nothing' },
  ]);
});

test('decodes character references once', () => {
  expect(
    decodeReferences('ASP.NET &amp;\n Visual&nbsp;Studio &lt;b&gt; &#39;x&#x2019; &amp;amp;'),
  ).toBe("ASP.NET & Visual Studio <b> 'x’ &amp;");
  expect(decodeReferences('AT&T; &#0; &#xd800; &#x110000; &copy;')).toBe(
    'AT&T; &#0; &#xd800; &#x110000; &copy;',
  );
});
