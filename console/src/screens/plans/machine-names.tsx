/** Names of machines behind a fold, each a link to the machine. */
import { getList } from '@patch/catalogue/lists.ts';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../widgets/format-number.ts';
import { recordPath } from '../../widgets/list-paths.ts';

interface MachineNamesProps {
  readonly label: string;
  /** Without a name: a machine that is gone. */
  readonly machines: readonly {
    readonly id: number;
    readonly name: string | undefined;
    readonly note?: string | undefined;
  }[];
}

const list = getList('machines');

export function MachineNames({ label, machines }: MachineNamesProps) {
  return (
    <details>
      <summary className="cursor-pointer figures">
        {label}: {formatNumber(machines.length)}
      </summary>
      <p className="m-0 pl-4 break-anywhere">
        {machines.map(({ id, name, note }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            {name === undefined ? `#${id}` : <Link to={recordPath(list, id)}>{name}</Link>}
            {note !== undefined && ` (${note})`}
          </span>
        ))}
      </p>
    </details>
  );
}
