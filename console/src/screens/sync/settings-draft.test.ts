import type { SourceSettings } from '@patch/contract/source-settings-endpoints.ts';
import { describe, expect, it } from 'vitest';
import { changedSettings, draftOf, fieldOfError, isUnchanged } from './settings-draft.ts';

const saved: SourceSettings = {
  enabled: true,
  schedule: null,
  mirror: null,
  leftOut: ['8', '9'],
  added: ['11'],
  shrinkageShare: 30,
};

describe('a draft of settings', () => {
  it('is what was saved until something is changed', () => {
    expect(changedSettings(draftOf(saved), saved)).toEqual({});
    expect(isUnchanged(draftOf(saved), saved)).toBe(true);
  });

  it.each([
    ['switched off', { enabled: false }],
    ['another schedule', { schedule: '5 * * * *' }],
    ['a mirror', { mirror: 'https://mirror.example/' }],
    ['a part less left out', { parts: { leftOut: ['8'], added: ['11'] } }],
    ['another part added', { parts: { leftOut: ['8', '9'], added: ['12'] } }],
    ['another share', { shrinkageShare: 31 }],
    ['no share', { shrinkageShare: null }],
  ])('is changed by %s', (_, change) => {
    expect(isUnchanged({ ...draftOf(saved), ...change }, saved)).toBe(false);
  });

  it('is not changed by the order of parts or by blanks', () => {
    const draft = {
      ...draftOf(saved),
      mirror: '  ',
      parts: { leftOut: ['9', '8'], added: ['11'] },
    };
    expect(isUnchanged(draft, saved)).toBe(true);
  });

  it('sends what it changes and nothing else, lest it undo what another has changed meanwhile', () => {
    const draft = {
      ...draftOf(saved),
      schedule: ' 5  * * *   * ',
      parts: { leftOut: ['9'], added: ['11'] },
    };
    expect(changedSettings(draft, saved)).toEqual({ schedule: '5 * * * *', leftOut: ['9'] });
    expect(
      changedSettings(
        { ...draftOf(saved), mirror: ' ' },
        { ...saved, mirror: 'https://a.example' },
      ),
    ).toEqual({ mirror: null });
    expect(
      changedSettings({ ...draftOf(saved), enabled: false, shrinkageShare: 40 }, saved),
    ).toEqual({
      enabled: false,
      shrinkageShare: 40,
    });
  });
});

describe('a refusal belongs to a field', () => {
  it.each([
    ['invalid_schedule', 'It has six fields.', 'schedule'],
    [
      'invalid_mirror',
      "The mirror must be an http(s) address such as 'https://mirror.example.org/feeds'.",
      'mirror',
    ],
    [
      'unknown_part',
      "'9x' cannot be added. What can be added is a major release, such as 11.",
      'parts',
    ],
    ['nothing_followed', 'With every part left out nothing is followed.', 'parts'],
    ['invalid_input', 'leftOut.3 must have at least 1 characters.', 'parts'],
    ['invalid_input', 'shrinkageShare must be at most 100.', 'shrinkageShare'],
    ['forbidden', 'You may not do this.', undefined],
  ])('%s: %s', (code, message, field) => {
    expect(fieldOfError(code, message)).toBe(field);
  });
});
