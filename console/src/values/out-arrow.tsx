/** An arrow out of the page, for links whose words do not show that they leave it. */

import { ExportOutlined } from '@ant-design/icons-svg';
import { Icon } from '../widgets/icon.tsx';
import styles from './values.module.css';

export function OutArrow() {
  return <Icon of={ExportOutlined} className={styles['out'] ?? ''} />;
}
