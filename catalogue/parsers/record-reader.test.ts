import { expect, test } from 'vitest';
import { RecordPaths } from './record-paths.ts';
import { RecordReader } from './record-reader.ts';
import type { XmlFault } from './xml-fault.ts';

function readerOf(path: string, onFault?: (fault: XmlFault) => void): RecordReader {
  return new RecordReader(new RecordPaths([path], () => false), onFault);
}

test('a piece gives the records that end in it, each once', () => {
  const reader = readerOf('a/b');
  expect(reader.read('<a><b>1')).toEqual([]);
  expect(reader.read('</b><b>2</b><b n="3">').map(({ text }) => text)).toEqual(['1', '2']);
  expect(reader.read('</b></a>').map(({ attributes }) => attributes)).toEqual([{ n: '3' }]);
  expect(reader.end()).toEqual([]);
});

test('a fault outside of all records has no record, one behind a record has that', () => {
  const faults: XmlFault[] = [];
  const reader = readerOf('a/b', (fault) => faults.push(fault));
  const [record] = reader.read('<a></x>\n<b>1</b></y></a>');
  expect(faults).toEqual([
    { line: 1, problem: 'unmatched closing tag: x', record: null },
    { line: 2, problem: 'unmatched closing tag: y', record },
  ]);
});

test('the first piece with more than space decides whether it is XML', () => {
  const reader = readerOf('a/b');
  expect(reader.read(' \n')).toEqual([]);
  expect(() => reader.read('{"a":1}')).toThrow('it is JSON where XML was expected');
});

test('elements nested too deeply are refused', () => {
  expect(() => readerOf('a/b').read(`<a><b>${'<c>'.repeat(600)}`)).toThrow(
    'elements are nested more than 500 deep at line 1',
  );
});
