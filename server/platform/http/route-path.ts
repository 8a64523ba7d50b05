/** Converts paths of endpoints to the syntax of the router. */
import type { Endpoint } from '@patch/contract/endpoint.ts';

/** Converts /windows/kb/{id} to the router's /api/windows/kb/:id. */
export function routePath(call: Endpoint): string {
  return `/api${call.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}
