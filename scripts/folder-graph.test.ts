import { expect, test } from 'vitest';
import { dependencyCount, folderCycles, folderGraph } from './folder-graph.ts';

const imports = [
  { from: 'server/app.ts', to: 'server/records/search/search-routes.ts' },
  { from: 'server/records/search/search-routes.ts', to: 'server/platform/http/require-user.ts' },
  { from: 'server/records/search/search-routes.ts', to: 'server/platform/http/route.ts' },
  { from: 'server/records/search/search-routes.ts', to: 'contract/search-endpoint.ts' },
];

test('counts the imports between two folders as one dependency', () => {
  const graph = folderGraph(imports, 'server');
  expect(graph.get('server/records/search')).toEqual(new Map([['server/platform/http', 2]]));
  expect(dependencyCount(graph)).toBe(2);
});

test('finds no cycle where imports go one way', () => {
  expect(folderCycles(folderGraph(imports, 'server'))).toEqual([]);
});

test('finds a cycle of folders whose files form none', () => {
  const back = {
    from: 'server/platform/http/web-server.ts',
    to: 'server/records/search/search-sql.ts',
  };
  expect(folderCycles(folderGraph([...imports, back], 'server'))).toEqual([
    ['server/platform/http', 'server/records/search'],
  ]);
});

test('finds a cycle through a third folder, from the shortest way back', () => {
  const more = [
    { from: 'server/platform/http/web-server.ts', to: 'server/platform/logging/logging.ts' },
    { from: 'server/platform/logging/logging.ts', to: 'server/records/search/search-sql.ts' },
  ];
  expect(folderCycles(folderGraph([...imports, ...more], 'server'))).toEqual([
    ['server/platform/http', 'server/platform/logging', 'server/records/search'],
  ]);
});

test('sees deeper folders as part of the folder at the given depth', () => {
  const back = {
    from: 'server/platform/http/web-server.ts',
    to: 'server/platform/logging/logging.ts',
  };
  const graph = folderGraph([...imports, back], 'server', 1);
  expect([...graph.keys()].sort()).toEqual(['server', 'server/platform', 'server/records']);
  expect(graph.get('server/platform')).toEqual(new Map());
});

test('leaves tests and their helpers out', () => {
  const ofTests = [
    { from: 'server/platform/http/route.test.ts', to: 'server/records/search/search-sql.ts' },
    { from: 'server/platform/http/testing/some-app.ts', to: 'server/app.ts' },
  ];
  expect(folderCycles(folderGraph([...imports, ...ofTests], 'server'))).toEqual([]);
});
