import { expect, test } from 'vitest';
import { inOperatorBranches } from './in-operator-branches.ts';

test.each([
  [`if ('rejected' in reading) yield reading;`],
  [`const rows = read.filter((one) => !('key' in one));`],
  [`return 'why' in party ? party.why : null;`],
  [`error instanceof Error && 'code' in error`],
])('refuses %s', (line) => {
  expect(inOperatorBranches(`const a = 1;\n${line}\n`)).toEqual([2]);
});

test.each([
  [`if (reading.kind === 'rejection') yield reading;`],
  [`for (const name in names) count(name);`],
  [`// 'rejected' in reading was how it was found`],
  [` * 'rejected' in reading`],
  [`"lower(severity) in ('critical') and lower(title) = 'a'"`],
  [`["severity not in ('None')", 'in x']`],
  [`Object.hasOwn(change, 'open')`],
])('accepts %s', (line) => {
  expect(inOperatorBranches(line)).toEqual([]);
});
