/** The drawer of a form or of one thing of a list. A click beside it does not close it, so that no input is lost. */
import { Drawer, type DrawerProps } from 'antd';
import { useState } from 'react';
import { useNarrow } from '../theme/media-query.ts';
import { sizes } from '../theme/tokens.ts';

interface SideDrawerProps extends Pick<DrawerProps, 'title' | 'mask' | 'children'> {
  readonly open: boolean;
  readonly onClose: () => void;
}

export function SideDrawer(drawer: SideDrawerProps) {
  return (
    <Drawer
      mask={{ closable: false }}
      size={useNarrow() ? '100%' : sizes.drawer}
      destroyOnHidden
      {...drawer}
    />
  );
}

/** Returns the last thing that was shown, which stays visible while the drawer slides out. */
export function useLastShown<Thing>(shown: Thing | null): Thing | null {
  const [last, setLast] = useState(shown);
  if (shown !== null && shown !== last) setLast(shown);
  return shown ?? last;
}
