// The generated form: each field with how the provider takes it, and the warnings it met.
import type { ProviderDescription, ToolName, ValidationIssue, Warning } from '@trivium/contract';
import { Tag } from '../parts/basics.tsx';
import { Field } from '../parts/field.tsx';
import type { FieldSpec, Filled } from './form-fields.ts';
import { supportOf } from './support.ts';

export interface RequestFormProps {
  tool: ToolName;
  fields: readonly FieldSpec[];
  /** Fields shown at once; the others wait behind a fold. */
  first: readonly string[];
  /** Whoever will be asked. */
  providers: readonly ProviderDescription[];
  filled: Filled;
  onFill: (path: string, value: string) => void;
  warnings: readonly Warning[];
  issues: readonly ValidationIssue[];
}

/** The fields everybody fills in. */
export function FirstFields(props: RequestFormProps) {
  const { fields, first } = props;
  const shown = first.flatMap((path) => fields.filter((field) => field.path === path));
  return shown.map((field) => <OneField key={field.path} field={field} {...props} />);
}

/** All other fields, behind a fold. */
export function MoreFields(props: RequestFormProps) {
  const { fields, first, filled } = props;
  const rest = fields.filter(({ path }) => !first.includes(path));
  const set = rest.filter(({ path }) => (filled[path] ?? '') !== '').length;
  return (
    <details className="more">
      <summary>More options{set === 0 ? '' : ` (${set} set)`}</summary>
      <div className="more-fields">
        {rest.map((field) => (
          <OneField key={field.path} field={field} {...props} />
        ))}
      </div>
    </details>
  );
}

/** A longer note is read from the tag. */
const longest_hint = 90;

function hintFor({ description }: FieldSpec, note: string | undefined): string | undefined {
  return description ?? (note !== undefined && note.length <= longest_hint ? note : undefined);
}

function OneField({ field, ...props }: RequestFormProps & { field: FieldSpec }) {
  const { path, required } = field;
  const told = supportOf(props.providers, props.tool, path);
  const warned = props.warnings.filter(({ param }) => isAbout(param, path));
  const wrong = props.issues.filter((issue) => isAbout(issue.path, path));
  const fault = [...wrong, ...warned].map(({ message }) => message).join(' ');
  return (
    <Field
      label={path + (required ? ' (required)' : '')}
      hint={hintFor(field, told?.note)}
      fault={fault === '' ? undefined : fault}
      aside={
        told ? (
          <Tag tone={told.tone} {...(told.note === undefined ? {} : { title: told.note })}>
            {told.word}
          </Tag>
        ) : undefined
      }
    >
      {(id, described_by) => (
        <Control
          id={id}
          described_by={described_by}
          field={field}
          value={props.filled[path] ?? ''}
          onChange={(value) => props.onFill(path, value)}
        />
      )}
    </Field>
  );
}

function isAbout(param: string | undefined, path: string): boolean {
  return (
    param !== undefined &&
    (param === path || path.startsWith(`${param}.`) || param.startsWith(`${path}.`))
  );
}

interface ControlProps {
  id: string;
  described_by: string | undefined;
  field: FieldSpec;
  value: string;
  onChange: (value: string) => void;
}

function Control({ id, described_by, field, value, onChange }: ControlProps) {
  const shared = {
    id,
    className: 'input',
    'aria-describedby': described_by,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  const unset = field.fallback === undefined ? 'Not set' : `Default (${textOf(field.fallback)})`;
  switch (field.kind) {
    case 'choice':
    case 'switch':
      return (
        <select {...shared}>
          <option value="">{unset}</option>
          {(field.kind === 'switch' ? ['true', 'false'] : (field.options ?? [])).map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      );
    case 'list':
      return <textarea {...shared} rows={2} placeholder="One a line" required={field.required} />;
    case 'number':
      return (
        <input
          {...shared}
          type="number"
          min={field.min}
          max={field.max}
          placeholder={field.fallback === undefined ? '' : textOf(field.fallback)}
        />
      );
    case 'date':
      return <input {...shared} type="date" />;
    case 'text':
      return <input {...shared} type="text" required={field.required} />;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
