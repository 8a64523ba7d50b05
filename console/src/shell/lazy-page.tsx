/** Loads pages when they are opened. A page that does not load in time fails with an explanation. */
import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType, FunctionComponent } from 'react';
import { rejectLate } from '../theme/chunk-in-time.ts';
import { durations } from '../theme/tokens.ts';
import { withTheme } from '../widgets/lazy-antd.tsx';

export class PageTimedOut extends Error {
  override readonly name = 'PageTimedOut';
}

export function withTimeout<Module>(loading: Promise<Module>): Promise<Module> {
  const createError = () => new PageTimedOut('The page timed out while loading');
  return rejectLate(loading, durations.lazyTimesOut, createError);
}

export function lazyPage<
  Module extends Record<string, unknown>,
  Name extends keyof Module & string,
>(load: () => Promise<Module>, name: Name) {
  return lazyRouteComponent(
    () => withTimeout(load()) as Promise<Record<Name, FunctionComponent>>,
    name,
  );
}

/** A page of antd components, loaded together with antd's theme. */
export function antdPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, FunctionComponent>>>,
  name: Name,
) {
  const loadPage = async () => ({
    page: await withTheme(load().then((module) => module[name] as ComponentType)),
  });
  return lazyRouteComponent(() => withTimeout(loadPage()), 'page');
}
