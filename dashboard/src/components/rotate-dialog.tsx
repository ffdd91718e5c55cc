// The form to rotate a secret: how long the current one stays valid afterwards.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useAction, useIdempotencyKey } from '../api/use-action.ts';
import { FormDialog } from './dialog.tsx';
import { Select } from './field.tsx';

const overlaps = [
  ['24', 'One day'],
  ['1', 'One hour'],
  ['168', 'One week'],
  ['720', '30 days'],
  ['0', 'No overlap: it ends now'],
] as const;

interface RotateDialogProps {
  title: string;
  /** What the rotation does. */
  children: ReactNode;
  /** What the current secret does during the overlap, such as `keeps working`. */
  current: string;
  /** What the previous secret still does; undefined when it has ended. */
  previous: string | undefined;
  maxOverlapHours: number;
  onClose: () => void;
  /** The idempotency key prevents a second rotation after a lost response. */
  onRotate: (overlapHours: number, idempotencyKey: string) => Promise<void>;
}

export function RotateDialog(props: RotateDialogProps) {
  const { title, children, current, previous, maxOverlapHours, onClose, onRotate } = props;
  const [hours, setHours] = useState('24');
  const idempotencyKey = useIdempotencyKey();
  const rotate = useAction(() => onRotate(Number(hours), idempotencyKey));
  return (
    <FormDialog title={title} submit="Rotate" form={{ action: rotate }} onClose={onClose}>
      <p>{children}</p>
      <Select
        label={`How long the current secret ${current}`}
        options={overlaps.filter(([value]) => Number(value) <= maxOverlapHours)}
        value={hours}
        onChange={setHours}
      />
      {previous === undefined ? null : (
        <div className="note warn">
          The previous secret still {previous}. It ends with this rotation.
        </div>
      )}
    </FormDialog>
  );
}
