/** What the prompt says of a skill. */
export interface SkillSummary {
  readonly name: string;
  /** One line, at most 300 characters; empty where its file has none. */
  readonly description: string;
}

/** Who put a skill where it lies; the first in this list wins over a later one of the same name. */
export type SkillOrigin = 'config' | 'user' | 'workspace' | 'plugin';

/** A folder with a SKILL.md. */
export interface Skill extends SkillSummary {
  readonly origin: SkillOrigin;
  /** Absolute path of its folder, without links. */
  readonly folder: string;
  /** Absolute path of its SKILL.md. */
  readonly file: string;
  /** Only for origin `plugin`. */
  readonly pluginId?: string;
}
