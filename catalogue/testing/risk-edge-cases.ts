/** Odd files of the risk sources, beside the feed mirror on machines that have them. */
import { existsSync, readFileSync } from 'node:fs';
import { describe } from 'vitest';
import type { Document } from '../definition/feed.ts';
import { feedMirror } from './describe-with-mirror.ts';
import { documentFrom } from './document-from.ts';

export const riskEdgeCases = new URL('../risk-edge-cases/', feedMirror);

/** Tests that read them. Without them they count as skipped; where the mirror must be there (CI=true), describeWithMirror fails. */
export const describeWithRiskEdgeCases = existsSync(riskEdgeCases) ? describe : describe.skip;

/** One of the files, served at that address. */
export function riskEdgeCase(name: string, url: string): Document {
  return documentFrom(url, readFileSync(new URL(name, riskEdgeCases)));
}
