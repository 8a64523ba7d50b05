/** Whether the sidebar is pinned open or collapsed, saved with the user's preferences. */
import { updateFrame, usePreferences } from '../api/preferences.ts';

export function useSidebarCollapsed(): readonly [boolean, (collapsed: boolean) => void] {
  const { sidebar } = usePreferences().frame;
  return [
    sidebar === 'collapsed',
    (collapsed) => updateFrame({ sidebar: collapsed ? 'collapsed' : 'expanded' }),
  ];
}
