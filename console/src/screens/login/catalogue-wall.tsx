/** A wall of the lists' marks for the sign-in page. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { VendorMark } from '../../widgets/vendor-mark.tsx';
import styles from './catalogue-wall.module.css';

export function CatalogueWall() {
  return (
    <div className={styles['wall']} aria-hidden="true">
      {catalogueLists.map(({ key }) => (
        <span key={key} className={styles['patch']}>
          <VendorMark of={key} size={40} />
        </span>
      ))}
    </div>
  );
}
