// A labelled form field, with its hint and its error linked to it for screen readers.
import { useId } from 'react';
import type { HTMLInputTypeAttribute, ReactNode } from 'react';

interface FieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** Shown beside the label. */
  aside?: ReactNode;
  children: (id: string, describedBy: string | undefined) => ReactNode;
}

export function Field({ label, hint, error, aside, children }: FieldProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const describedBy = [hintId, errorId].filter(Boolean).join(' ') || undefined;
  return (
    <div className="field">
      <div className="row apart">
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children(id, describedBy)}
      {hint === undefined ? null : (
        <span className="hint" id={hintId}>
          {hint}
        </span>
      )}
      {error === undefined ? null : (
        <span className="fault" id={errorId}>
          {error}
        </span>
      )}
    </div>
  );
}

interface InputProps extends Omit<FieldProps, 'children'> {
  value: string;
  onChange: (value: string) => void;
  type?: HTMLInputTypeAttribute;
  required?: boolean;
  autoComplete?: string;
  placeholder?: string;
  min?: number;
  max?: number | string;
  step?: string;
  minLength?: number;
}

export function Input(props: InputProps) {
  const { label, hint, error, aside, value, onChange, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(id, describedBy) => (
        <input
          id={id}
          className="input"
          aria-describedby={describedBy}
          aria-invalid={error !== undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...rest}
        />
      )}
    </Field>
  );
}

interface SelectProps extends Omit<FieldProps, 'children'> {
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [value: string, text: string])[];
}

export function Select({ options, value, onChange, ...field }: SelectProps) {
  return (
    <Field {...field}>
      {(id, describedBy) => (
        <select
          id={id}
          className="input"
          aria-describedby={describedBy}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CapInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

export function CapInput(props: CapInputProps) {
  return <Input type="number" min={0} step="any" placeholder="No cap" {...props} />;
}

export function textOfCap(cap: number | null | undefined): string {
  return cap === null || cap === undefined ? '' : String(cap);
}

export function capOf(text: string): number | null {
  return text === '' ? null : Number(text);
}
