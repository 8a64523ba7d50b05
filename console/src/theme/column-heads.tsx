/** Heading row of a table. */
interface ColumnHeadsProps {
  /** A column that is false is left out. */
  readonly of: readonly (string | false)[];
}

export function ColumnHeads({ of }: ColumnHeadsProps) {
  return (
    <thead>
      <tr>
        {of.map((label) =>
          label === false ? null : (
            <th key={label} scope="col">
              {label}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}
