/** Light, dark or as the system has it. */
import { DesktopOutlined, MoonOutlined, SunOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import type { ReactNode } from 'react';
import { type ThemeMode, themeModes, useThemeMode } from '../theme/theme-mode.ts';

const looks: Readonly<Record<ThemeMode, { readonly label: string; readonly icon: ReactNode }>> = {
  light: { label: 'Light', icon: <SunOutlined aria-hidden /> },
  dark: { label: 'Dark', icon: <MoonOutlined aria-hidden /> },
  system: { label: 'As the system', icon: <DesktopOutlined aria-hidden /> },
};

export function ThemeSwitch() {
  const { mode, setMode } = useThemeMode();
  const items = themeModes.map((key) => ({ key, ...looks[key], onClick: () => setMode(key) }));
  return (
    <Dropdown menu={{ items, selectable: true, selectedKeys: [mode] }} trigger={['click']} placement="bottomRight">
      <Button type="text" icon={looks[mode].icon} aria-label={`Theme: ${looks[mode].label}`} />
    </Dropdown>
  );
}
