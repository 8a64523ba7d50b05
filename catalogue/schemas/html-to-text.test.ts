import { expect, test } from 'vitest';
import { htmlToText } from './html-to-text.ts';

test.each([
  ['plain  words\nover two lines', 'plain words over two lines'],
  ['<p>One</p><p>Two<br>Three<br/></p>', 'One\n\nTwo\nThree'],
  ['<ul><li>a</li>\n<li><b>b</b></li></ul>', '- a\n- b'],
  ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
  [
    'a &lt;script&gt; &amp;amp; &#233; &#x2019; &nbsp;b &unknown; &#0; &#xD800;',
    'a <script> &amp; é ’ b &unknown; &#0; &#xD800;',
  ],
  [
    '<!DOCTYPE html><html><head><title>t</title><style>p{}</style></head><body>x<!-- c > d -->y</body></html>',
    'xy',
  ],
  ['a<SCRIPT type="a>b">alert("1 < 2")</script >b', 'ab'],
  ['<a href="x>y" onclick=\'z\'>link</a>', 'link'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['<script>never closed', 'never closed'],
  ['broken <b', 'broken <b'],
  ['<!-- never closed', ''],
  ['', ''],
])('converts %s', (html, text) => {
  expect(htmlToText(html)).toBe(text);
});

test('leaves no markup that removed markup would form', () => {
  expect(htmlToText('<scr<script>x</script>ipt>alert(1)</script>')).not.toMatch(/<script/i);
});

/** Unclosed markup must not make the reader search to the end from every position. */
const openEnded: readonly (readonly [string, string])[] = [
  ['tags', '<a '],
  ['tags with a quote', '<a "'],
  ['tags with either quote', `<a "<b '`],
  ['scripts', '<script>'],
  ['scripts with an invalid end tag', '<script></script '],
  ['styles and titles', '<style><title>'],
  ['comments', '<!-'],
  ['declarations', '<!'],
  ['references', '&#'],
  ['spaces', ' \t'],
  ['less-than signs', '<'],
];

test('reads open tags before an unclosed quote', () => {
  const html = `${'<a '.repeat(500_000)}">`;
  expect(htmlToText(html).startsWith('<a <a')).toBe(true);
});

// Quadratic work on a million characters takes minutes, so the test's time limit fails it.
test.each(openEnded)('reads a text full of open %s to its end', (_, unit) => {
  const html = unit.repeat(Math.ceil(1_000_000 / unit.length));
  expect(htmlToText(html).length).toBeLessThanOrEqual(html.length);
});

test.each([
  ['<a title="1 > 2" href=\'x"y\'>link</a>', 'link'],
  ['<a <b>bold</b>', 'bold'],
  [`<a <b <i ">text</i>`, '<a <b <i ">text'],
  ['<a title="never closed>text', '<a title="never closed>text'],
  ['<script>one</script><script>two', 'two'],
])('reads %s as %s', (html, text) => {
  expect(htmlToText(html)).toBe(text);
});
