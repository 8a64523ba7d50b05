/** The table of docs/coverage.md: every behaviour of the specification, a line each, with the tests that prove it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CallExpression,
  type Expression,
  type Import,
  parseSync,
  type Super,
} from '@swc/core';

export interface ProvingTest {
  /** Relative to the root. */
  readonly file: string;
  /** As it is written in the file, placeholders of a table included. */
  readonly title: string;
}

export interface CoverageLine {
  /** Section of the specification and a running number: '2.14'. */
  readonly id: string;
  readonly behaviour: string;
  readonly tests: readonly ProvingTest[];
}

/** A line is `| 2.14 | behaviour | file › title<br>file › title |`; a bar inside a cell is written `\|`. Throws on a line of the table that is none. */
export function coverageLines(text: string): readonly CoverageLine[] {
  return cellsOf(text).map(([id, behaviour, tests]) => ({
    id,
    behaviour,
    tests: tests === '' ? [] : tests.split('<br>').map(provingTest),
  }));
}

function cellsOf(
  text: string,
): readonly (readonly [id: string, behaviour: string, rest: string])[] {
  const lines = text.split('\n').filter((line) => /^\| *\d/.test(line));
  return lines.map((line) => {
    const [, id = '', behaviour = '', rest = '', ...more] = line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
    if (!/^\d+\.\d+$/.test(id) || behaviour === '' || more.length !== 1)
      throw new Error(`This is no line of the table: ${line}`);
    return [id, behaviour, rest];
  });
}

function provingTest(cell: string): ProvingTest {
  const [file = '', title = '', ...rest] = cell.trim().split(' › ');
  if (file === '' || title === '' || rest.length > 0)
    throw new Error(`A test is named as 'file › title', not as '${cell}'`);
  return { file, title };
}

/** The titles of the tests that a file runs, as they are written there. Tests that are skipped or still to be written are none. */
export function testTitles(root: string, file: string): ReadonlySet<string> {
  const titles = new Set<string>();
  visit(
    parseSync(readFileSync(join(root, file), 'utf8'), {
      syntax: 'typescript',
      tsx: file.endsWith('x'),
    }),
  );
  return titles;

  function visit(node: unknown): void {
    if (Array.isArray(node)) for (const each of node) visit(each);
    else if (typeof node === 'object' && node !== null) {
      if (isCall(node) && isTest(node.callee))
        titles.add(writtenTitle(node.arguments[0]?.expression));
      for (const value of Object.values(node)) visit(value);
    }
  }
}

const isCall = (node: object): node is CallExpression =>
  (node as Partial<CallExpression>).type === 'CallExpression';

/** `test(…)`, `it(…)`, `test.each(…)(…)`, `test.for(…)(…)`; not `test.skip(…)`. */
function isTest(callee: Expression | Super | Import): boolean {
  if (callee.type === 'Identifier') return callee.value === 'test' || callee.value === 'it';
  const of =
    callee.type === 'CallExpression'
      ? callee.callee
      : callee.type === 'TaggedTemplateExpression'
        ? callee.tag
        : null;
  if (of?.type !== 'MemberExpression' || of.property.type !== 'Identifier') return false;
  return ['each', 'for'].includes(of.property.value) && isTest(of.object);
}

/** Of a template the text between its placeholders, which are written `…`. */
function writtenTitle(title: Expression | undefined): string {
  if (title?.type === 'StringLiteral') return title.value;
  return title?.type === 'TemplateLiteral' ? title.quasis.map(({ raw }) => raw).join('…') : '';
}
