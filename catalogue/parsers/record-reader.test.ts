import { expect, test } from 'vitest';
import { RecordPaths } from './record-paths.ts';
import { RecordReader } from './record-reader.ts';
import type { XmlFault } from './xml-element.ts';

function createReader(path: string, onFault?: (fault: XmlFault) => void): RecordReader {
  return new RecordReader(new RecordPaths([path], () => false), onFault);
}

test('returns the records that end in a piece, each once', () => {
  const reader = createReader('a/b');
  expect(reader.read('<a><b>1')).toEqual([]);
  expect(reader.read('</b><b>2</b><b n="3">').map(({ text }) => text)).toEqual(['1', '2']);
  expect(reader.read('</b></a>').map(({ attributes }) => attributes)).toEqual([{ n: '3' }]);
  expect(reader.end()).toEqual([]);
});

test('reports a fault with the record before it, or without a record', () => {
  const faults: XmlFault[] = [];
  const reader = createReader('a/b', (fault) => faults.push(fault));
  const [record] = reader.read('<a></x>\n<b>1</b></y></a>');
  expect(faults).toEqual([
    { line: 1, problem: 'unmatched closing tag: x', record: null },
    { line: 2, problem: 'unmatched closing tag: y', record },
  ]);
});

test('detects by the first piece with more than space whether the text is XML', () => {
  const reader = createReader('a/b');
  expect(reader.read(' \n')).toEqual([]);
  expect(() => reader.read('{"a":1}')).toThrow('it is JSON where XML was expected');
});

test('refuses elements that are nested too deeply', () => {
  expect(() => createReader('a/b').read(`<a><b>${'<c>'.repeat(600)}`)).toThrow(
    'elements are nested more than 500 deep at line 1',
  );
});
