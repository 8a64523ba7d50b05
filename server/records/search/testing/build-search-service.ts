import { randomBytes } from 'node:crypto';
import { secretBox } from '../../../platform/secrets/secret-box.ts';
import { SearchService, type SearchServiceParts } from '../search-service.ts';

/** Builds a service that can open no sealed value. `parts` override its defaults. */
export const buildSearchService = (
  database: SearchServiceParts['database'],
  parts: Partial<SearchServiceParts> = {},
): SearchService => new SearchService({ database, box: secretBox(randomBytes(32)), ...parts });
