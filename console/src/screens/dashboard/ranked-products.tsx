/** The products that the ranking is for. Asks once which ones a person looks after; the choice can be made and changed later. */
import type { OwnProducts } from '@patch/contract/base/product-choice.ts';
import { useState } from 'react';
import { updateFrame, usePreferences } from '../../api/preferences.ts';
import { Button } from '../../widgets/button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { lazyAntd } from '../../widgets/lazy-antd.tsx';

/** Loaded on first use. */
const ProductPicker = lazyAntd(() => import('../../products/product-picker.tsx'), 'ProductPicker');

/** Products that the line names; the others are counted. */
const namedProducts = 4;

export function RankedProducts({ own }: { readonly own: OwnProducts | null }) {
  const { frame, loading } = usePreferences();
  const [isChoosing, setChoosing] = useState(false);
  const hasChosen = frame.products !== undefined;
  const isAsking = own === null && !loading && !hasChosen && frame.productsQuestion !== 'dismissed';
  const close = () => setChoosing(false);
  const choose = (
    <Button small aria-expanded={isChoosing} onClick={() => setChoosing(!isChoosing)}>
      {hasChosen ? 'Change my products' : 'Choose my products'}
    </Button>
  );
  return (
    <div className="grid grid-cols-1 gap-2 min-w-0 mb-2">
      {isAsking ? (
        <section
          aria-label="Which products are yours?"
          className="flex flex-wrap items-center justify-between gap-2 p-3 border rounded bg-canvas"
        >
          <p className="min-w-0 text-dense">
            <strong>Which products are yours?</strong> This ranking is then for them. All others
            stay one click away.
          </p>
          <span className="flex flex-none gap-2">
            {choose}
            <Button
              small
              look="quiet"
              onClick={() => updateFrame({ productsQuestion: 'dismissed' })}
            >
              Not now
            </Button>
          </span>
        </section>
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-quiet text-dense">
          <p className="min-w-0 break-anywhere">{describeProducts(own)}</p>
          {choose}
        </div>
      )}
      {own !== null && own.unmatched.length > 0 && (
        <p className="text-warning text-dense break-anywhere">
          Without a record in the catalogue: {listSome(own.unmatched)}
        </p>
      )}
      {isChoosing && (
        <>
          <ProductPicker onSaved={close} />
          <span className="flex gap-2">
            <Button small look="quiet" onClick={close}>
              Cancel
            </Button>
            {hasChosen && (
              <Button
                small
                look="quiet"
                onClick={() => {
                  updateFrame({ products: undefined, productsQuestion: 'dismissed' });
                  close();
                }}
              >
                Forget my products
              </Button>
            )}
          </span>
        </>
      )}
    </div>
  );
}

function describeProducts(own: OwnProducts | null): string {
  if (own === null) return 'For all products.';
  const { from, names, further } = own;
  if (names.length === 0)
    return from === 'machines'
      ? 'For all products: no reported machine has a release of which the catalogue has a record.'
      : 'For all products: the catalogue has no record of the chosen ones.';
  const whose = from === 'machines' ? 'the products of the reported machines' : 'your products';
  const cut = further === 0 ? '' : `; ${formatNumber(further)} more are left out`;
  return `For ${whose}: ${listSome(names)}${cut}.`;
}

function listSome(names: readonly string[]): string {
  const others = names.length - namedProducts;
  return `${names.slice(0, namedProducts).join(', ')}${others > 0 ? ` and ${formatNumber(others)} more` : ''}`;
}
