// How the chosen provider takes a field, known before anything is sent.
import type { Capability, ProviderDescription, ToolName } from '@trivium/contract';
import type { Tone } from '../parts/basics.tsx';

export interface Told {
  tone: Tone;
  word: string;
  note?: string | undefined;
}

const words: Readonly<Record<Capability['support'], Told>> = {
  native: { tone: 'good', word: 'honoured' },
  trimmed: { tone: 'good', word: 'honoured' },
  approximated: { tone: 'warn', word: 'approximated' },
  post_filtered: { tone: 'warn', word: 'filtered after' },
  conditional: { tone: 'warn', word: 'depends' },
  ignored: { tone: 'quiet', word: 'ignored' },
};

/** Undefined for a field that no provider is asked about. */
export function supportOf(
  providers: readonly ProviderDescription[],
  tool: ToolName,
  path: string,
): Told | undefined {
  const told = providers.flatMap((provider) => {
    const capability = capabilityOf(provider, tool, path);
    return capability ? [{ name: provider.name, capability }] : [];
  });
  const [first] = told;
  if (!first) return undefined;
  if (told.length === 1) {
    return { ...words[first.capability.support], note: first.capability.note };
  }
  const good = told.filter(({ capability }) => words[capability.support].tone === 'good');
  const note = told.map(({ name, capability }) => `${name}: ${words[capability.support].word}`);
  return {
    tone: good.length === told.length ? 'good' : good.length === 0 ? 'quiet' : 'warn',
    word: `honoured by ${good.length} of ${told.length}`,
    note: note.join('; '),
  };
}

/** A table may speak of a whole object where the form has its parts. */
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
