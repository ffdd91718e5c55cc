// The generated form: each field with the provider's support for it, and its warnings.
import type { ProviderDescription, ToolName, ValidationIssue, Warning } from '@trivium/contract';
import { Tag } from '../components/basics.tsx';
import { Field } from '../components/field.tsx';
import type { FieldSpec, Filled } from './form-fields.ts';
import { supportOf } from './support.ts';

export interface RequestFormProps {
  tool: ToolName;
  fields: readonly FieldSpec[];
  /** Fields that are always shown; the others are under "More options". */
  first: readonly string[];
  /** The providers that will be called. */
  providers: readonly ProviderDescription[];
  filled: Filled;
  onFill: (path: string, value: string) => void;
  warnings: readonly Warning[];
  issues: readonly ValidationIssue[];
}

/** The fields that are always shown. */
export function FirstFields(props: RequestFormProps) {
  const { fields, first } = props;
  const shown = first.flatMap((path) => fields.filter((field) => field.path === path));
  return shown.map((field) => <OneField key={field.path} field={field} {...props} />);
}

/** All other fields, collapsed. */
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

/** Longer notes are shown as the title of the tag. */
const longestHint = 90;

function hintFor({ description }: FieldSpec, note: string | undefined): string | undefined {
  return description ?? (note !== undefined && note.length <= longestHint ? note : undefined);
}

function OneField({ field, ...props }: RequestFormProps & { field: FieldSpec }) {
  const { path, required } = field;
  // A badge says what happens to a value, so an empty field has no badge.
  const isSet = (props.filled[path] ?? '').trim() !== '';
  const support = isSet ? supportOf(props.providers, props.tool, path) : undefined;
  const warned = props.warnings.filter(({ param }) => isAbout(param, path));
  const wrong = props.issues.filter((issue) => isAbout(issue.path, path));
  const fault = [...wrong, ...warned].map(({ message }) => message).join(' ');
  return (
    <Field
      label={path + (required ? ' (required)' : '')}
      hint={hintFor(field, support?.tone === 'good' ? undefined : support?.note)}
      error={fault === '' ? undefined : fault}
      aside={
        support ? (
          <Tag tone={support.tone} {...(support.note === undefined ? {} : { title: support.note })}>
            {support.word}
          </Tag>
        ) : undefined
      }
    >
      {(id, describedBy) => (
        <Control
          id={id}
          describedBy={describedBy}
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
  describedBy: string | undefined;
  field: FieldSpec;
  value: string;
  onChange: (value: string) => void;
}

function Control({ id, describedBy, field, value, onChange }: ControlProps) {
  const shared = {
    id,
    className: 'input',
    'aria-describedby': describedBy,
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
      return <textarea {...shared} rows={2} placeholder="One per line" required={field.required} />;
    case 'json':
      return <textarea {...shared} rows={3} placeholder='{"engine_a": {"type": "deep"}}' />;
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
