import { expect, test } from 'vitest';
import { findReleaseCves, readSecurityIndex, readSecurityPage } from './apple-security-pages.ts';
import { findReleaseNames, type ReleaseName, toReleaseKey } from './macos-release-name.ts';

const index = 'https://support.apple.com/en-us/100100';
const parseName = (text: string) => findReleaseNames(text)[0] as ReleaseName;

test("reads pages of the index's own server, in each form of their address", () => {
  const html = `<table><tr><th>Name and information link</th></tr>
<tr><td><p><a class="x" href="/kb/HT205636">Safari 9.0.2</a></p></td><td>OS X Mavericks v10.9.5</td></tr>
<tr><td><a href='https://support.apple.com/128067'>macOS Tahoe 26.6</a></td></tr>
<tr><td><a href="http://docs.info.apple.com/article.html?artnum=307179">Security Update 2007-009</a></td></tr>
<tr><td><p>macOS Tahoe 26.5.1</p><p>This update has no published CVE entries.</p></td></tr>
<tr><td><p>macOS Tahoe 26.4.9</p></td></tr>
<tr><td><a href="/en-us/126604">Keynote 15.1</a></td></tr></table>
<p>See <a href="/en-us/121012">Apple security releases (2022 to 2023)</a> and <a href="/en-us/100100">Apple security releases</a>,
<a href="https://example.org/en-us/1">Apple security updates</a>.</p>`;
  const { releases, others } = readSecurityIndex(html, index);
  expect(releases.map(({ names, page }) => [names.map(toReleaseKey).join(), page])).toEqual([
    ['Safari 9.0.2', 'https://support.apple.com/en-us/HT205636'],
    ['macOS 26.6', 'https://support.apple.com/en-us/128067'],
    ['macOS 26.5.1', null],
  ]);
  expect(others).toEqual(['https://support.apple.com/en-us/121012']);
});

test.each([
  'Apple is aware of a report that this issue may have been exploited.',
  'Apple is aware of a report that this issue may have been actively exploited against versions of iOS released before iOS 15.1.',
  'Apple is aware of reports that an exploit for this issue exists in the wild.',
  'This issue may have been exploited in an extremely sophisticated attack.',
])('recognises "%s"', (sentence) => {
  const page = readSecurityPage(
    `<h2>macOS Tahoe 26.6</h2><p>Available for: macOS Tahoe</p><p>Impact: a</p><p>Description: b. ${sentence}</p><p>CVE-2031-1001: c</p>
     <p>Available for: macOS Tahoe</p><p>Impact: exploiting it may end the system</p><p>CVE-2031-1002: d</p><p>CVE-2031-1003</p>`,
  );
  expect(findReleaseCves(page, parseName('macOS 26.6'))).toEqual(
    new Map([
      ['CVE-2031-1001', true],
      ['CVE-2031-1002', false],
      ['CVE-2031-1003', false],
    ]),
  );
});

test('reads entries of older pages: CVEs before the impact, several per component, no candidates', () => {
  const page = readSecurityPage(
    `<h1>Safari 9.0.2</h1><ul><li><p>Available for: OS X</p><p>CVE-ID: CVE-2008-4309</p><p>Impact: a. It may have been exploited.</p>
     <p>CVE-ID</p><p>CVE-2009-2189 : Apple</p><p>CVE-2009-21x : Apple</p><p>Impact: b</p><p>CVE-IDs: CAN-2004-0493, CVE-2009-2190</p></li></ul>
     <p>Additional recognition</p><p>CVE-2009-9999: thanks</p>`,
  );
  expect(findReleaseCves(page, parseName('Safari 9.0.2'))).toEqual(
    new Map([
      ['CVE-2008-4309', true],
      ['CVE-2009-2189', true],
      ['CVE-2009-2190', false],
    ]),
  );
  expect(page.unknownCves).toEqual(['CVE-2009-21x']);
});

test('returns no CVEs of a system that a page of several systems does not state', () => {
  const page = readSecurityPage(
    '<h1>macOS Mojave 10.14.4, Security Update 2019-002 High Sierra</h1><p>Available for: macOS High Sierra 10.13.6</p><p>CVE-2019-8550: x</p>',
  );
  expect(findReleaseCves(page, parseName('Security Update 2019-002 High Sierra'))).toEqual(
    new Map([['CVE-2019-8550', false]]),
  );
  expect(findReleaseCves(page, parseName('macOS Mojave 10.14.4'))).toEqual(new Map());
  expect(findReleaseCves(page, parseName('Security Update 2019-002'))).toBeNull();
  expect(findReleaseCves(page, parseName('macOS Catalina 10.15'))).toBeNull();
});

test('reads a page with unclosed tags quickly', () => {
  const { releases } = readSecurityIndex('<tr><a href="/en-us/1">Safari 9.0.2'.repeat(5000), index);
  expect(releases).toHaveLength(5000);
  expect(readSecurityPage('<h1><h2>Safari 9.0.2'.repeat(5000)).names).toHaveLength(5000);
});
