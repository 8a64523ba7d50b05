/** Pages are fetched when they are opened. One that does not come in time gives up; one that cannot come says so. */
import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType, FunctionComponent } from 'react';
import { durations } from '../theme/tokens.ts';
import { themed } from '../widgets/lazy-antd.tsx';

export class PageTimedOut extends Error {
  override readonly name = 'PageTimedOut';
}

/** Browsers name a module they could not fetch each in their own words. */
export function isChunkFailure(failure: unknown): boolean {
  return (
    failure instanceof Error &&
    /dynamically imported module|importing a module script failed|error loading dynamically|Unable to preload CSS/i.test(
      failure.message,
    )
  );
}

export function inTime<Module>(
  loading: Promise<Module>,
  limit: number = durations.lazyTimesOut,
): Promise<Module> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new PageTimedOut('The page timed out while loading')),
      limit,
    );
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

export function lazyPage<
  Module extends Record<string, unknown>,
  Name extends keyof Module & string,
>(load: () => Promise<Module>, name: Name) {
  return lazyRouteComponent(() => inTime(load()) as Promise<Record<Name, FunctionComponent>>, name);
}

/** A page that is made of antd's components: its theme comes with it. */
export function antdPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, FunctionComponent>>>,
  name: Name,
) {
  return lazyRouteComponent(
    () =>
      inTime(
        themed(load().then((module) => module[name] as ComponentType)).then((page) => ({ page })),
      ),
    'page',
  );
}
