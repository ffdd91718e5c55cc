// trivium key: a new key for TRIVIUM_BOOTSTRAP_KEY, generated here without a gateway.
import { printJson } from '../command.ts';
import type { Command } from '../command.ts';
import { flagOption } from '../options.ts';

const secretBytes = 32;

export const key: Command = {
  name: 'key',
  group: 'The gateway',
  summary: 'Generate a value for TRIVIUM_BOOTSTRAP_KEY, the first key of a new gateway',
  usage: '',
  examples: ['key', 'key --test'],
  options: { test: flagOption('for a sandbox: the key begins with sk_test_') },
  run: (given, context) => {
    const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
    const secret = Buffer.from(bytes).toString('base64url');
    const made = `sk_${given.flag('test') ? 'test' : 'live'}_${secret}`;
    if (context.json) printJson(context, { key: made });
    else {
      context.out(`${made}\n`);
      context.note(
        'Set it as TRIVIUM_BOOTSTRAP_KEY before the first start; it is not stored anywhere.\n',
      );
    }
    return Promise.resolve();
  },
};
