// One item of a list, loaded by its id and shown in a dialog.
import type { ReactNode } from 'react';
import type { Loaded } from '../api/use-load.ts';
import { Await, Button, Empty } from './basics.tsx';
import { Dialog } from './dialog.tsx';

interface DetailProps<T> {
  title: string;
  /** The items with this id: one, or none. */
  of: Loaded<readonly T[]>;
  /** Why it may not exist. */
  missing: string;
  onClose: () => void;
  wide?: boolean;
  children: (one: T) => ReactNode;
}

export function Detail<T>({ title, of, missing, onClose, wide, children }: DetailProps<T>) {
  return (
    <Dialog title={title} onClose={onClose} {...(wide ? { wide } : {})}>
      <Await of={of}>
        {([one]) =>
          one === undefined ? <Empty title="Not found">{missing}</Empty> : children(one)
        }
      </Await>
      <div className="row">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
