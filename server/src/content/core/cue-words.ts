// Words that are ordinary on their own, but form a prompt that gives a model another role when many
// of them are close together: who is addressed, the role, the orders, and what the model is freed
// from.

export const cueGroups = ['model', 'role', 'order', 'licence'] as const;
type CueGroup = (typeof cueGroups)[number];

/**
 * How many different cues of a group count, and how much each is worth. The group of models is
 * worth more.
 */
export const cueWeights: Readonly<Record<CueGroup, { first: number; each: number; most: number }>> =
  {
    model: { first: 20, each: 10, most: 3 },
    role: { first: 0, each: 12, most: 3 },
    order: { first: 0, each: 15, most: 4 },
    licence: { first: 0, each: 15, most: 5 },
  };
/** This much within this many words counts as a prompt. */
export const cueThreshold = 64;
export const cueThresholdUnaddressed = 96;
export const cueWindow = 110;

/** One or two words each. `a|b c` means a or b, directly followed by c. */
export const cues: Readonly<Record<CueGroup, readonly string[]>> = {
  model: listed(`
    chatgpt, gpt|gpts, chatbot|chatbots, ai|ais, llm|llms, openai, claude, bing, bard, gemini,
    assistant, language model, artificial intelligence, bot, prompt|prompts,
    jailbreak|jailbreaks|jailbroken|jailbreaking, dan, developer mode, system prompt
  `),
  role: listed(`
    act|acts|acting as|like, role of, roleplay|roleplaying, role play|playing, persona,
    in|break|of character, pretend|pretending, simulate|simulates|simulator|simulating,
    impersonate|impersonating, personify, embody, fictional, hypothetical, imaginary, named,
    immerse, play the|a, pose as, stands for, you are, character, alter ego, are|is now,
    take|takes on, assume the, the name, imagine, personality, a game
  `),
  order: listed(`
    you will, you must, are to, you have, you can, you should, you cannot, you may,
    your response|responses|answer|answers, your reply|replies|output|outputs|message,
    respond|responds|responding as|with|to|in|like, answer|answers|answering any|every|all,
    any|every|all question|questions|request|requests|prompt|prompts, no longer,
    my question|questions|prompt|prompts|request|requests|command|commands|instructions|orders,
    want you, now on, i say, never|not|cannot refuse|refuses|say|says|reject|rejects|decline,
    always respond|responds|answer|answers|send|sends|comply|complies|obey|obeys|provide|provides,
    first|next message, this conversation|chat|session, stay|stays in|as, new chat, say no,
    the|a|user user|request|input, output only, start|begin|starts|begins your|every|each,
    forget everything|all|about|your, this moment, your task|purpose|goal|job|mission|role,
    allowed|blocked modes|responses|strings, at all, are free, i am|will, do not|anything
  `),
  licence: listed(`
    unfiltered, uncensored, unrestricted|unrestrained|unlimited, amoral, unethical, immoral,
    illegal|illegally|illegality, legality, ethicality, morality, harmful, offensive, nsfw,
    explicit, dangerous, taboo, ethics, ethical, moral|morals, restriction|restrictions,
    limitation|limitations|limits, filter|filters, censor|censorship, guidelines,
    policy|policies, disclaimer|disclaimers, warning|warnings|warn, constraints,
    refuse|refuses|refusal|refusals, apologize|apologise|apologies|sorry, decline, no matter,
    regardless, without any, rules, laws, swear|curse|profanity, evil, chaos, opinions
  `),
};

function listed(text: string): string[] {
  return text.split(',').map((cue) => cue.trim());
}
