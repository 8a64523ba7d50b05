/** Icon in the colour and size of the text around it. Screen readers skip it: the text or label beside it says the same. */
import type { AbstractNode, IconDefinition } from '@ant-design/icons-svg/es/types.js';
import { createElement, type ReactElement } from 'react';
import styles from './icon.module.css';

interface IconProps {
  readonly of: IconDefinition;
  readonly className?: string | undefined;
  readonly spin?: boolean;
}

export function Icon({ of, className, spin = false }: IconProps) {
  return (
    <span
      aria-hidden
      className={className === undefined ? styles['icon'] : `${styles['icon']} ${className}`}
      data-spin={spin || undefined}
    >
      {renderNode(
        typeof of.icon === 'function' ? of.icon('currentColor', 'transparent') : of.icon,
        0,
      )}
    </span>
  );
}

function renderNode({ tag, attrs, children = [] }: AbstractNode, index: number): ReactElement {
  const sizeProps = tag === 'svg' ? { width: '1em', height: '1em', fill: 'currentColor' } : {};
  return createElement(
    tag,
    { key: index, ...toReactProps(attrs), ...sizeProps, focusable: undefined },
    ...children.map(renderNode),
  );
}

/** Converts attribute names for React: `fill-rule` to `fillRule`. */
const toReactProps = (attributes: AbstractNode['attrs']) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
