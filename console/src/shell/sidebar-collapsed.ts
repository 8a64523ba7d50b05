/** Whether the sidebar is pinned open or collapsed; this browser remembers it. */
import { useState } from 'react';

const storageKey = 'patch-repository.sidebar';

export function useSidebarCollapsed(): readonly [boolean, (collapsed: boolean) => void] {
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(storageKey) === 'collapsed');
  return [
    collapsed,
    (next) => {
      localStorage.setItem(storageKey, next ? 'collapsed' : 'expanded');
      setCollapsed(next);
    },
  ];
}
