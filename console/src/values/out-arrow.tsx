/** An arrow out of the page, for links whose words do not show that they leave it. */
import { ExportOutlined } from '@ant-design/icons';
import styles from './values.module.css';

export function OutArrow() {
  return <ExportOutlined aria-hidden className={styles['out'] ?? ''} />;
}
