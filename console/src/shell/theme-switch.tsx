/** Chooses the light, dark or system theme. */
import { DesktopOutlined, MoonOutlined, SunOutlined } from '@ant-design/icons-svg';
import { themeModes } from '@patch/contract/preference-endpoints.ts';
import type { ReactNode } from 'react';
import { type ThemeMode, useThemeMode } from '../api/theme-mode.ts';
import { Icon } from '../widgets/icon.tsx';
import { Menu } from '../widgets/menu.tsx';

const looks: Readonly<Record<ThemeMode, { readonly label: string; readonly icon: ReactNode }>> = {
  light: { label: 'Light', icon: <Icon of={SunOutlined} /> },
  dark: { label: 'Dark', icon: <Icon of={MoonOutlined} /> },
  system: { label: 'System', icon: <Icon of={DesktopOutlined} /> },
};

export function ThemeSwitch() {
  const { mode, setMode } = useThemeMode();
  const entries = themeModes.map((key) => ({
    key,
    ...looks[key],
    checked: key === mode,
    onChoose: () => setMode(key),
  }));
  return (
    <Menu
      look="quiet"
      icon={looks[mode].icon}
      aria-label={`Theme: ${looks[mode].label}`}
      entries={entries}
    />
  );
}
