import type { PromptPart } from '../contracts/promptReport.ts';

/** What a started agent is told of itself: who reads its answer, and how far it may go. Pure. */
export function subagentRole(facts: {
  /** Name of the agent that started it. */
  readonly startedBy: string;
  readonly isLeaf: boolean;
}): PromptPart {
  const others = facts.isLeaf
    ? 'You may start no other agents.'
    : 'You may start other agents where parts of the task can be done apart.';
  return {
    id: 'subagent',
    title: 'Started by another agent',
    owner: { kind: 'pincer' },
    place: 'system',
    text: [
      '# Your task comes from another agent',
      `The agent ${facts.startedBy} has started you for one task, and waits. Your last message is all it gets: put every finding, path and number into it that it needs.`,
      `Do that task only. Nobody can answer questions; where something is missing, say so in your last message. ${others}`,
    ].join('\n\n'),
  };
}
