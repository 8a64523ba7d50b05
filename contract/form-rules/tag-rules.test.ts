import { specified } from '@patch/catalogue/testing/specified.ts';
import { describe, expect, test } from 'vitest';
import { type TagKind, tagKinds, tagsRule, wrongTag } from './tag-rules.ts';

describe('wrongTag', () => {
  test.each<[TagKind, string, string]>([
    ['email', 'ops@example.org', 'ops@'],
    ['sms', '905551234567', '+90 555'],
    ['domain', 'example.org', 'example'],
  ])('accepts for the kind %s %s, and refuses %s', (kind, good, bad) => {
    expect(wrongTag(good, [], kind, 'F')).toBeNull();
    expect(wrongTag(bad, [], kind, 'F')).toMatch(/^F (field )?(must be|may only)/);
  });

  test.each(['text', 'plain'] as const)('accepts any words for the kind %s', (kind) => {
    expect(wrongTag('Büro 3 & left', [], kind, 'F')).toBeNull();
  });

  test.each(tagKinds)(
    'of the kind %s is refused when it is there already, however it is written',
    (kind) => {
      expect(
        wrongTag('OPS@Example.org', ['a@example.org', 'ops@example.org'], kind, 'Recipients'),
      ).toBe('The same value already exists for Recipients');
    },
  );

  test.each(['text', 'plain', 'sms'] as const)(
    'of the kind %s has at most 50 characters',
    (kind) => {
      expect(wrongTag('7'.repeat(specified.tagLength), [], kind, 'F')).toBeNull();
      expect(wrongTag('7'.repeat(specified.tagLength + 1), [], kind, 'F')).toBe(
        'F field may not be greater than 50 characters',
      );
    },
  );

  test('counts characters, and allows any number of tags without a limit', () => {
    const fifty = Array.from({ length: 50 }, (_, n) => `${n}`);
    expect(wrongTag('🙂'.repeat(50), fifty, 'plain', 'F')).toBeNull();
  });

  test('allows longer addresses and domains', () => {
    expect(wrongTag(`${'a'.repeat(60)}@example.org`, [], 'email', 'F')).toBeNull();
    expect(wrongTag(`${'a'.repeat(60)}.example.org`, [], 'domain', 'F')).toBeNull();
  });

  test('accepts the last tag of the limit, and refuses one more', () => {
    expect(wrongTag('x', ['a'], 'email', 'F', 2)).toBe('F field must be a valid email');
    expect(wrongTag('x', ['a'], 'plain', 'F', 2)).toBeNull();
    expect(wrongTag('x', ['a', 'b'], 'plain', 'F', 2)).toBe('F may have at most 2 entries');
  });
});

describe('tagsRule', () => {
  test('requires a value, unless the picker is always in text mode', () => {
    for (const none of [[], null, undefined] as const) {
      expect(tagsRule('text')(none, 'F')).toBe('F field is required');
      expect(tagsRule('text', { alwaysText: true })(none, 'F')).toBeNull();
    }
  });

  test('applies the rules of added tags', () => {
    expect(tagsRule('email')(['a@example.org', 'b@example.org'], 'F')).toBeNull();
    expect(tagsRule('email')(['a@example.org', 'b@'], 'F')).toBe('F field must be a valid email');
    expect(tagsRule('plain', { most: 2 })(['a', 'b'], 'F')).toBeNull();
    expect(tagsRule('plain', { most: 2 })(['a', 'b', 'c'], 'F')).toBe(
      'F may have at most 2 entries',
    );
  });
});
