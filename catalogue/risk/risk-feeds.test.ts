import { describe, expect, test } from 'vitest';
import { riskSourceKeys } from '../definition/risk-facts.ts';
import { riskFeeds } from './risk-feeds.ts';
import { riskSourceLabels } from './risk-source-labels.ts';

describe.each(riskSourceKeys)('risk source %s', (key) => {
  const feed = riskFeeds[key];

  test('states homepage, schedule and version', () => {
    expect(feed.risk).toBe(key);
    expect(feed.homepage).toMatch(/^https:\/\/\S+$/);
    expect(feed.schedule).toMatch(/^([\d*,/-]+ ){4}[\d*,/-]+$/);
    expect(feed.version).toBeGreaterThan(0);
  });

  test('has parts with distinct keys and labels', () => {
    for (const property of ['key', 'label'] as const) {
      const all = feed.parts.map((part) => part[property]);
      expect(new Set(all).size).toBe(all.length);
      for (const text of all) expect(text).toMatch(/\S/);
    }
  });

  test('has a label and an attribution', () => {
    const labels = riskSourceKeys.map((each) => riskSourceLabels[each].label);
    expect(new Set(labels).size).toBe(riskSourceKeys.length);
    expect(riskSourceLabels[key].attribution).toMatch(/\S/);
  });
});
