/** Arrow that marks a link to another site. */

import { ExportOutlined } from '@ant-design/icons-svg';
import { Icon } from '../widgets/icon.tsx';
import styles from './values.module.css';

export function OutArrow() {
  return <Icon of={ExportOutlined} className={styles['out'] ?? ''} />;
}
