// The fields of a policy, for a key or an account.
import type { ProviderId, ToolName } from '@trivium/contract';
import { toolTitles, useProviders } from '../api/names.ts';
import type { Faults } from '../api/use-action.ts';
import { Checks } from '../components/checks.tsx';
import { Field, Input } from '../components/field.tsx';
import type { policyFields, PolicyInput } from './policy-input.ts';

const tools: readonly ToolName[] = ['search', 'extract', 'transcription'];

interface PolicyFieldsProps {
  input: PolicyInput;
  onChange: (input: PolicyInput) => void;
  faults: Faults;
}

type NumberField = Exclude<(typeof policyFields)[number], 'allowed_domains' | 'blocked_domains'>;
type NumberHints = { min?: number; step?: string; hint?: string; placeholder?: string };
const bySettings = 'As the settings say';

export function PolicyFields({ input, onChange, faults }: PolicyFieldsProps) {
  const change = (changes: Partial<PolicyInput>) => onChange({ ...input, ...changes });
  const number = (name: NumberField, label: string, more: NumberHints = {}) => (
    <Input
      label={label}
      type="number"
      min={1}
      step="1"
      placeholder="No limit"
      {...more}
      value={input[name]}
      onChange={(value) => change({ [name]: value })}
      fault={faults.of(name)}
    />
  );
  return (
    <>
      <Checks
        legend="Tools it may use; none chosen means all"
        options={tools.map((tool) => [tool, toolTitles[tool] ?? tool] as const)}
        chosen={input.tools}
        onChange={(chosen) => change({ tools: chosen })}
      />
      <div className="grid-two">
        {number('requests_per_minute', 'Requests per minute')}
        {number('requests_at_once', 'Requests at once')}
      </div>
      <details>
        <summary>Providers, domains and more</summary>
        <div className="stack more-fields">
          <Providers
            chosen={input.providers}
            onChange={(chosen) => change({ providers: chosen })}
          />
          {number('max_cost_usd', 'Most that one request may cost, in USD', {
            min: 0,
            step: 'any',
          })}
          {number('max_audio_minutes', 'Longest recording, in minutes', {
            hint: 'Its price counts where the length of a recording is not known.',
            placeholder: bySettings,
          })}
          {number('overdraft_usd', 'Overdraft limit of transcriptions, in USD', {
            min: 0,
            step: 'any',
            hint: 'How far below zero open transcriptions may take the balance.',
            placeholder: bySettings,
          })}
          {number('max_stored_mb', 'Most that the account may keep, in MiB', {
            hint: 'Uploads, transcripts, stored answers and tags.',
            placeholder: bySettings,
          })}
          {number('keep_query_hours', 'Hours that the text of queries is kept', {
            min: 0,
            hint: '0 keeps no text.',
            placeholder: bySettings,
          })}
          <Domains
            label="Only pages of these domains"
            value={input.allowed_domains}
            onChange={(value) => change({ allowed_domains: value })}
            fault={faults.of('allowed_domains')}
          />
          <Domains
            label="No pages of these domains"
            value={input.blocked_domains}
            onChange={(value) => change({ blocked_domains: value })}
            fault={faults.of('blocked_domains')}
          />
        </div>
      </details>
    </>
  );
}

interface DomainsProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  fault: string | undefined;
}

function Domains({ label, value, onChange, fault }: DomainsProps) {
  return (
    <Field label={label} hint="One per line, with their subdomains." fault={fault}>
      {(id, describedBy) => (
        <textarea
          id={id}
          className="input"
          rows={2}
          aria-describedby={describedBy}
          aria-invalid={fault !== undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
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
      legend="Providers it may use; none chosen means all"
      options={providers.map(({ id, name }) => [id, name] as const)}
      chosen={chosen}
      onChange={onChange}
    />
  );
}
