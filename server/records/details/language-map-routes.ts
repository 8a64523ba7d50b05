/** The endpoint of the language map, which is a constant of the catalogue. */
import { windowsLanguages } from '@patch/catalogue/vendors/windows/names/windows-languages.ts';
import { languageMapEndpoint } from '@patch/contract/language-map-endpoint.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';

export function languageMapRoutes(route: RouteRegistrar): void {
  route(languageMapEndpoint, async () => ({
    objList: [...windowsLanguages],
    totalCount: windowsLanguages.length,
  }));
}
