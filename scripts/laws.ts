/** Who may import whom, with the reason. Checked by check-boundaries.ts over every import, type-only ones included. */

interface Law {
  readonly name: string;
  readonly reason: string;
  readonly from: { readonly path?: string; readonly pathNot?: string | string[] };
  readonly to: {
    readonly path?: string | string[];
    readonly pathNot?: string | string[];
    readonly circular?: boolean;
  };
}

const tests = '\\.(test|long|e2e)\\.tsx?$|(^|/)testing/|test-setup\\.ts$';

/**
 * A module of the server imports only modules of lower layers. Modules of one layer do not import each other;
 * `app.ts` and `main.ts` lie above all of them.
 */
function moduleLaws(layers: readonly (readonly string[])[]): readonly Law[] {
  return layers.flatMap((layer, index) =>
    layer.map((name) => {
      const above = layers
        .slice(index)
        .flat()
        .filter((other) => other !== name);
      return {
        name: `server-${name}-imports-lower-modules-only`,
        reason: `The modules of the server form layers: ${layers.map((names) => names.join(', ')).join(' < ')} < app.`,
        from: { path: `^server/${name}/`, pathNot: tests },
        to: {
          path: [...above.map((other) => `^server/${other}/`), '^server/[^/]+\\.ts$'],
          pathNot: tests,
        },
      };
    }),
  );
}

export const laws: readonly Law[] = [
  {
    name: 'no-circles',
    reason: 'A loop cannot be read from any end, nor tested in parts.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'catalogue-is-the-ground',
    reason: 'What we know about patches must not depend on how it is stored, sent or shown.',
    from: { path: '^catalogue/', pathNot: tests },
    to: {
      path: [
        '^(contract|server|console)/',
        'node_modules/(fastify|@fastify|pg|@electric-sql|react|react-dom|antd|@tanstack)(/|$)',
      ],
    },
  },
  {
    name: 'contract-knows-only-the-catalogue',
    reason: 'The contract is read by both halves: what it imports, the browser loads.',
    from: { path: '^contract/', pathNot: tests },
    to: {
      path: [
        '^(server|console)/',
        '^catalogue/feeds\\.ts$',
        '^catalogue/parsers/',
        '-feed\\.ts$',
        'node_modules/(fastify|pg|react|antd)(/|$)',
      ],
    },
  },
  {
    name: 'server-not-to-console',
    reason: 'The halves meet in the contract.',
    from: { path: '^server/' },
    to: { path: '^console/' },
  },
  {
    name: 'console-not-to-server',
    reason: 'The halves meet in the contract.',
    from: { path: '^console/' },
    to: { path: '^server/' },
  },
  {
    name: 'client-stands-alone',
    reason:
      'It runs at a customer, who has neither server nor console: it knows the contract alone.',
    from: { path: '^client/', pathNot: tests },
    to: {
      path: ['^(server|console)/', '^catalogue/feeds\\.ts$', '^catalogue/parsers/', '-feed\\.ts$'],
    },
  },
  {
    name: 'client-is-nobodys-part',
    reason: 'The client runs at customers. The service does not use its code.',
    from: { path: '^(catalogue|contract|server|console)/', pathNot: tests },
    to: { path: '^client/' },
  },
  {
    name: 'console-reads-no-feed',
    reason: 'A feed reader in the browser is dead weight.',
    from: { path: '^console/' },
    to: { path: ['^catalogue/feeds\\.ts$', '^catalogue/parsers/', '-feed\\.ts$'] },
  },
  {
    name: 'vendors-stand-alone',
    reason: 'A vendor folder can be read, changed and removed without reading another.',
    from: { path: '^catalogue/vendors/([^/]+)/', pathNot: tests },
    to: { path: '^catalogue/vendors/', pathNot: '^catalogue/vendors/$1/' },
  },
  {
    name: 'screens-stand-alone',
    reason:
      'The shell and its routes compose screens; a screen that reaches into another cannot be loaded alone.',
    from: { path: '^console/src/screens/([^/]+)/' },
    to: { path: '^console/src/screens/', pathNot: '^console/src/screens/$1/' },
  },
  {
    name: 'parts-below-the-shell',
    reason: 'The parts of screens are used by screens and shell, never the other way round.',
    from: {
      path: '^console/src/(list|detail|releases|clients|runs|resources|values|forms|widgets|api|theme)/',
      pathNot: tests,
    },
    to: { path: '^console/src/(screens|shell)/' },
  },
  ...moduleLaws([
    ['platform'],
    ['identity'],
    ['records', 'ingest'],
    ['licensing', 'operations', 'reports', 'machines'],
    ['fleet', 'formats'],
    ['service'],
  ]),
  {
    name: 'statuses-stay-in-http',
    reason:
      'An error has a code; its HTTP status is looked up where the reply is written (docs/decisions/030).',
    from: { path: '^server/', pathNot: ['^server/platform/(http|audit)/', tests] },
    to: { path: '^server/platform/http/failure-of\\.ts$' },
  },
  {
    name: 'errors-do-not-know-http',
    reason: 'Every module throws these errors, most of them far from a request.',
    from: { path: '^server/platform/errors/', pathNot: tests },
    to: { path: ['^server/(?!platform/errors/)', 'node_modules/(fastify|@fastify)(/|$)'] },
  },
  {
    name: 'routes-not-to-drivers',
    reason: 'Only the folders of the database speak to it.',
    from: { path: '^server/', pathNot: ['^server/platform/(database|postgres)/', tests] },
    to: { path: 'node_modules/pg(/|$)' },
  },
  {
    name: 'server-writes-no-filter-text',
    reason:
      'Inside the server a filter is a syntax tree; criteria become one by criteria-conditions.ts.',
    from: { path: '^server/', pathNot: tests },
    to: { path: '^contract/filter/filter-text\\.ts$' },
  },
  {
    name: 'server-parses-filter-text-once',
    reason:
      'Filter text enters the server with a search call; all code after it uses the syntax tree.',
    from: {
      path: '^server/',
      pathNot: ['^server/records/criteria/search-request\\.ts$', tests],
    },
    to: { path: '^contract/filter/parse-filter\\.ts$' },
  },
  {
    name: 'tests-stay-out',
    reason: 'The product must run without its tests.',
    from: { pathNot: tests },
    to: { path: tests },
  },
];
