import { expect, test } from 'vitest';
import { completions } from './completions.ts';
import { getField } from './definition/list-definition.ts';

test.each(
  completions.map(
    (completion) => [`${completion.of.key} from ${completion.from.key}`, completion] as const,
  ),
)(
  '%s: both have the field, and what is gained is of the detail',
  (_name, { of, from, by, gained }) => {
    expect([getField(of, by).kind, getField(from, by).kind]).toEqual(['identifier', 'identifier']);
    const names = Object.keys({ ...of.detail.facts, ...of.detail.tables });
    for (const name of Object.keys(gained({}))) expect(names).toContain(name);
  },
);
