/** Chooses the products that a person looks after, for pages that can show only theirs. Saved as a preference. */
import { maxChosenProducts, type ProductChoice } from '@patch/contract/base/product-choice.ts';
import { useId, useState } from 'react';
import { updateFrame, usePreferences } from '../api/preferences.ts';
import { KnownWordsSelect } from '../values/words-select.tsx';
import { Button } from '../widgets/button.tsx';
import styles from './product-picker.module.css';

const nothing: ProductChoice = { from: 'chosen', products: [] };

const ways = [
  { from: 'chosen', label: 'These products' },
  { from: 'machines', label: 'Whatever the reported machines run' },
] as const;

export function ProductPicker({ onSaved }: { readonly onSaved: () => void }) {
  const { frame } = usePreferences();
  const [draft, setDraft] = useState<ProductChoice>(frame.products ?? nothing);
  const name = useId();
  const save = () => {
    updateFrame({ products: draft });
    onSaved();
  };
  return (
    <fieldset className={styles['picker']}>
      <legend className="px-1 text-body font-600">My products</legend>
      {ways.map(({ from, label }) => (
        <label key={from} className={styles['way']}>
          <input
            type="radio"
            name={name}
            checked={draft.from === from}
            onChange={() => setDraft({ ...draft, from })}
          />
          {label}
        </label>
      ))}
      {draft.from === 'chosen' && (
        <KnownWordsSelect
          label="Products"
          value={draft.products}
          separators={['\n']}
          placeholder="Windows Server 2022, Debian 12, …"
          onChange={(products) =>
            setDraft({ ...draft, products: products.slice(0, maxChosenProducts) })
          }
        />
      )}
      <Button
        small
        look="primary"
        disabled={draft.from === 'chosen' && draft.products.length === 0}
        onClick={save}
      >
        Save my products
      </Button>
    </fieldset>
  );
}
