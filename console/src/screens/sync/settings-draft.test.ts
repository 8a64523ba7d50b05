import type { SourceSettings } from '@patch/contract/sources/source-settings-endpoints.ts';
import { describe, expect, it } from 'vitest';
import {
  findChangedSettings,
  findErrorField,
  isUnchanged,
  toSettingsDraft,
} from './settings-draft.ts';

const saved: SourceSettings = {
  enabled: true,
  schedule: null,
  mirror: null,
  leftOut: ['8', '9'],
  added: ['11'],
  shrinkageShare: 30,
};

describe('SettingsDraft', () => {
  it('equals the saved settings until something changes', () => {
    expect(findChangedSettings(toSettingsDraft(saved), saved)).toEqual({});
    expect(isUnchanged(toSettingsDraft(saved), saved)).toBe(true);
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
    expect(isUnchanged({ ...toSettingsDraft(saved), ...change }, saved)).toBe(false);
  });

  it('ignores the order of parts and blanks', () => {
    const draft = {
      ...toSettingsDraft(saved),
      mirror: '  ',
      parts: { leftOut: ['9', '8'], added: ['11'] },
    };
    expect(isUnchanged(draft, saved)).toBe(true);
  });

  it('sends only its own changes, so that those of another user are preserved', () => {
    const draft = {
      ...toSettingsDraft(saved),
      schedule: ' 5  * * *   * ',
      parts: { leftOut: ['9'], added: ['11'] },
    };
    expect(findChangedSettings(draft, saved)).toEqual({ schedule: '5 * * * *', leftOut: ['9'] });
    expect(
      findChangedSettings(
        { ...toSettingsDraft(saved), mirror: ' ' },
        { ...saved, mirror: 'https://a.example' },
      ),
    ).toEqual({ mirror: null });
    expect(
      findChangedSettings({ ...toSettingsDraft(saved), enabled: false, shrinkageShare: 40 }, saved),
    ).toEqual({
      enabled: false,
      shrinkageShare: 40,
    });
  });
});

describe('findErrorField', () => {
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
    expect(findErrorField(code, message)).toBe(field);
  });
});
