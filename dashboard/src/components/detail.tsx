// One item of a list, loaded by its id and shown in a panel beside the list.
import type { ReactNode } from 'react';
import type { Loaded } from '../api/use-load.ts';
import { Await, Empty } from './basics.tsx';
import { Panel } from './panel.tsx';

interface DetailProps<T> {
  title: string;
  /** The items with this id: one, or none. */
  of: Loaded<readonly T[]>;
  /** Why it may not exist. */
  missing: string;
  onClose: () => void;
  children: (one: T) => ReactNode;
}

export function Detail<T>({ title, of, missing, onClose, children }: DetailProps<T>) {
  return (
    <Panel title={title} onClose={onClose}>
      <Await of={of}>
        {([one]) =>
          one === undefined ? <Empty title="Not found">{missing}</Empty> : children(one)
        }
      </Await>
    </Panel>
  );
}
