import type { PromptPart } from '../../../contracts/promptReport.ts';
import type { PromptInput } from '../promptInput.ts';

/** What the user's config says to one agent. */
export function agentInstructionsPart({ agent }: Pick<PromptInput, 'agent'>): PromptPart {
  return userPart({
    id: `agent:${agent.id}`,
    title: `Instructions of the agent ${agent.name}`,
    before: 'Instructions of the user for this agent:',
    text: agent.instructions,
  });
}

/** What the user's config says to every agent. */
export function userInstructionsPart({ instructions }: Pick<PromptInput, 'instructions'>): PromptPart {
  return userPart({
    id: 'instructions',
    title: 'Your instructions',
    before: 'Instructions of the user:',
    text: instructions,
  });
}

function userPart(said: {
  readonly id: string;
  readonly title: string;
  readonly before: string;
  readonly text: string;
}): PromptPart {
  const text = said.text.trim();
  return {
    id: said.id,
    title: said.title,
    owner: { kind: 'user' },
    place: 'system',
    text: text === '' ? '' : `${said.before}\n${text}`,
  };
}
