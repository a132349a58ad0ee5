import { PincerError } from '../../base/errors.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Skill } from './skill.ts';

export function skillUnused(file: string, why: string, line?: number): Diagnostic {
  return {
    level: 'warn',
    code: 'skill_unused',
    message: `A skill is not offered: ${why}.`,
    hint: 'Correct the file, or remove its folder.',
    source: file,
    ...(line === undefined ? {} : { line }),
  };
}

export function skillOdd(file: string, message: string, line?: number): Diagnostic {
  return {
    level: 'info',
    code: 'skill_odd',
    message: `${message}.`,
    source: file,
    ...(line === undefined ? {} : { line }),
  };
}

export function skillOverridden(lost: Skill, winner: Skill): Diagnostic {
  return {
    level: 'info',
    code: 'skill_overridden',
    message: `The skill ${lost.name} of ${whoseOf(lost)} is not offered: one of ${whoseOf(winner)} has the same name.`,
    hint: 'Give one of them another name.',
    source: lost.file,
  };
}

export function skillFolderMissing(folder: string): Diagnostic {
  return {
    level: 'warn',
    code: 'skill_folder_missing',
    message: `The folder with skills ${folder} is not there.`,
    hint: 'Correct agent.skills.folders in your config: an absolute path, or one that begins with ~/.',
    source: folder,
  };
}

export function tooManySkills(folder: string, max: number): Diagnostic {
  return {
    level: 'warn',
    code: 'skill_too_many',
    message: `${folder} has more than ${max} folders; the others are not looked at.`,
    hint: 'Spread them over several folders and name those in agent.skills.folders.',
    source: folder,
  };
}

/** Written for the model. */
export function skillUnknown(name: string, skills: readonly Skill[]): PincerError {
  const names = nearestFirst(
    name,
    skills.map((each) => each.name),
  ).slice(0, 100);
  return new PincerError('skill_unknown', `There is no skill "${name}".`, {
    hint: names.length === 0 ? 'There are no skills at all.' : `There are: ${names.join(', ')}.`,
  });
}

/** Written for the model. */
export function skillFileUnknown(skill: string, file: string, why: string): PincerError {
  return new PincerError('skill_file_unknown', `The skill ${skill} has no file "${file}": ${why}.`, {
    hint: 'Use a file as it is listed when the skill is loaded.',
  });
}

function whoseOf({ origin, pluginId }: Skill): string {
  const names = {
    config: 'your config',
    user: 'your own folder',
    workspace: 'the workspace',
    plugin: `the plugin ${pluginId ?? ''}`,
  };
  return names[origin];
}
