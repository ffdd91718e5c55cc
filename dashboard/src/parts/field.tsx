// A labelled field, with its hint and its fault tied to it for screen readers.
import { useId } from 'react';
import type { HTMLInputTypeAttribute, ReactNode } from 'react';

interface FieldProps {
  label: string;
  hint?: string | undefined;
  fault?: string | undefined;
  /** Stands beside the label. */
  aside?: ReactNode;
  children: (id: string, described_by: string | undefined) => ReactNode;
}

export function Field({ label, hint, fault, aside, children }: FieldProps) {
  const id = useId();
  const hint_id = hint === undefined ? undefined : `${id}-hint`;
  const fault_id = fault === undefined ? undefined : `${id}-fault`;
  const described_by = [hint_id, fault_id].filter(Boolean).join(' ') || undefined;
  return (
    <div className="field">
      <div className="row apart">
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children(id, described_by)}
      {hint === undefined ? null : (
        <span className="hint" id={hint_id}>
          {hint}
        </span>
      )}
      {fault === undefined ? null : (
        <span className="fault" id={fault_id}>
          {fault}
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
  max?: number;
  step?: string;
  minLength?: number;
}

export function Input(props: InputProps) {
  const { label, hint, fault, aside, value, onChange, ...rest } = props;
  return (
    <Field label={label} hint={hint} fault={fault} aside={aside}>
      {(id, described_by) => (
        <input
          id={id}
          className="input"
          aria-describedby={described_by}
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
      {(id, described_by) => (
        <select
          id={id}
          className="input"
          aria-describedby={described_by}
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

export function TextArea(props: Omit<InputProps, 'type'> & { rows?: number; mono?: boolean }) {
  const { label, hint, fault, aside, value, onChange, mono, rows = 3, required } = props;
  return (
    <Field label={label} hint={hint} fault={fault} aside={aside}>
      {(id, described_by) => (
        <textarea
          id={id}
          className={mono ? 'input mono' : 'input'}
          aria-describedby={described_by}
          rows={rows}
          required={required}
          placeholder={props.placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
