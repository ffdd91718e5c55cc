// How the chosen provider supports a field, known before anything is sent.
import type { Capability, ProviderDescription, ToolName } from '@trivium/contract';
import type { Tone } from '../components/basics.tsx';

export interface Support {
  tone: Tone;
  word: string;
  note?: string | undefined;
}

const words: Readonly<Record<Capability['support'], Support>> = {
  native: { tone: 'good', word: 'honoured' },
  trimmed: { tone: 'good', word: 'honoured' },
  approximated: { tone: 'warn', word: 'approximated' },
  post_filtered: { tone: 'warn', word: 'filtered afterwards' },
  conditional: { tone: 'warn', word: 'depends' },
  ignored: { tone: 'quiet', word: 'ignored' },
};

/** Undefined for a field that does not depend on the provider. */
export function supportOf(
  providers: readonly ProviderDescription[],
  tool: ToolName,
  path: string,
): Support | undefined {
  const supports = providers.flatMap((provider) => {
    const capability = capabilityOf(provider, tool, path);
    return capability ? [{ name: provider.name, capability }] : [];
  });
  const [first] = supports;
  if (!first) return undefined;
  if (supports.length === 1) {
    return { ...words[first.capability.support], note: first.capability.note };
  }
  const good = supports.filter(({ capability }) => words[capability.support].tone === 'good');
  const note = supports.map(({ name, capability }) => `${name}: ${words[capability.support].word}`);
  return {
    tone: good.length === supports.length ? 'good' : good.length === 0 ? 'quiet' : 'warn',
    word: `honoured by ${good.length} of ${supports.length}`,
    note: note.join('; '),
  };
}

/** A capability table may have one row for an object whose parts are separate form fields. */
function capabilityOf(
  provider: ProviderDescription,
  tool: ToolName,
  path: string,
): Capability | undefined {
  const table = provider.tools[tool]?.capabilities ?? {};
  const steps = path.split('.');
  const names = steps.map((_, at) => steps.slice(0, steps.length - at).join('.'));
  return names.map((name) => table[name]).find((capability) => capability !== undefined);
}
