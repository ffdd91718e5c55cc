// A modal dialog on the browser's own element, which keeps focus inside and closes on Escape.
import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Action, FieldErrors } from '../api/use-action.ts';
import { setQuery, useLocation } from '../shell/router.tsx';
import { Button, ErrorNote } from './basics.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
  /** Hides the page behind it. */
  veiled?: boolean;
  /** Called instead of closing when the person presses Escape. */
  onEscape?: (() => void) | undefined;
}

export function Dialog({ title, onClose, children, wide, veiled, onEscape }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className={wide ? 'wide' : veiled ? 'veiled' : undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (!onEscape) return;
        event.preventDefault();
        onEscape();
      }}
      onClose={() => {
        if (!onEscape) return onClose();
        // Browsers close a dialog on some presses of Escape without a cancel event.
        dialog.current?.showModal();
        onEscape();
      }}
    >
      <div className="dialog-body">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

interface FormDialogProps {
  title: string;
  /** The text of the button that sends the form. */
  submit: string;
  form: { action: Action<[]>; errors?: FieldErrors };
  disabled?: boolean;
  /** Shown beside the buttons. */
  note?: string | undefined;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { title, submit, form, disabled = false, note, onClose, children } = props;
  const { action, errors } = form;
  const [isChanged, setChanged] = useState(false);
  const [isAsking, setAsking] = useState(false);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onEscape={isChanged ? () => setAsking((before) => !before) : undefined}
    >
      <form
        className="stack"
        // Input events of every field bubble up to here.
        onInput={() => setChanged(true)}
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        {children}
        {/* Errors of a field are shown there. */}
        <ErrorNote error={errors ? errors.rest : action.error} />
        {isAsking ? (
          <div className="note warn" role="alertdialog" aria-label="Discard your changes?">
            <span>Discard your changes?</span>
            <span className="row">
              <Button onPress={() => setAsking(false)} focused>
                Keep editing
              </Button>
              <Button kind="danger" onPress={onClose}>
                Discard
              </Button>
            </span>
          </div>
        ) : (
          <div className="row">
            <Button kind="primary" submit busy={action.busy} disabled={disabled}>
              {submit}
            </Button>
            <Button onPress={onClose}>Cancel</Button>
            {note === undefined ? null : <span className="small soft">{note}</span>}
          </div>
        )}
      </form>
    </Dialog>
  );
}

interface ConfirmProps {
  title: string;
  children: ReactNode;
  /** The text of the button that confirms. */
  submit: string;
  action: Action<[]>;
  onClose: () => void;
}

export function Confirm({ title, children, submit, action, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <ErrorNote error={action.error} />
      <div className="row">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="danger" busy={action.busy} onPress={() => action.run()}>
          {submit}
        </Button>
      </div>
    </Dialog>
  );
}

/**
 * Which dialog is open. `close` leaves another one that has been opened since. A link opens one of
 * `linked` with `open` and its name in the address.
 */
export function useDialog<T>(linked: Readonly<Record<string, T | false>> = {}) {
  const [open, setOpen] = useState<T>();
  const wanted = useLocation().query.get('open') ?? '';
  const found = Object.hasOwn(linked, wanted) && linked[wanted];
  if (found && open === undefined) setOpen(found);
  useEffect(() => {
    if (found) setQuery({ open: undefined });
  }, [found]);
  return { open, setOpen, close: () => setOpen((now) => (now === open ? undefined : now)) };
}
