/** The pages of lists and records. The lists share one route, with children from the catalogue. */
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { createRoute, redirect } from '@tanstack/react-router';
import { listSearchSchema } from '../list/address/list-url.ts';
import { signedIn, toNotFound, withTitle } from './base-routes.tsx';
import { lazyPage } from './lazy-page.tsx';

const listPage = lazyPage(() => import('./list-page.tsx'), 'ListPage');
const recordPage = lazyPage(() => import('./one-record-page.tsx'), 'OneRecordPage');

/** Returns the list of a child path. An unknown child redirects to the not-found page with its name. */
function findList(child: string): CatalogueList {
  const list = catalogueLists.find(({ route }) => route === child);
  if (list === undefined) throw redirect({ to: '/404', search: { module: child }, replace: true });
  return list;
}

/** Accepts only the canonical form of an id, so that a record has one address: 7, not 007. */
function parseRecordId(id: string): number {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw toNotFound();
  return Number(id);
}

const homeList = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: listSearchSchema,
  beforeLoad: () => ({ list: findList('') }),
  head: () => withTitle(findList('').label),
  component: listPage,
});

const homeRecord = createRoute({
  getParentRoute: () => signedIn,
  path: 'record/$id',
  beforeLoad: ({ params }) => ({ list: findList(''), id: parseRecordId(params.id) }),
  head: ({ params }) => withTitle(`Record ${params.id} of ${findList('').label}`),
  component: recordPage,
});

const childList = createRoute({
  getParentRoute: () => signedIn,
  path: '$child',
  validateSearch: listSearchSchema,
  beforeLoad: ({ params }) => ({ list: findList(params.child) }),
  head: ({ params }) => withTitle(findList(params.child).label),
  component: listPage,
});

const childRecord = createRoute({
  getParentRoute: () => signedIn,
  path: '$child/record/$id',
  beforeLoad: ({ params }) => ({ list: findList(params.child), id: parseRecordId(params.id) }),
  head: ({ params }) => withTitle(`Record ${params.id} of ${findList(params.child).label}`),
  component: recordPage,
});

export const listRoutes = [homeList, homeRecord, childList, childRecord] as const;
