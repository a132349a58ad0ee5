import { editDistance } from '../../base/editDistance.ts';

/** Keys of an agent file that have an effect. */
export const sectionKeys = [
  'llm',
  'systemPrompt',
  'storage',
  'toolConfirmation',
  'permissions',
  'internalTools',
  'sessions',
  'mcpServers',
  'plugins',
  'hooks',
] as const;

export type SectionKey = (typeof sectionKeys)[number];

/** Keys that some version of upstream knows and that change nothing here, each with what does it here; empty where nothing does. */
export const idleKeys: Readonly<Record<string, string>> = {
  agentId: '',
  greeting: '',
  agentCard: '',
  image: '',
  prompts: '',
  starterPrompts: '',
  memories: 'What the memory index reads stands in your own config (memory).',
  internalResources: '',
  resources: '',
  customTools: 'Tools come with plugins.',
  tools: 'internalTools says which tools are left.',
  elicitation: '',
  compaction: 'How long conversations are shortened stands in your own config (agent.compaction).',
  telemetry: 'Metrics and traces go to whatever OpenTelemetry provider the program has.',
  logger: '',
};

/** A slip in one of these would take a guard out of force. */
const guards: readonly SectionKey[] = [
  'plugins',
  'hooks',
  'toolConfirmation',
  'permissions',
  'internalTools',
];

/** The key that guards something and that an unknown one is most likely meant to be. */
export function guardMeantBy(key: string): SectionKey | undefined {
  const plain = key.toLowerCase().replace(/[^a-z]/gu, '');
  return guards.find((guard) => editDistance(plain, guard.toLowerCase()) <= 2);
}
