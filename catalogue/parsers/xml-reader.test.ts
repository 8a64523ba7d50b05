import { expect, test } from 'vitest';
import { child, children, childText, type XmlElement, type XmlFault } from './xml-element.ts';
import { xmlRecords } from './xml-reader.ts';

async function* cut(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function read(
  text: string,
  paths: string[],
  onFault?: (fault: XmlFault) => void,
  size = 7,
): Promise<XmlElement[]> {
  const records: XmlElement[] = [];
  for await (const record of xmlRecords(
    cut(text, size),
    paths,
    onFault === undefined ? {} : { onFault },
  ))
    records.push(record);
  return records;
}

const updates = `<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment --><u:updates xmlns:u="http://example.org/u" xmlns="http://example.org/default">
  <update from="a &amp; b" status="final"><id> ONE </id><title>&lt;b&gt; &#x41;<![CDATA[<raw>]]></title><id>second</id></update>
  <other><update><id>not at this path</id></update></other>
  <u:update
    u:status="final"
    ><u:id/></u:update>
</u:updates>`;

test('yields elements by their path of local names, however the text is cut', async () => {
  for (const size of [1, 7, 10_000]) {
    const [one, two, ...more] = await read(updates, ['updates/update'], undefined, size);
    expect(more).toEqual([]);
    expect(one?.attributes).toEqual({ from: 'a & b', status: 'final' });
    expect(childText(one, 'id')).toBe('ONE');
    expect(children(one, 'id').map(({ text }) => text)).toEqual([' ONE ', 'second']);
    expect(child(one, 'title')?.text).toBe('<b> A<raw>');
    expect(two?.attributes).toEqual({ status: 'final' });
    expect(childText(two, 'id')).toBeNull();
  }
});

test('yields several paths in document order, with a nested record inside of the outer one', async () => {
  const records = await read('<a><c>1</c><b>2<b>3</b></b><c>4</c></a>', ['a/b', 'a/c', 'a/b/b']);
  expect(records.map(({ name, text }) => name + text)).toEqual(['c1', 'b2', 'c4']);
  expect(records[1]?.children.map(({ text }) => text)).toEqual(['3']);
});

test('matches any name with a star', async () => {
  const records = await read('<a><b-1 of="b"><c>1</c></b-1><x:d>2</x:d><e><f/></e></a>', ['a/*']);
  expect(records.map((record) => [record.name, record.children.length])).toEqual([
    ['b-1', 1],
    ['d', 0],
    ['e', 1],
  ]);
  const deeper = await read('<a><b>1</b><e><f>2</f><g>3</g></e></a>', ['a/e/*']);
  expect(deeper.map(({ text }) => text)).toEqual(['2', '3']);
});

test('never expands declarations of a DTD', async () => {
  const bomb =
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "&x;&x;">]><a><b>&y;</b></a>';
  await expect(read(bomb, ['a/b'])).rejects.toThrow('undefined entity');
  const faults: XmlFault[] = [];
  const [record] = await read(bomb, ['a/b'], (fault) => faults.push(fault));
  expect(record?.text).toBe('&y;');
  expect(faults).toHaveLength(1);
});

test('throws the first fault with its line, or reports it and continues', async () => {
  const broken =
    '<updates>\n<update><title>libX <tr> fix</title><id>ONE</id></update>\n<update><id>TWO</id></update></updates>';
  await expect(read(broken, ['updates/update'])).rejects.toThrow(
    'not well formed at line 2: unexpected close tag',
  );
  const faults: XmlFault[] = [];
  const records = await read(broken, ['updates/update'], (fault) => faults.push(fault));
  expect(records.map((record) => childText(record, 'id'))).toEqual(['ONE', 'TWO']);
  expect(faults.map(({ line, problem, record }) => [line, problem, record === records[0]])).toEqual(
    [[2, 'unexpected close tag', true]],
  );
});

test('ignores an end tag that matches no open element', async () => {
  const broken =
    '<updates></p><update><title>libX</tr> fix<b></i>es</title><id>ONE</id></update></br><update><id>TWO</id></update></updates>';
  await expect(read(broken, ['updates/update'])).rejects.toThrow('not well formed');
  const faults: XmlFault[] = [];
  const records = await read(broken, ['updates/update'], (fault) => faults.push(fault));
  expect(records.map((record) => childText(record, 'id'))).toEqual(['ONE', 'TWO']);
  expect(childText(records[0], 'title')).toBe('libX</tr> fix');
  expect(faults.map(({ problem }) => problem)).toEqual([
    'unmatched closing tag: p',
    'unmatched closing tag: tr',
    'unmatched closing tag: i',
    'unexpected close tag',
    'unmatched closing tag: br',
  ]);
});

test('throws on a truncated document even when it reports faults', async () => {
  for (const end of [
    '<updates><update><id>ONE</id></update><',
    '<updates><update>',
    '<updates>',
    '',
    ' ',
  ]) {
    await expect(read(end, ['updates/update'], () => undefined)).rejects.toThrow(
      'not well formed at line 1',
    );
  }
});

test('reports text that is served instead of XML', async () => {
  await expect(read(' {"value":[]}', ['a/b'])).rejects.toThrow('it is JSON where XML was expected');
  await expect(read('Service unavailable', ['a/b'])).rejects.toThrow('it is not XML');
  await expect(read('<html><body/></html>', ['a/b', 'a/c'])).rejects.toThrow(
    'its outermost element is <html>, not <a>',
  );
});

test('ends a record without an end tag where the next one begins', async () => {
  const lost = (stray: string) =>
    `<updates><update><id>ONE</id><list><item/>${stray}<update><id>TWO</id></update><update><id>THREE</id></update></updates>`;
  for (const stray of ['', '</list>']) {
    const faults: XmlFault[] = [];
    const records = await read(lost(stray), ['updates/update'], (fault) => faults.push(fault));
    expect(records.map((record) => childText(record, 'id'))).toEqual(['ONE', 'TWO', 'THREE']);
    expect(faults).toMatchObject([{ problem: '<update> has no end', record: records[0] }]);
    const ids = await read(lost(stray), ['updates/update/id'], () => undefined);
    expect(ids.map(({ text }) => text)).toEqual(['ONE', 'TWO', 'THREE']);
    await expect(read(lost(stray), ['updates/update'])).rejects.toThrow('not well formed');
  }
});
