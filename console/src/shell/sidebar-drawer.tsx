/** The sidebar of a narrow screen. It slides in over the page and closes when an entry is chosen. */
import { Drawer } from 'antd';
import { useAbout } from '../api/about.ts';
import { sizes } from '../theme/tokens.ts';
import { Sidebar } from './sidebar.tsx';

export function SidebarDrawer({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Drawer
      open={open}
      onClose={onClose}
      placement="left"
      size={sizes.sidebarDrawer}
      title={useAbout().name}
      styles={{ body: { padding: 0 }, wrapper: { minWidth: 0 } }}
    >
      <Sidebar collapsed={false} onChosen={onClose} />
    </Drawer>
  );
}
