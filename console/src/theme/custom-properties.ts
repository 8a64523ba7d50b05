/** Lets a style attribute set CSS variables: style={{ '--hue': 140 }}. */
import type {} from 'react';

declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}
