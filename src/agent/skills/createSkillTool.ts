// Threat: a skill's folder comes with a repository or a plugin. Its text is what the user chose to be led by, in a trusted window;
// its other files are read only from within the folder, never through a link out of it, and never what may hold secrets.
import { z } from 'zod';
import { PincerError } from '../../base/errors.ts';
import { inertText } from '../../base/text.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import { createCoreTool, textResult, type CoreToolDeps } from '../../tools/core/coreTool.ts';
import { pageText } from '../../tools/core/pageText.ts';
import type { SkillCatalog } from './createSkillCatalog.ts';
import type { SkillFiles } from './createSkillFiles.ts';
import { skillUnknown } from './skillErrors.ts';
import { skillFileName } from './parseSkillFile.ts';
import type { Skill } from './skill.ts';

interface SkillToolParts extends Pick<CoreToolDeps, 'layout' | 'maxResultChars'> {
  readonly skills: SkillCatalog;
  readonly files: SkillFiles;
}

const schema = z.strictObject({
  name: z.string().min(1).max(200).describe('The skill, as the prompt lists it.'),
  file: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Another file of the skill, as it was listed. Without it: the skill itself.'),
  offset: z.int().min(1).optional().describe('First line to read, counting from 1.'),
});

/** `skill`: loads a skill, or a file that belongs to it. */
export function createSkillTool({ skills, files, layout, maxResultChars }: SkillToolParts): AgentTool {
  const tool = createCoreTool(
    {
      name: 'skill',
      label: 'Load skill',
      description:
        'Loads a skill: instructions for a special task, which the prompt lists by name. Also reads a file that belongs to one.',
      schema,
      mayWrite: false,
      paths: () => [],
      target: ({ name, file }) => (file === undefined ? name : `${name}/${file}`),
      prepare: async ({ name, file, offset = 1 }) => {
        const skill = await requireSkill(skills, name);
        return {
          effects: skill.origin === 'workspace' ? [{ kind: 'read', path: skill.file }] : [],
          run: async () => {
            const isSkill = file === undefined || file === skillFileName;
            const text = isSkill ? await requireText(skills, skill) : await files.read(skill, file);
            const others = isSkill && offset === 1 ? await files.list(skill) : [];
            return textResult(answer(skill, inertText(text), others, offset, maxResultChars), {
              skill: skill.name,
              file: file ?? skillFileName,
            });
          },
        };
      },
    },
    layout,
  );
  return { ...tool, unavailable: () => (skills.isEmpty() ? 'there are no skills' : undefined) };
}

async function requireSkill(catalog: SkillCatalog, name: string): Promise<Skill> {
  const { skills } = await catalog.list();
  const wanted = name.trim().toLowerCase();
  const found = skills.find((each) => each.name.toLowerCase() === wanted);
  if (found === undefined) throw skillUnknown(name, skills);
  return found;
}

async function requireText(catalog: SkillCatalog, skill: Skill): Promise<string> {
  const text = await catalog.load(skill);
  if (text !== undefined) return text;
  throw new PincerError('skill_gone', `The skill ${skill.name} was removed or broken in the meantime.`, {
    hint: 'Go on without it, and say so.',
  });
}

/** Room for the lines around a page. */
const aroundChars = 400;

function answer(
  skill: Skill,
  text: string,
  others: readonly string[],
  offset: number,
  maxChars: number,
): string {
  const list = others.length === 0 ? '' : `\n\nFiles of this skill: ${others.join(', ')}`;
  if (text.trim() === '') return `Skill ${skill.name}\n\n[The file is empty.]${list}`;
  const page = pageText(text, offset, { lines: 5_000, chars: maxChars - list.length - aroundChars });
  if (page.last < page.first)
    throw new PincerError(
      'offset_too_large',
      `That file of the skill ${skill.name} has only ${page.total} lines.`,
      { hint: `Give an offset from 1 to ${page.total}.` },
    );
  const rest =
    page.last < page.total
      ? `\n\n[Lines ${page.first} to ${page.last} of ${page.total}. Go on with offset ${page.last + 1}.]`
      : '';
  return `Skill ${skill.name}\n\n${page.text}${rest}${list}`;
}
