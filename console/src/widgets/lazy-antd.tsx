/**
 * Loads components made of antd on first use, together with antd's theme. A list needs neither.
 */
import type { ComponentType } from 'react';
import { importChunk } from '../theme/chunk-in-time.ts';
import { LazyPart, lazyComponent } from './lazy-part.tsx';

const loadTheme = () => importChunk(() => import('./antd-theme.tsx'));

/** Wraps the component in antd's theme. */
export async function withTheme<Props extends object>(
  loading: Promise<ComponentType<Props>>,
): Promise<ComponentType<Props>> {
  const [{ AntdTheme }, Inner] = await Promise.all([loadTheme(), loading]);
  return function Themed(props: Props) {
    return (
      <AntdTheme>
        <Inner {...props} />
      </AntdTheme>
    );
  };
}

/** `wheel` is for a component in the flow of the page. */
export function lazyAntd<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
  { wheel = false }: { readonly wheel?: boolean } = {},
): ComponentType<Props> {
  const Late = lazyComponent(() => withTheme(importChunk(load).then((module) => module[name])));
  return function LazyAntd(props: Props) {
    return (
      <LazyPart wheel={wheel}>
        <Late {...props} />
      </LazyPart>
    );
  };
}
