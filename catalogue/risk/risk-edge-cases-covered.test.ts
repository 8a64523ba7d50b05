/** Every odd file of the risk sources has a test that reads it. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWithRiskEdgeCases, riskEdgeCases } from '../testing/risk-edge-cases.ts';

describeWithRiskEdgeCases('the odd files of the risk sources', () => {
  test('each has a test that names it', () => {
    const folder = new URL('./', import.meta.url);
    const tests = globSync('*-on-mirror.test.ts', { cwd: folder })
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n');
    const files = globSync('*', { cwd: riskEdgeCases }).filter((name) => name !== 'README.md');
    expect(files.length).toBeGreaterThan(15);
    expect(files.filter((name) => !tests.includes(name.replace(/\.json\.gz$/, '')))).toEqual([]);
  });
});
