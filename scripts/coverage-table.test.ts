import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CoverageLine, coverageLines, testTitles } from './coverage-table.ts';
import { importsOf, literalConstantsOf, namesFrom } from './imported-constants.ts';
import { sourceFiles } from './source-files.ts';

const root = join(import.meta.dirname, '..');

describe('docs/coverage.md', () => {
  const text = readFileSync(join(root, 'docs', 'coverage.md'), 'utf8');
  const lines = coverageLines(text);

  test('has a line for every behaviour of sections 2 to 9, each once', () => {
    const ids = lines.map(({ id }) => id);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
    // Fewer than at the beginning would mean that behaviours were forgotten.
    const least: Readonly<Record<string, number>> = {
      2: 69,
      3: 29,
      4: 27,
      5: 25,
      6: 3,
      7: 25,
      8: 9,
      9: 10,
    };
    for (const [section, count] of Object.entries(least)) {
      const found = ids.filter((id) => id.startsWith(`${section}.`)).length;
      expect(found, `lines of section ${section}`).toBeGreaterThanOrEqual(count);
    }
  });

  test('names a test for every line, and every named test is there and runs', () => {
    expect(problemsOf(lines)).toEqual([]);
  });

  const specified = 'catalogue/testing/specified.ts';

  test('its expectations are copied from the specification: their file imports nothing', () => {
    expect(importsOf(root, specified)).toEqual([]);
  });

  test('no named test takes a figure or a text from the product', () => {
    const files = new Set(lines.flatMap(({ tests }) => tests.map(({ file }) => file)));
    expect(files.size).toBeGreaterThan(60);
    expect(
      [...files].flatMap((file) =>
        literalConstantsOf(root, file).map((name) => `${file} imports ${name}`),
      ),
    ).toEqual([]);
  });

  test('says which rules no form uses', () => {
    const folder = 'contract/form-rules';
    const rule =
      /^export const (\w+)(?:: FormRule|\s*=\s*(?:<[^>]+>)?\s*\([^;]*?FormRule|\s*=\s*atMost| =$)/gm;
    const files = sourceFiles().filter(
      (file) => !isOfTests(file) && /^(catalogue|contract|server|console|client)\//.test(file),
    );
    const rules = files
      .filter((file) => file.startsWith(`${folder}/`))
      .flatMap((file) =>
        Array.from(readFileSync(join(root, file), 'utf8').matchAll(rule), ([, name = '']) => name),
      );
    const used = new Set(
      files.flatMap((file) => (mayUse(file) ? namesFrom(root, file, folder) : [])),
    );
    const [said = ''] = text.split('\n').filter((line) => line.startsWith('- 5: the rules'));
    expect(rules.length).toBeGreaterThan(25);
    expect(Array.from(said.matchAll(/`(\w+)`/g), ([, name]) => name)).toEqual(
      rules.filter((name) => !used.has(name)).toSorted(),
    );
  });

  test.each(
    '2.37, 3.8, 3.10, 3.16, 4.2, 7.13, 7.18, 8.3, 8.7, 9.1, 9.2, 9.3, 9.5, 9.6, 9.7, 9.8'.split(
      ', ',
    ),
  )('the tests of %s expect what the specification says', (id) => {
    const { tests = [] } = lines.find((line) => line.id === id) ?? {};
    expect(
      tests.filter(({ file }) => !importsOf(root, file).some((path) => path === specified)),
    ).toEqual([]);
  });
});

describe('docs/security.md', () => {
  const lines = coverageLines(readFileSync(join(root, 'docs', 'security.md'), 'utf8'));

  test('names a test for every line, and every named test is there and runs', () => {
    expect(lines.length).toBeGreaterThanOrEqual(25);
    expect(problemsOf(lines)).toEqual([]);
  });
});

const isOfTests = (file: string) => /\.test\.tsx?$|\/testing\//.test(file);
/** Reading every file as a program would take long. */
const mayUse = (file: string) =>
  file.startsWith('contract/form-rules/') ||
  readFileSync(join(root, file), 'utf8').includes('form-rules/');

function problemsOf(lines: readonly CoverageLine[]): string[] {
  return lines.flatMap(({ id, behaviour, tests }) => {
    if (tests.length === 0) return [`${id} has no test: ${behaviour}`];
    return tests.flatMap(({ file, title }) => {
      if (!existsSync(join(root, file))) return [`${id} names ${file}, which is not there`];
      return testTitles(root, file).has(title)
        ? []
        : [`${id} names a test that ${file} has not: ${title}`];
    });
  });
}

describe('the table', () => {
  test('is read line by line; a bar in a cell is escaped', () => {
    expect(
      coverageLines(
        '# Title\n| id | b | t |\n|---|---|---|\n| 2.1 | one \\| other | a.test.ts › x<br>b.test.ts › y z |\n| 2.2 | none | |\n',
      ),
    ).toEqual([
      {
        id: '2.1',
        behaviour: 'one | other',
        tests: [
          { file: 'a.test.ts', title: 'x' },
          { file: 'b.test.ts', title: 'y z' },
        ],
      },
      { id: '2.2', behaviour: 'none', tests: [] },
    ]);
    expect(() => coverageLines('| 2.1 | one | a.test.ts: x |')).toThrow(
      "A test is named as 'file › title'",
    );
    expect(() => coverageLines('| 2.1 | one | a › b | more |')).toThrow(
      'This is no line of the table',
    );
  });

  test('tests that do not run prove nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'titles-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(
      join(folder, 'some.test.ts'),
      `test('plain', () => {});
       describe('a group', () => { it("in it", () => {}); });
       test.each([1])('%s of a table', () => {});
       test.skip('skipped', () => {});
       test.todo('to be written');
       // test('in a comment', () => {});
       const words = "test('in words', () => {})";`,
    );
    expect([...testTitles(folder, 'some.test.ts')]).toEqual(['plain', 'in it', '%s of a table']);
  });
});

describe('constants that a test imports', () => {
  test('are found when they are figures or texts of the product', () => {
    const folder = mkdtempSync(join(tmpdir(), 'constants-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const files = {
      'sizes.ts':
        "export const most = 1_000;\nexport const words: string = 'Done.';\nexport const made = (n: number) => n;\nexport const own = [1];",
      'testing/fake.ts': 'export const port = 25;',
      'a.test.ts':
        "import { made, most as limit, words, own } from './sizes.ts';\nimport { port } from './testing/fake.ts';",
    };
    mkdirSync(join(folder, 'testing'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    expect(importsOf(folder, 'a.test.ts')).toEqual(['sizes.ts', 'testing/fake.ts']);
    expect(literalConstantsOf(folder, 'a.test.ts')).toEqual(['most', 'words', 'own']);
  });
});
