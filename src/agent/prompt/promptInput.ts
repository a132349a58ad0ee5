import type { SkillSummary } from '../skills/skill.ts';
import type { RulesFile } from './rules/rulesFile.ts';

/** Everything that the host's own parts of a system prompt are made of. */
export interface PromptInput {
  /** Absolute paths of the workspace folders, the one that the agent works in first. */
  readonly folders: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly date: Date;
  /** True in a window that is not trusted: nothing can be changed. */
  readonly isReadOnly: boolean;
  /** In the order of the prompt; none in a window that is not trusted. */
  readonly rules: readonly RulesFile[];
  /** What marks rules that come with tool results, so that no file can pose as one; absent where no rules count. */
  readonly rulesMark?: string;
  /** Those the model may load, the most important first. */
  readonly skills: readonly SkillSummary[];
  readonly agent: {
    readonly id: string;
    readonly name: string;
    /** `agents.<id>.instructions` of the user's config. */
    readonly instructions: string;
  };
  /** The user's own `agent.instructions`. */
  readonly instructions: string;
}
