import { expect, test } from 'vitest';
import { withSection } from './page-sections.ts';

const page = '# Page\n\nWords.\n\n## One\n\nfirst\n\n### Within\n\n## Two\n\nsecond\n';

test('takes the place of the section with its heading, and leaves the others', () => {
  expect(withSection(page, '## One\n\nnew\n')).toBe(
    '# Page\n\nWords.\n\n## One\n\nnew\n\n## Two\n\nsecond\n',
  );
});

test('comes last where there was none, apart by an empty line', () => {
  expect(withSection('# Page\n| table |\n', '## New\n\nnew')).toBe(
    '# Page\n| table |\n\n## New\n\nnew\n',
  );
});

test('is not taken for a section whose heading only begins alike', () => {
  expect(withSection('## Reading\n\na\n\n## Reading more\n\nb\n', '## Reading\n\nnew')).toBe(
    '## Reading\n\nnew\n\n## Reading more\n\nb\n',
  );
});
