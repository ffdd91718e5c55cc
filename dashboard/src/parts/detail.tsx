// One thing of a list, looked up by its id and shown in a dialog of its own.
import type { ReactNode } from 'react';
import type { Loaded } from '../api/use-load.ts';
import { Await, Button, Empty } from './basics.tsx';
import { Dialog } from './dialog.tsx';

interface DetailProps<T> {
  title: string;
  /** What was found under the id: one, or none. */
  of: Loaded<readonly T[]>;
  /** Why it may not be there. */
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
          one === undefined ? <Empty title="It is not there">{missing}</Empty> : children(one)
        }
      </Await>
      <div className="row">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
