// The fields of a policy, for a key or an account.
import type { ComponentProps } from 'react';
import type { ProviderId, ToolName } from '@trivium/contract';
import { toolTitles, useProviders } from '../api/names.ts';
import type { FieldErrors } from '../api/use-action.ts';
import { Checks } from '../components/checks.tsx';
import { Field, Input, Select } from '../components/field.tsx';
import type { DomainField, NumberField, PolicyInput } from './policy-input.ts';

const tools: readonly ToolName[] = ['search', 'extract', 'transcription'];

type NumberProps = Pick<ComponentProps<typeof Input>, 'min' | 'step' | 'hint' | 'placeholder'>;
type NumberSpec = readonly [name: NumberField, label: string, more?: NumberProps];

const placeholder = 'Gateway default';
const amount = { min: 0, step: 'any' };

const rates: readonly NumberSpec[] = [
  ['requests_per_minute', 'Requests per minute'],
  ['requests_at_once', 'Requests at once'],
];
const limits: readonly NumberSpec[] = [
  ['max_cost_usd', 'Maximum cost of one request, in USD', amount],
  [
    'max_audio_minutes',
    'Longest recording, in minutes',
    { placeholder, hint: 'The length that is assumed for a recording of unknown length.' },
  ],
  [
    'overdraft_usd',
    'Overdraft limit of transcriptions, in USD',
    {
      ...amount,
      placeholder,
      hint: 'How far below zero open transcriptions may take the balance.',
    },
  ],
  [
    'max_stored_mb',
    'Maximum storage of the account, in MiB',
    { placeholder, hint: 'Uploads, transcripts, stored answers and tags.' },
  ],
  [
    'keep_query_hours',
    'Hours to keep the text of queries',
    { min: 0, placeholder, hint: '0 keeps no text.' },
  ],
];
const domains: readonly (readonly [DomainField, string])[] = [
  ['allowed_domains', 'Only pages from these domains'],
  ['blocked_domains', 'No pages from these domains'],
];

const contentOptions: readonly (readonly [PolicyInput['content'], string])[] = [
  ['', 'Not checked'],
  ['annotate', 'Reported in warnings'],
  ['clean', 'Reported, and hidden parts removed'],
  ['block', 'Result removed'],
];

interface PolicyFieldsProps {
  input: PolicyInput;
  onChange: (input: PolicyInput) => void;
  errors: FieldErrors;
}

export function PolicyFields({ input, onChange, errors }: PolicyFieldsProps) {
  const change = (changes: Partial<PolicyInput>) => onChange({ ...input, ...changes });
  const number = ([name, label, more]: NumberSpec) => (
    <Input
      key={name}
      label={label}
      type="number"
      min={1}
      step="1"
      placeholder="No limit"
      {...more}
      value={input[name]}
      onChange={(value) => change({ [name]: value })}
      error={errors.of(name)}
    />
  );
  return (
    <>
      <Checks
        legend="Allowed tools (none selected means all)"
        options={tools.map((tool) => [tool, toolTitles[tool] ?? tool] as const)}
        chosen={input.tools}
        onChange={(chosen) => change({ tools: chosen })}
      />
      <div className="grid-two">{rates.map(number)}</div>
      <details>
        <summary>Providers, domains and more</summary>
        <div className="stack more-fields">
          <Providers
            chosen={input.providers}
            onChange={(chosen) => change({ providers: chosen })}
          />
          {limits.map(number)}
          <Select
            label="Suspicious content"
            hint="Hidden characters, instructions to a model, links that leak data."
            options={contentOptions}
            value={input.content}
            onChange={(value) => change({ content: value as PolicyInput['content'] })}
          />
          {domains.map(([name, label]) => (
            <Field
              key={name}
              label={label}
              hint="One per line, with their subdomains."
              error={errors.of(name)}
            >
              {(id, describedBy) => (
                <textarea
                  id={id}
                  className="input"
                  rows={2}
                  aria-describedby={describedBy}
                  aria-invalid={errors.of(name) !== undefined}
                  value={input[name]}
                  onChange={(event) => change({ [name]: event.target.value })}
                />
              )}
            </Field>
          ))}
        </div>
      </details>
    </>
  );
}

interface ProvidersProps {
  chosen: readonly ProviderId[];
  onChange: (chosen: readonly ProviderId[]) => void;
}

export function Providers({ chosen, onChange }: ProvidersProps) {
  const providers = useProviders().data?.providers ?? [];
  return (
    <Checks
      legend="Allowed providers (none selected means all)"
      options={providers.map(({ id, name }) => [id, name] as const)}
      chosen={chosen}
      onChange={onChange}
    />
  );
}
