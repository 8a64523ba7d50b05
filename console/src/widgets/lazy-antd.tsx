/**
 * Loads components made of antd on first use, together with antd's theme. A list needs neither.
 */
import { type ComponentType, lazy, Suspense } from 'react';
import { limitChunkLoading } from '../theme/chunk-in-time.ts';
import { Spinner } from './spinner.tsx';

const loadTheme = () => import('./antd-theme.tsx');

/** Wraps the component in antd's theme. */
export async function withTheme<Props extends object>(
  loading: Promise<ComponentType<Props>>,
): Promise<ComponentType<Props>> {
  const [{ AntdTheme }, Inner] = await limitChunkLoading(Promise.all([loadTheme(), loading]));
  return function Themed(props: Props) {
    return (
      <AntdTheme>
        <Inner {...props} />
      </AntdTheme>
    );
  };
}

export function lazyAntd<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
  { wheel = false }: { readonly wheel?: boolean } = {},
): ComponentType<Props> {
  const Late = lazy(async () => ({
    default: await withTheme(load().then((module) => module[name])),
  })) as unknown as ComponentType<Props>;
  return function LazyAntd(props: Props) {
    return (
      <Suspense fallback={wheel ? <Spinner /> : null}>
        <Late {...props} />
      </Suspense>
    );
  };
}
