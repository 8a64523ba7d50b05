import { describe, expect, it } from 'vitest';
import { runMessageText } from './run-message-text.ts';

const one = { part: '9', partLabel: 'AlmaLinux 9' };

describe('runMessageText', () => {
  it('names three of many copies', () => {
    const first = ['https://example.org/a', 'https://example.org/b', 'https://example.org/c'];
    const copies = (names: string[], total: number) =>
      runMessageText({
        code: 'last_copies_read',
        params: { ...one, urls: { first: names, total } },
      });
    expect(copies(first, 5)).toBe(
      `AlmaLinux 9: ${first.join(', ')} and 2 more are no longer published (not found). Their last copies were read.`,
    );
    expect(copies(first.slice(0, 1), 1)).toBe(
      'AlmaLinux 9: https://example.org/a is no longer published (not found). Its last copy was read.',
    );
  });

  it('names the failed part when there are several', () => {
    const failed = (parts: number, failures: number) =>
      runMessageText({
        code: 'failed',
        params: { ...one, parts, failures, cause: { code: 'disk_full', params: {} } },
      });
    const why =
      'The disk of DATA_DIR, or of the database, is full. Free some space, then sync again.';
    expect(failed(1, 1)).toBe(why);
    expect(failed(3, 3)).toBe(`AlmaLinux 9: ${why} 2 more failed for the same reason.`);
  });

  it('names the mirror of a failed run, and where it is set', () => {
    const cause = { code: 'not_published', params: { url: 'https://example.org/a' } } as const;
    const failed = (setting: 'source' | 'configuration' | 'environment') =>
      runMessageText({
        code: 'failed',
        params: { ...one, parts: 1, failures: 1, cause, mirror: { address: 'http://m', setting } },
      });
    const why = 'https://example.org/a is not published (not found). It was read from the mirror';
    expect(failed('source')).toBe(`${why} http://m, which the settings of this source name.`);
    expect(failed('configuration')).toBe(
      `${why} http://m, which the configuration names for all sources.`,
    );
    expect(failed('environment')).toBe(
      `${why} http://m, which the FEED_MIRROR environment variable sets.`,
    );
  });

  it('states the problem of a fetch, the attempts, and what to do', () => {
    const url = 'https://example.org/errata.json';
    const cause = {
      code: 'not_fetched',
      params: {
        url,
        problem: { code: 'truncated', params: { received: 1200, announced: 3000 } },
        attempts: 4,
        milliseconds: 9000,
      },
    } as const;
    expect(runMessageText({ code: 'part_failed', params: { ...one, cause } })).toBe(
      `AlmaLinux 9: ${url} broke off after 1,200 of 3,000 bytes (4 attempts in 9 s). The connection was lost or the vendor's server stopped; the next sync tries again.`,
    );
  });

  it('summarizes the losses of quarantined content', () => {
    const losses = { first: [{ label: 'CVEs', records: 1290 }], total: 3 };
    expect(
      runMessageText({
        code: 'content_held',
        params: {
          ...one,
          list: 'almalinux_patch',
          listLabel: 'AlmaLinux patches',
          records: 1300,
          compared: 4000,
          losses,
        },
      }),
    ).toContain(
      '1,300 of 4,000 records are affected (AlmaLinux patches: CVEs in 1,290 and 2 more)',
    );
  });
});
