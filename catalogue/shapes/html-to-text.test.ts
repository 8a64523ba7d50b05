import { expect, test } from 'vitest';
import { htmlToText } from './html-to-text.ts';

test.each([
  ['plain  words\nover two lines', 'plain words over two lines'],
  ['<p>One</p><p>Two<br>Three<br/></p>', 'One\n\nTwo\nThree'],
  ['<ul><li>a</li>\n<li><b>b</b></li></ul>', '- a\n- b'],
  ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
  ['a &lt;script&gt; &amp;amp; &#233; &#x2019; &nbsp;b &unknown; &#0; &#xD800;', 'a <script> &amp; é ’ b &unknown; &#0; &#xD800;'],
  ['<!DOCTYPE html><html><head><title>t</title><style>p{}</style></head><body>x<!-- c > d -->y</body></html>', 'xy'],
  ['a<SCRIPT type="a>b">alert("1 < 2")</script >b', 'ab'],
  ['<a href="x>y" onclick=\'z\'>link</a>', 'link'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['<script>never closed', 'never closed'],
  ['broken <b', 'broken <b'],
  ['<!-- never closed', ''],
  ['', ''],
])('%s', (html, text) => {
  expect(htmlToText(html)).toBe(text);
});

test('no markup outlives it', () => {
  expect(htmlToText('<scr<script>x</script>ipt>alert(1)</script>')).not.toMatch(/<script/i);
});
