import { readFrontmatter, type FrontmatterNote } from '../../base/readFrontmatter.ts';
import { inertLine } from '../../base/text.ts';
import type { SkillSummary } from './skill.ts';

export const skillFileName = 'SKILL.md';

export type ParsedSkill =
  | {
      readonly ok: true;
      readonly summary: SkillSummary;
      /** What follows the frontmatter: the skill itself. */
      readonly body: string;
      readonly warnings: readonly FrontmatterNote[];
    }
  | { readonly ok: false; readonly message: string; readonly line?: number };

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;
const maxDescription = 300;

/** Checks the text of a SKILL.md. A name that is missing is that of the folder. Pure. */
export function parseSkillFile(text: string, folderName: string): ParsedSkill {
  const read = readFrontmatter(text, { fileName: skillFileName });
  if (!read.ok) return read;
  const said = read.fields['name'];
  const name = typeof said === 'string' && said.trim() !== '' ? said.trim() : folderName;
  if (!namePattern.test(name)) {
    const message = `${skillFileName}: its name must be at most 64 letters, digits, ".", "_" and "-"`;
    return { ok: false, message: `${message}, not "${inertLine(name, 80)}"`, line: 1 };
  }
  const description = read.fields['description'];
  const line = typeof description === 'string' ? inertLine(description, maxDescription) : '';
  const missing = {
    message: `${skillFileName} has no description, so the model can't tell when to use it`,
    line: 1,
  };
  return {
    ok: true,
    summary: { name, description: line },
    body: read.body.trim(),
    warnings: line === '' ? [...read.warnings, missing] : read.warnings,
  };
}
