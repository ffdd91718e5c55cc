// The argument `provider` of a tool: an id, or a vendor's name, which models know.
import { providerChoice, providerIds, toProviderId, typedName } from '@trivium/contract';
import { z } from 'zod';

export function providerArgument<const Choices extends readonly string[]>(
  choices: Choices,
  description: string,
) {
  const ids = providerIds.filter((id) => choices.includes(id));
  const words = choices.filter((choice) => !ids.includes(choice as never));
  return z
    .preprocess(toProviderId, providerChoice(choices))
    .meta({ enum: [...words, ...ids.map(typedName), ...ids], description })
    .optional();
}
