/** Loads odd files of the risk sources. */
import { readFileSync } from 'node:fs';
import type { Document } from '../definition/feed.ts';
import { documentFrom } from './document-from.ts';
import { describeWithShared, sharedFolder } from './shared-folder.ts';

export const riskEdgeCases = sharedFolder('risk-edge-cases');

export const describeWithRiskEdgeCases = describeWithShared('risk-edge-cases');

/** Serves one of the files at that address. */
export function riskEdgeCase(name: string, url: string): Document {
  return documentFrom(url, readFileSync(new URL(name, riskEdgeCases)));
}
