import type { PromptPart } from '../../contracts/promptReport.ts';
import { identityPart } from './parts/identityPart.ts';
import { agentInstructionsPart, userInstructionsPart } from './parts/instructionsParts.ts';
import { rulesParts } from './parts/rulesParts.ts';
import { skillsPart } from './parts/skillsPart.ts';
import { toolsPart } from './parts/toolsPart.ts';
import { workspacePart } from './parts/workspacePart.ts';
import type { PromptInput } from './promptInput.ts';

/** Every part of our own, in the order of the prompt. The user's words come last, so that they count most. */
const table: readonly ((input: PromptInput) => PromptPart | readonly PromptPart[])[] = [
  identityPart,
  toolsPart,
  workspacePart,
  rulesParts,
  skillsPart,
  agentInstructionsPart,
  userInstructionsPart,
];

/** The system prompt before plugins have a say, part by part; those without a text are left out. Pure. */
export function planPromptParts(input: PromptInput): readonly PromptPart[] {
  return table.flatMap((build) => build(input)).filter(({ text }) => text !== '');
}
