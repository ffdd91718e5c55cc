// An agent of the AI SDK that answers a question from the web: node agent.mjs "your question" MODEL
// names a model of the AI SDK, such as openai/gpt-5. Without it a scripted model is used, which
// calls the same tool as a real one would, so that the program runs offline.
import { createClient } from '@trivium/sdk';
import { triviumTools } from '@trivium/sdk/ai';
import { generateText, stepCountIs } from 'ai';
import { scriptedModel } from './scripted-model.mjs';

const question = process.argv[2] ?? 'How is solar energy stored?';
const trivium = createClient({
  // Every paid call of this agent can be found in the log, in usage and in budgets.
  tags: { program: 'agent-example' },
  onWarning: ({ param, message }) => console.error(`adjusted: ${param}: ${message}`),
});

const { text, steps } = await generateText({
  model: process.env.MODEL ?? scriptedModel,
  tools: triviumTools(trivium),
  // Enough for a search, a second look, and the answer.
  stopWhen: stepCountIs(4),
  system:
    'Answer from the web only. Use read_and_search with a max_cost_usd of 0.05, and end with ' +
    'the addresses of the pages that you used.',
  prompt: question,
});

console.log(text);
const results = steps.flatMap(({ toolResults }) => toolResults);
const cost = results.reduce((sum, { output }) => sum + (output.usage?.cost_usd ?? 0), 0);
console.log(`\n${results.length} tool call(s), ${cost.toFixed(4)} USD`);
