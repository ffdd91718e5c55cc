// A form: its values by field, the action that sends them, and the errors of each field.
import { useState } from 'react';
import { fieldErrorsOf, useAction } from './use-action.ts';
import type { Action, FieldErrors } from './use-action.ts';

type Texts = Readonly<Record<string, string>>;

export interface Form<T extends Texts> {
  values: T;
  action: Action<[]>;
  errors: FieldErrors;
  /** The props of a field's input. */
  field: (name: keyof T & string) => {
    value: string;
    onChange: (value: string) => void;
    error: string | undefined;
  };
}

/**
 * Fields are named as in the API, because its errors use those names. `others` are not text fields.
 */
export function useForm<T extends Texts>(
  initial: T | (() => T),
  send: (values: T) => Promise<unknown>,
  onDone?: () => void,
  others: readonly string[] = [],
): Form<T> {
  const [values, setValues] = useState(initial);
  const action = useAction(() => send(values), onDone);
  const errors = fieldErrorsOf(action.error, [...Object.keys(values), ...others]);
  return {
    values,
    action,
    errors,
    field: (name) => ({
      value: values[name] ?? '',
      onChange: (value) => setValues((before) => ({ ...before, [name]: value })),
      error: errors.of(name),
    }),
  };
}
