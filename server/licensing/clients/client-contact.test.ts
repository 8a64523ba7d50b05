import { describe, expect, test } from 'vitest';
import { heartbeatContent } from './client-contact.ts';

describe('the time that a heartbeat reports', () => {
  const reported = (before: number | null, repoUpdatedOn: number) =>
    heartbeatContent(
      { repoUpdatedOn: before },
      { applicationVersion: '2.0', repoUpdatedOn },
      1_000,
    );

  test('is recorded with the version', () => {
    expect(reported(null, 900)).toEqual({ applicationVersion: '2.0', repoUpdatedOn: 900 });
  });

  test('never goes back', () => {
    expect(reported(800, 700)).toMatchObject({ repoUpdatedOn: 800 });
  });

  test('never goes past now', () => {
    expect(reported(800, 5_000)).toMatchObject({ repoUpdatedOn: 1_000 });
  });

  test('is left as it was by a heartbeat without one', () => {
    const before = { repoUpdatedOn: 800 };
    expect(heartbeatContent(before, { applicationVersion: '2.0' }, 1_000)).toEqual({
      applicationVersion: '2.0',
    });
  });
});
