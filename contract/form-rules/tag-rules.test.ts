import { describe, expect, test } from 'vitest';
import { mostPlainTags, type TagKind, tagKinds, tagsRule, wrongTag } from './tag-rules.ts';

describe('a tag that is to be added', () => {
  test.each<[TagKind, string, string]>([
    ['email', 'ops@example.org', 'ops@'],
    ['sms', '905551234567', '+90 555'],
    ['domain', 'example.org', 'example'],
  ])('of the kind %s can be %s, not %s', (kind, good, bad) => {
    expect(wrongTag(good, [], kind, 'F')).toBeNull();
    expect(wrongTag(bad, [], kind, 'F')).toMatch(/^F (field )?(must be|may only)/);
  });

  test.each(['text', 'plain'] as const)('of the kind %s can be any words', (kind) => {
    expect(wrongTag('Büro 3 & left', [], kind, 'F')).toBeNull();
  });

  test.each(tagKinds)('of the kind %s is refused when it is there already, however it is written', (kind) => {
    expect(wrongTag('OPS@Example.org', ['a@example.org', 'ops@example.org'], kind, 'Recipients')).toBe(
      'The same value already exists for Recipients',
    );
  });

  test('is the last when it is the fiftieth plain one; other kinds have no such end', () => {
    const tags = Array.from({ length: mostPlainTags - 1 }, (_, n) => `${n}`);
    expect(mostPlainTags).toBe(50);
    expect(wrongTag('x', tags, 'plain', 'F')).toBeNull();
    expect(wrongTag('x', [...tags, 'y'], 'plain', 'F')).toBe('F may have at most 50 entries');
    expect(wrongTag('x', [...tags, 'y'], 'text', 'F')).toBeNull();
  });
});

describe('the value of a picker', () => {
  test('is required, unless it is always in text mode', () => {
    for (const none of [[], null, undefined] as const) {
      expect(tagsRule('text')(none, 'F')).toBe('F field is required');
      expect(tagsRule('text', { alwaysText: true })(none, 'F')).toBeNull();
    }
  });

  test('is held to the same rules as what is added to it', () => {
    expect(tagsRule('email')(['a@example.org', 'b@example.org'], 'F')).toBeNull();
    expect(tagsRule('email')(['a@example.org', 'b@'], 'F')).toBe('F field must be a valid email');
    expect(tagsRule('plain', { alwaysText: true })(['a', 'A'], 'F')).toBe('The same value already exists for F');
    expect(
      tagsRule('plain')(
        Array.from({ length: 51 }, (_, n) => `${n}`),
        'F',
      ),
    ).toBe('F may have at most 50 entries');
  });
});
